package toystore.order;

/// The end of a series in the order book on disk.
///
/// @param next number of the first order that is not in the book
/// @param lastKey request key of the last order in the book; empty if there is none
record Checkpoint(long next, String lastKey) implements OrderResult {
  static final Checkpoint START = new Checkpoint(0, "");

  static Checkpoint after(Order order) {
    return new Checkpoint(order.number() + 1, order.key());
  }
}
