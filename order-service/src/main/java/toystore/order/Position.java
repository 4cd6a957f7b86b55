package toystore.order;

/// How far a series of the book on disk goes.
///
/// @param next the number of the first order that is not in it
/// @param lastKey the key of the order before that; empty where there is none
record Position(long next, String lastKey) {
  static final Position START = new Position(0, "");

  static Position after(Order order) {
    return new Position(order.number() + 1, order.key());
  }
}
