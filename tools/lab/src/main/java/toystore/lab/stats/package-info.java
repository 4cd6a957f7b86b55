/// Statistics of experiments: plain Java without input or output. Every class may be used by any
/// thread.
///
/// ```
///   a value a block    --> ConfidenceInterval                    figures
///   log ratio a block  --> ContrastVerdict                       planned contrasts
///                      --> SequentialStop                        when `lab ab` ends
///   log drift a start  --> DriftTest                             steady, drifting, unresolved
///   BaselinePair a block -> VarianceComponents                   where the noise is
///   histogram          --> LatencyPercentiles                    which percentiles may be stated
///   open-loop window   --> OpenLoopCheck                         valid, overloaded, void
/// ```
///
/// **Unit.** The unit of observation is the block: calls of a repetition, repetitions of a start
/// and starts of a block share causes, so they are averaged before anything here sees them. Ratios
/// are averaged on logarithms; parts, which add up, on milliseconds.
///
/// **Errors.** At most six contrasts are planned before a run. Their intervals have the level 1 −
/// 0.05 ÷ contrasts (Bonferroni), so all of them hold together in at least 95 % of runs. All other
/// intervals are 95 % each and get no verdict.
@NullMarked
package toystore.lab.stats;

import org.jspecify.annotations.NullMarked;
