/// Output for stored runs: a report of each run, a comparison of two runs, and the evaluation of
/// all. Everything is generated from run folders ([toystore.gatling.result.RunFolder]) and
/// published.csv, so it can be regenerated years later. This package does not depend on Gatling or
/// on the name of an experiment.
///
/// ```
///   RunFolder --> RunByCell ---------------+
///   RunFolder (noise) --> Resolution ------+--> ReportData --> Section … --> Report --> report.md, .html, .svg
///   published.csv --> PublishedResults ----+--> ReportedValueResolver --> EvaluationDocument --> docs/evaluation.md
/// ```
///
/// **Statistics.** A repetition's mean is one observation, because calls within it are not
/// independent. The interval of a mean is Student's t over repetitions. A ratio is the geometric
/// mean of the repetitions' ratios; repetitions are interleaved, so slow changes of the machine
/// cancel. Its interval is Student's t on logarithms; between two runs it is Welch's. All intervals
/// are 95 %. A single repetition has no interval, and every text states so. A ratio counts as up or
/// down if its interval does not contain 1 *and* it exceeds the resolution of the machine
/// ([Resolution]); otherwise there is no detectable difference. [RunByCell] converts latencies to
/// ms.
@NullMarked
package toystore.gatling.report;

import org.jspecify.annotations.NullMarked;
