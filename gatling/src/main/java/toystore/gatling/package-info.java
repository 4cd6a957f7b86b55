/// The evaluation lab: experiments that call stores, check every answer, and store what they
/// measured; reports are drawn from what is stored.
///
/// ```
///  Lab                        what ./toystore lab hands over to: a JVM an experiment
///   └─ QueryVsBuySimulation   one class an experiment: its Design, and which stores it compares
///       └─ Experiment         drives the clients through all cells in random order (Gatling)
///           ├─ place          starts the stores: processes, one JVM, containers, far away
///           ├─ Query, Buy     the calls with their checks
///           ├─ Step           one repetition of a cell; LoadClient looks at the client itself
///           └─ result         a folder a run: samples, histograms, parts of calls
///               └─ report     tables, plots and findings; docs/evaluation.md
/// ```
@NullMarked
package toystore.gatling;

import org.jspecify.annotations.NullMarked;
