/// The exchange service: accounts with cash and shares, limit orders, trades, and a live feed.
///
/// ```
/// rpc                           xml
///   │ a command, a query of an order  │
///   ▼                                 ▼
/// domain   ExchangeDecider decides by the MatchingEngine (engine), which it changes in place
/// storage  ExchangeBatchStore: one commit, then MarketFeed
/// ```
///
/// Lists, accounts and positions are read from disk by the reader threads, the depth from memory.
@NullMarked
package toystore.exchange;

import org.jspecify.annotations.NullMarked;
