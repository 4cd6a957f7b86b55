/// Answers and pages from stored runs.
///
/// ```
/// Evaluation         docs/evaluation.md and the other published texts, from PublishedRows
/// EvaluationIndex    answer cards of all runs of a folder
///  └─ RunReport        the page of a run: fills a ReportTemplate, rendered in an HtmlFrame
///      ├─ RunAnswer    the answer in a sentence
///      ├─ RunTables    tables in Markdown
///      └─ RunCharts    charts
///          └─ RunAnalysis, OpenCurve   figures
/// ```
@NullMarked
package toystore.lab.report;

import org.jspecify.annotations.NullMarked;
