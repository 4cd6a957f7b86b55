/// What operators see of a service. Each process has one registry of [Meters], shown on `/prometheus`
/// of its management port: gRPC calls ([ServerWatch], [ClientWatch]), the writer ([WriterMeters]),
/// and what each service adds of its own. `docs/observability.md` has every name.
@NullMarked
package toystore.service.watch;

import org.jspecify.annotations.NullMarked;
