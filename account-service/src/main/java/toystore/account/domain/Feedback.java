package toystore.account.domain;

import java.time.Instant;

/// A buyer's opinion of an item. A later one replaces it.
///
/// @param number in order of arrival, from 1; those of replaced opinions are missing
public record Feedback(long number, long itemId, long buyerId, boolean up, Instant time) {}
