package toystore.catalog;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Whether sales of a series may be made. A catalog that was ever compared with an order book
/// begins closed: it may have been restored from a backup, and would give out numbers that the book
/// knows already. The order service's comparison opens it, or finds that the two differ. A catalog
/// that never was compared is open. Any thread.
final class ReplicaCheck {
  private final Map<SaleSeries, Result> results = new ConcurrentHashMap<>();

  sealed interface Result {
    /// No order book is known, or it is the catalog's.
    record Open() implements Result {}

    /// There is an order book, and it was not compared since the start.
    record NotCompared() implements Result {}

    /// The book is not the catalog's.
    record Differs(String how) implements Result {}
  }

  /// @param compared the series that were ever compared with an order book
  ReplicaCheck(Set<SaleSeries> compared) {
    compared.forEach(series -> results.put(series, new Result.NotCompared()));
  }

  /// Whether the series was ever compared.
  boolean isKnown(SaleSeries series) {
    return results.containsKey(series);
  }

  Result result(SaleSeries series) {
    return results.getOrDefault(series, new Result.Open());
  }

  /// What the order service's comparison has found; empty: no difference.
  void compared(SaleSeries series, Optional<String> difference) {
    results.put(series, difference.<Result>map(Result.Differs::new).orElseGet(Result.Open::new));
  }
}
