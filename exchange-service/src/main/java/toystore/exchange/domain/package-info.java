/// What clients ask of the exchange, and how it is decided. Start at [ExchangeCommand]; An
/// [ExchangeCommand] decides on an [ExchangeUnitOfWork], by the
/// [toystore.exchange.engine.MatchingEngine], and [MarketFeed] shows what was committed. Plain
/// Java.
@NullMarked
package toystore.exchange.domain;

import org.jspecify.annotations.NullMarked;
