/// What clients ask of the exchange, and how it is decided. An [ExchangeCommand] decides on an
/// [ExchangeUnitOfWork], by the [toystore.exchange.engine.MatchingEngine]; [MarketFeed] shows what
/// was committed. Plain Java.
@NullMarked
package toystore.exchange.domain;

import org.jspecify.annotations.NullMarked;
