package toystore.catalog;

import org.jspecify.annotations.Nullable;

/// What came of the last comparison with an order book. Where the two do not belong together the
/// order service takes no orders, and the catalog takes no trades that come past it: their numbers
/// would be ones that the book knows already. Any thread.
final class BookCheck {
  private volatile @Nullable String mismatch;

  void matches() {
    if (mismatch != null) {
      mismatch = null;
    }
  }

  void differs(String how) {
    mismatch = how;
  }

  /// How they differ; null: they do not, or were not compared yet.
  @Nullable String mismatch() {
    return mismatch;
  }
}
