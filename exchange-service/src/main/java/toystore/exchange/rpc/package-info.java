/// The exchange over gRPC. Start at [ExchangeRpc]; [CallerClient] finds who calls; [WatchRpc] sends
/// the events of the feed to a reader.
@NullMarked
package toystore.exchange.rpc;

import org.jspecify.annotations.NullMarked;
