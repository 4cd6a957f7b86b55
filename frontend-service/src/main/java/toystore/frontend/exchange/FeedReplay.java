package toystore.frontend.exchange;

import java.util.List;

/// What a reader missed.
///
/// @param position number of the last trade that the reader knows after these events
/// @param complete whether every later trade is a new one; else the reader asks again from
///   `position`
record FeedReplay(List<FeedEvent> events, long position, boolean complete) {}
