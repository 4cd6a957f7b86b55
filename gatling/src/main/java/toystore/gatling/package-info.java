/// The evaluation lab. Experiments call stores, check every response and store the measurements.
/// Reports are generated from the stored data.
///
/// ```
///  Lab                        started by ./toystore lab; runs each experiment in its own JVM
///   └─ QueryVsBuySimulation   one class per experiment: its ExperimentDesign and the stores it compares
///       └─ Experiment         runs the clients of all cells in random order (Gatling)
///           ├─ environment    starts the stores: processes, one JVM, containers, at a distance
///           ├─ Query, Buy     the calls with their checks
///           ├─ Repetition     one repetition of a cell; LoadClientMonitor measures the client
///           └─ result         one folder per run: samples, histograms, parts of calls
///               └─ report     tables, plots and findings; docs/evaluation.md
/// ```
@NullMarked
package toystore.gatling;

import org.jspecify.annotations.NullMarked;
