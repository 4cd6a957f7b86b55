package toystore.lab.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the load client measured in one cell. Times are in µs.
///
/// @param phase `null`, `cold`, `warm-up`, `closed`, `course` or `open`; see
///   [toystore.lab.run.StartRun]
/// @param condition what was switched at run time, such as a distance; empty: nothing
/// @param rate asked requests per second; 0 in a closed loop
/// @param repetition from 1; 0 outside of the closed loop
/// @param sinceReadySeconds from the time at which the subject was ready to the begin of the cell
/// @param asked number of requests that were sent in the measured time
/// @param completed number of responses in the measured time; differs from `count` in an open loop
/// @param meanMicros mean latency of correct responses
/// @param firstResponseMicros how long each client waited for its first response, ascending; empty
///   if it was not recorded
/// @param window of an open loop, `valid`, or `overloaded` or `void` with the reason, see
///   [OpenLoopCheck]; else empty
/// @param cost CPU time and syncs during the cell
/// @param histogram all latencies, as a line of HdrHistogram's log; may be empty
public record CellRow(
    String phase,
    String kind,
    int clients,
    String condition,
    double rate,
    int repetition,
    double sinceReadySeconds,
    double seconds,
    long count,
    long asked,
    long completed,
    long errors,
    @Nullable String firstError,
    double meanMicros,
    List<Long> firstResponseMicros,
    String window,
    CellCost cost,
    String histogram) {}
