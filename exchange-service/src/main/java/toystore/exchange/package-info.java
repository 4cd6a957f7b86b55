/// The exchange service: accounts with cash and shares, limit orders, trades, and a live feed.
///
/// ```
/// ExchangeRpc                   toystore.exchange.xml
///   │ a command, a query of an order  │
///   ▼                                 ▼
/// writer   ExchangeBatchStore: MatchingEngine decides in place, one commit, then MarketFeed
///          (CashAccountStore, SymbolStore, LimitOrderStore, AnswerStore)
/// ```
///
/// Lists, accounts and positions are read from disk by the reader threads, the depth from memory.
/// [CallerClient] finds who calls. [WatchRpc] sends the events of the feed to a reader.
/// [ExchangeAudit] checks the rows.
@NullMarked
package toystore.exchange;

import org.jspecify.annotations.NullMarked;
