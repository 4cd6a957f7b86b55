package toystore.catalog;

/// The kind of a sale and its effect on the stock.
enum SaleKind {
  /// An order: reduces the stock.
  ORDER,
  /// A trade that reduces the stock.
  BUY,
  /// A trade that increases the stock.
  SELL;

  boolean takesStock() {
    return this != SELL;
  }

  /// Whether it increases the product's volume.
  boolean isTrade() {
    return this != ORDER;
  }
}
