package toystore.exchange.engine;

/// Products of shares and prices that may have more than 64 bits.
final class Amounts {
  private Amounts() {}

  /// Whether shares × price is more than a limit that is not negative.
  static boolean exceeds(long sharesE4, long priceE4, long limitE8) {
    return Math.multiplyHigh(sharesE4, priceE4) != 0
        || Long.compareUnsigned(sharesE4 * priceE4, limitE8) > 0;
  }
}
