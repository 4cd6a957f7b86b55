/// Answers and pages from stored runs.
///
/// ```
/// RunAnalysis        figures of a run: contrasts with verdicts, drift, A/A, percentiles, costs
///  └─ ExperimentPage the page of an experiment: the answer, its charts, limits, raw data
///      └─ EvaluationIndex  answer cards of all experiments; docs/evaluation.md
/// ```
@NullMarked
package toystore.lab.report;

import org.jspecify.annotations.NullMarked;
