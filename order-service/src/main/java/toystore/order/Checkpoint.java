package toystore.order;

/// How far a series of the book on disk goes.
///
/// @param next the number of the first order that is not in it
/// @param lastKey the key of the order before that; empty where there is none
record Checkpoint(long next, String lastKey) {
  static final Checkpoint START = new Checkpoint(0, "");

  static Checkpoint after(Order order) {
    return new Checkpoint(order.number() + 1, order.key());
  }
}
