/// Common parts of every gRPC server and client. Errors are typed ([RpcError]).
/// [OutcomeInterceptor] gives a client's call a deadline and records whether it was sent.
/// [BulkheadAndCircuitBreakerInterceptor] rejects calls to a peer that does not answer. [Retries]
/// repeats calls with a client's own idempotency key. Key and latest time of a command travel in
/// the metadata of its call ([CallEnvelope]); a server submits it ([CallEnvelope]) and answers from
/// a future ([UnaryResponses]).
@NullMarked
package toystore.platform.rpc;

import org.jspecify.annotations.NullMarked;
