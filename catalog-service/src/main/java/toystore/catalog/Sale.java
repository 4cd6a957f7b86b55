package toystore.catalog;

import java.time.Instant;
import java.util.List;

/// The durable record that lines were sold.
///
/// @param number consecutive from 0 in its series
/// @param key of the request that was sold by it
/// @param asList whether it was ordered as a list of lines
record Sale(
    SaleSeries series,
    long number,
    String key,
    SaleKind kind,
    boolean asList,
    List<SaleLine> lines,
    Instant soldAt) {
  /// A line with the product's name and price as they were.
  record SaleLine(long productId, String name, long quantity, long priceCents) {}
}
