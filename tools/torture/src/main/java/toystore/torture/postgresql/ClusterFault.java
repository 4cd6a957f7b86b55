package toystore.torture.postgresql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A fault of the cluster, of a process of the store that uses it, or of the way between them. Its
/// name in commands is that of the constant: `catalog-killed`.
enum ClusterFault {
  DATABASE_KILLED(
      "kill -9 of the primary's PostgreSQL", it -> PatroniNode.kill(it.primary().postgres())),
  NODE_KILLED(
      "kill -9 of the primary's PostgreSQL and Patroni",
      it -> it.losePrimary(node -> PatroniNode.kill(node.processes()), PatroniNode::start)),
  NODE_FROZEN(
      "SIGSTOP of both past the takeover, SIGCONT",
      it -> it.losePrimary(PatroniNode::freeze, PatroniNode::thaw)),
  DISK_FULL("full disk of the primary, from its end", ClusterInjection::fillDisk),
  CATALOG_KILLED("kill -9 of the active catalog", it -> it.kill("catalog")),
  CATALOG_FROZEN(
      "SIGSTOP of the active catalog past the takeover, SIGCONT", ClusterInjection::freezeCatalog),
  ORDER_KILLED("kill -9 of the active order service", it -> it.kill("order")),
  EXCHANGE_KILLED("kill -9 of the active exchange: its orders", it -> it.kill("exchange")),
  FRONTEND_KILLED("kill -9 of a frontend", ClusterInjection::killFrontend),

  CATALOG_SILENCED("no packets between active catalog and database", it -> it.silence("catalog")),
  CATALOG_CUT("no connections from the active catalog to it", it -> it.refuse("catalog")),
  ORDER_SILENCED("no packets between active order service and it", it -> it.silence("order")),
  ORDER_CUT("no connections from the active order service", it -> it.refuse("order")),
  EXCHANGE_SILENCED("no packets, active exchange: its orders", it -> it.silence("exchange")),
  EXCHANGE_CUT("no connections, active exchange: its orders", it -> it.refuse("exchange")),
  ACCOUNT_CUT("no connections, active account service: carts", it -> it.refuse("account")),
  PAYMENT_CUT("no connections, active payment service: carts", it -> it.refuse("payment")),

  LOGIN_FORBIDDEN(
      "commits in doubt: NOLOGIN, from its end",
      it -> it.loseCommits(List.of("ALTER ROLE toystore NOLOGIN"), "ALTER ROLE toystore LOGIN")),
  CONNECTIONS_FORBIDDEN(
      "commits in doubt: ALLOW_CONNECTIONS false, from its end",
      it ->
          it.loseCommits(
              List.of("ALTER DATABASE toystore ALLOW_CONNECTIONS false"),
              "ALTER DATABASE toystore ALLOW_CONNECTIONS true")),
  CONNECTIONS_LIMITED(
      "commits in doubt: CONNECTION LIMIT 0, from its end",
      it ->
          it.loseCommits(
              List.of("ALTER ROLE toystore CONNECTION LIMIT 0"),
              "ALTER ROLE toystore CONNECTION LIMIT -1")),
  PASSWORD_CHANGED(
      "commits in doubt: password changed, from its new file", ClusterInjection::changePassword),
  DATABASE_RENAMED(
      "commits in doubt: database renamed, from its end",
      it ->
          it.loseCommits(
              List.of(
                  "ALTER ROLE toystore NOLOGIN",
                  PatroniCluster.END_SESSIONS,
                  "ALTER DATABASE toystore RENAME TO \"Spielzeugläden\"",
                  "ALTER ROLE toystore LOGIN"),
              "ALTER DATABASE \"Spielzeugläden\" RENAME TO toystore")),

  READ_ONLY(
      "default_transaction_read_only of the server, from its end",
      it ->
          it.changeSettings(
              List.of("ALTER SYSTEM SET default_transaction_read_only = on", PatroniCluster.RELOAD),
              List.of("ALTER SYSTEM RESET default_transaction_read_only", PatroniCluster.RELOAD))),
  STATEMENTS_TIMED(
      "statement_timeout of the role 1 ms, from its end",
      it ->
          it.changeSettings(
              List.of("ALTER ROLE toystore SET statement_timeout = 1", PatroniCluster.END_SESSIONS),
              List.of("ALTER ROLE toystore RESET statement_timeout"))),
  SESSIONS_ENDED(
      "the store's sessions terminated", it -> it.execute(List.of(PatroniCluster.END_SESSIONS))),
  COMMITS_ASYNCHRONOUS(
      "synchronous_commit of the role off, then kill -9 of the primary",
      ClusterInjection::killAsynchronous);

  private static final List<ClusterFault> QUICK =
      List.of(DATABASE_KILLED, CATALOG_KILLED, CATALOG_CUT, FRONTEND_KILLED, LOGIN_FORBIDDEN);

  final String description;
  final Injection injection;

  ClusterFault(String description, Injection injection) {
    this.description = description;
    this.injection = injection;
  }

  /// Injects the fault and repairs what does not repair itself.
  @FunctionalInterface
  interface Injection {
    void inject(ClusterInjection into) throws Exception;
  }

  /// @param names in commands; empty: all faults, or the quick ones
  static List<ClusterFault> named(List<String> names, boolean quick) {
    return new ArrayList<>(
        names.isEmpty()
            ? quick ? QUICK : List.of(values())
            : names.stream()
                .map(it -> valueOf(it.replace('-', '_').toUpperCase(Locale.ROOT)))
                .toList());
  }
}
