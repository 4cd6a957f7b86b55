package toystore.exchange.domain;

/// A command of the writer, or a query, which a reader answers from committed rows.
public sealed interface ExchangeRequest permits ExchangeCommand, ExchangeRequest.FindOrder {
  record FindOrder(AccountKey account, long order) implements ExchangeRequest {}
}
