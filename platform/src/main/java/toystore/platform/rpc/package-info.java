/// What every gRPC server and client here agrees on. Errors are typed ([Problem]); a client's call
/// has a deadline and knows whether it left ([Calls]), is refused at once where the peer did not
/// answer of late ([Guard]), and with a client's own key is made again ([Retries]); a server
/// answers from a future ([Answers]).
@NullMarked
package toystore.platform.rpc;

import org.jspecify.annotations.NullMarked;
