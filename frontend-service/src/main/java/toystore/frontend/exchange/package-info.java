/// `/api/exchange`: accounts, orders, depth, trades and the live feed of the exchange.
/// [ExchangeClient] calls the exchange service with the bearer's own token, and [TradeFeed] sends
/// server-sent events, at most five feeds to a user. One [FeedClient] receives the events of all
/// readers of this frontend.
///
/// ```
///                     Watch, one per frontend                    server-sent events
/// exchange service ─────────────────────────▶ FeedClient ─▶ FeedLog ─▶ reader
///                  ◀─ Watch, until the replay ends ──────┐          ─▶ reader
///                     (when a reader begins or is behind) └─ TradeFeed
/// ```
@NullMarked
package toystore.frontend.exchange;

import org.jspecify.annotations.NullMarked;
