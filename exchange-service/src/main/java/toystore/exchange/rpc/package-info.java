/// Start at [ExchangeRpc]; [CallerClient] finds who calls; [WatchRpc] sends the feed to a reader.
@NullMarked
package toystore.exchange.rpc;

import org.jspecify.annotations.NullMarked;
