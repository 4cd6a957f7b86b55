package toystore.catalog.domain;

/// What a sale does to the stock.
public enum SaleKind {
  /// Reduces the stock.
  ORDER,
  /// A trade that reduces the stock.
  BUY,
  /// A trade that increases it.
  SELL,
  /// Of a marketplace purchase: increases it.
  RETURN;

  public boolean takesStock() {
    return this == ORDER || this == BUY;
  }

  /// Whether it counts to the product's volume.
  public boolean isTrade() {
    return this == BUY || this == SELL;
  }
}
