/// The store on a PostgreSQL cluster whose nodes and clients fail.
///
/// ```
///  clients ──▶ frontend  ──▶ account, payment, exchange, catalog, order
///          ──▶ frontend2     (one of two processes of each serves)
///                                 │ a proxy for each process and node
///                                 ▼
///          node0, node1, node2: Patroni and PostgreSQL, one of them the primary ──▶ etcd
/// ```
///
/// Start at [PostgresFaults]; the faults are in [ClusterFault].
@NullMarked
package toystore.torture.postgresql;

import org.jspecify.annotations.NullMarked;
