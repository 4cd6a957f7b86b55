/// Experiments of the lab that Gatling cannot run, because Gatling speaks only HTTP: a closed loop
/// of clients of the catalog's gRPC and line protocols ([PoolExperiment], [ExecutorsExperiment]),
/// and locks without a service around them ([LocksExperiment]).
///
/// [ExperimentProgram] is the common base class: it runs one [BenchmarkCase] after another. A
/// [ConcurrentClientsMeasurement] uses [ConcurrentClients], each with a [Caller], to call one
/// catalog.
@NullMarked
package toystore.bazaarlab;

import org.jspecify.annotations.NullMarked;
