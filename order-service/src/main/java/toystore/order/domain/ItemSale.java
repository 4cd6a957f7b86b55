package toystore.order.domain;

import java.time.Instant;
import java.util.Map;

/// A sale or return of series PURCHASES in the catalog.
///
/// @param key text of [SaleKey#stored]
/// @param sellers the seller of each item
public record ItemSale(
    long number,
    String key,
    boolean isReturn,
    Cart lines,
    Instant soldAt,
    Map<Long, Long> sellers) {}
