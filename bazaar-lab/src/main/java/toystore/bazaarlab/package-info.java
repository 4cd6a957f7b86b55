/// The lab's experiments that Gatling, which speaks HTTP alone, cannot ask: a closed loop of
/// clients of the catalog's gRPC and line protocol ([PoolLoop], [ExecutorsLoop]), and locks without
/// any service around them ([LocksLoop]).
///
/// [Loop] is what they have in common: it measures one [Trial] after another. A
/// [ConcurrentClientsMeasurement] lets a [ConcurrentClients] of [Caller]s call one catalog.
@NullMarked
package toystore.bazaarlab;

import org.jspecify.annotations.NullMarked;
