/// The exchange service: accounts with cash and shares, limit orders, trades, and a live feed.
///
/// ```
/// rpc                           xml
///   │ a command, a query of an order  │
///   ▼                                 ▼
/// domain   an ExchangeCommand decides on an ExchangeUnitOfWork: the MatchingEngine (engine)
/// storage  ExchangeBatches: one commit, then MarketFeed
/// ```
///
/// Lists, accounts and positions are read from disk by the reader threads, the depth from memory.
@NullMarked
package toystore.exchange;

import org.jspecify.annotations.NullMarked;
