/// What every gRPC server and client here agrees on. Errors are typed ([RpcError]); a client's call
/// has a deadline and knows whether it left ([OutcomeInterceptor]), is refused at once where the
/// peer did not answer of late ([CircuitBreakerInterceptor]), and with a client's own key is made
/// again ([Retries]); a server answers from a future ([UnaryResponses]).
@NullMarked
package toystore.platform.rpc;

import org.jspecify.annotations.NullMarked;
