package toystore.order;

import java.time.Instant;
import java.util.Map;

/// A sale or return of series PURCHASES in the catalog.
///
/// @param key text of [SaleKey#stored]
/// @param lines what was sold
/// @param sellers the seller of each item
record ItemSale(
    long number,
    String key,
    boolean isReturn,
    Cart lines,
    Instant soldAt,
    Map<Long, Long> sellers) {}
