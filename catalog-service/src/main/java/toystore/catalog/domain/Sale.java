package toystore.catalog.domain;

import java.time.Instant;
import java.util.List;

/// @param number consecutive in its series, from 0
/// @param asList whether the request had a list of lines
public record Sale(
    SaleSeries series,
    long number,
    String key,
    SaleKind kind,
    boolean asList,
    List<SaleLine> lines,
    Instant soldAt) {
  /// With the product's name and price at the time.
  public record SaleLine(long productId, String name, long quantity, long priceCents) {}
}
