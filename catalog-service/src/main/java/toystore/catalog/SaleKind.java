package toystore.catalog;

/// What a sale does to the stock.
enum SaleKind {
  /// A plain order: takes from the stock.
  ORDER,
  /// A trade that takes from the stock.
  BUY,
  /// A trade that adds to the stock.
  SELL;

  boolean takesStock() {
    return this != SELL;
  }

  /// Trades add to the product's volume.
  boolean isTrade() {
    return this != ORDER;
  }
}
