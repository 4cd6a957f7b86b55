package toystore.torture.postgresql;

import java.util.List;

/// A fault of the cluster, or of a process of the store that uses it.
enum ClusterFault {
  DATABASE_KILLED("kill -9 of the primary's PostgreSQL"),
  NODE_KILLED("kill -9 of the primary's PostgreSQL and Patroni"),
  NODE_FROZEN("SIGSTOP of both past the takeover, SIGCONT"),
  DISK_FULL("full disk of the primary, from when it is freed"),
  CATALOG_KILLED("kill -9 of the active catalog"),
  CATALOG_FROZEN("SIGSTOP of the active catalog past the takeover, SIGCONT"),
  ORDER_KILLED("kill -9 of the active order service"),
  FRONTEND_KILLED("kill -9 of a frontend");

  /// Those that take a few seconds.
  static final List<ClusterFault> QUICK =
      List.of(DATABASE_KILLED, CATALOG_KILLED, CATALOG_FROZEN, ORDER_KILLED, FRONTEND_KILLED);

  final String description;

  ClusterFault(String description) {
    this.description = description;
  }
}
