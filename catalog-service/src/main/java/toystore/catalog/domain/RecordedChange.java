package toystore.catalog.domain;

import java.time.Instant;

/// A change of one of the shop's own products that is not a sale, stored in the commit that makes
/// it.
///
/// @param by who made it and from where
public record RecordedChange(Instant time, String by, ProductDifference difference) {}
