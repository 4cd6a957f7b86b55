/// Answers and pages from stored runs.
///
/// ```
/// Evaluation         docs/evaluation.md and the other published texts, from PublishedRows
///  └─ RunReport        the page of a run: fills a ReportTemplate, rendered in an HtmlFrame; the index
///                      of all runs of a folder
///      ├─ RunAnswer    the answer in a sentence
///      ├─ RunTables    tables in Markdown
///      └─ RunCharts    charts
///          └─ RunAnalysis, OpenCurve   figures
/// ```
@NullMarked
package toystore.lab.report;

import org.jspecify.annotations.NullMarked;
