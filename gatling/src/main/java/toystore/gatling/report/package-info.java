/// What is said of stored runs: a report of each, a comparison of two, and the evaluation of all.
/// Everything is drawn from run folders ([toystore.gatling.result.Run]) and from published.csv, so
/// it can be drawn again years later. Nothing here knows an experiment by name, or Gatling.
///
/// ```
///   Run --> Measured --+
///   Run (noise) --> Resolution --> Evidence --> Section … --> Report --> report.md, .html, .svg
///   published.csv --> Published --+     |
///                                       +--> Figures --> Evaluation --> docs/evaluation.md
/// ```
///
/// **Statistics.** A repetition's mean is one observation; calls within it are not independent. A
/// mean's interval is Student's t over repetitions. A ratio is the geometric mean of the
/// repetitions' ratios (repetitions are interleaved, so what the machine did meanwhile cancels),
/// its interval is t on logarithms; between two runs it is Welch's. All intervals are 95 %. One
/// repetition has none, and every text says so. A ratio is called up or down where its interval
/// does not hold 1 *and* it is farther from 1 than the machine tells apart two runs of the same
/// store ([Resolution]); otherwise no difference was seen. Latencies are in ms once they have left
/// [RunByCell].
@NullMarked
package toystore.gatling.report;

import org.jspecify.annotations.NullMarked;
