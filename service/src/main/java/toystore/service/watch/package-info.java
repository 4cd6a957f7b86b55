/// What operators see of a service.
///
/// - Numbers: each process has one registry of [Meters], shown on `/prometheus` of its management
///   port: gRPC calls ([ServerWatch], [ClientWatch]), the writer ([WriterMeters]), and what each
///   service adds of its own.
/// - A request's [Trail]: its spans ([Tracing]) and, where asked for, its [Timings]. [WriterTrail]
///   takes it through the writer, [Wire] from one service to the next.
/// - Log lines bear the trace id of the request they are about ([TraceIds]).
///
/// `docs/observability.md` has every name.
@NullMarked
package toystore.service.watch;

import org.jspecify.annotations.NullMarked;
