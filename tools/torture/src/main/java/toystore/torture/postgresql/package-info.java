/// The store on a PostgreSQL cluster whose nodes and clients fail.
///
/// ```
///  buyers ──▶ frontend  ──▶ order, order2     ──▶ catalog, catalog2
///         ──▶ frontend2     (one of two serves)    (one of two serves)
///                               └────────┬────────────┘
///                                        ▼
///            node0, node1, node2: Patroni and PostgreSQL, one of them the primary ──▶ etcd
/// ```
///
/// Start at [PostgresFaults].
@NullMarked
package toystore.torture.postgresql;

import org.jspecify.annotations.NullMarked;
