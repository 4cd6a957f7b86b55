package toystore.cli.load;

import java.util.LongSummaryStatistics;
import toystore.clients.load.CallRecorder;

/// The result of a load.
///
/// @param perClient the number of responses of each client: a starved one has few
/// @param seconds the duration of the load until it ended or was stopped
record LoadResult(CallRecorder calls, LongSummaryStatistics perClient, double seconds) {}
