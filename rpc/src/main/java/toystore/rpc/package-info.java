/// What every gRPC server and client here agrees on. Errors are typed ([Problem]); a client's call
/// has a deadline and knows whether it left ([Calls]); a server answers from a future ([Answers]);
/// a channel whose peer is away tries again each second ([Reconnecting]).
@NullMarked
package toystore.rpc;

import org.jspecify.annotations.NullMarked;
