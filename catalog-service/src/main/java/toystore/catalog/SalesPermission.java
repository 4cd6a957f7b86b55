package toystore.catalog;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Decides whether the catalog may sell in a series. A catalog that was ever compared with an order
/// book does not sell after a start until the order service compares them again. It may have been
/// restored from a backup and would then assign sale numbers that the book already contains. A
/// catalog that was never compared may sell. Any thread.
final class SalesPermission {
  private final Map<SaleSeries, Result> results = new ConcurrentHashMap<>();

  sealed interface Result {
    /// No order book is known, or it matches the catalog.
    record Open() implements Result {}

    /// An order book exists but was not compared since the start.
    record NotCompared() implements Result {}

    /// The order book does not match the catalog.
    record Differs() implements Result {}
  }

  /// @param compared the series that were ever compared with an order book
  SalesPermission(Set<SaleSeries> compared) {
    compared.forEach(series -> results.put(series, new Result.NotCompared()));
  }

  /// Whether the series was ever compared.
  boolean isKnown(SaleSeries series) {
    return results.containsKey(series);
  }

  Result result(SaleSeries series) {
    return results.getOrDefault(series, new Result.Open());
  }

  /// Records the result of the order service's comparison.
  void compared(SaleSeries series, boolean equal) {
    results.put(series, equal ? new Result.Open() : new Result.Differs());
  }
}
