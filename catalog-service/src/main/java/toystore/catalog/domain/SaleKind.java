package toystore.catalog.domain;

/// The kind of a sale and its effect on the stock.
public enum SaleKind {
  /// An order: reduces the stock.
  ORDER,
  /// A trade that reduces the stock.
  BUY,
  /// A trade that increases the stock.
  SELL,
  /// The return of a marketplace purchase: increases the stock.
  RETURN;

  public boolean takesStock() {
    return this == ORDER || this == BUY;
  }

  /// Whether it increases the product's volume.
  public boolean isTrade() {
    return this == BUY || this == SELL;
  }
}
