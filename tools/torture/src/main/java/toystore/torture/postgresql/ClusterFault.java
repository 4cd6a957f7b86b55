package toystore.torture.postgresql;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A fault of the cluster, of a process of the store that uses it, or of the way between them. Its
/// name in commands is that of the constant: `catalog-killed`.
enum ClusterFault {
  DATABASE_KILLED(
      "kill -9 of the primary's PostgreSQL",
      it -> PatroniNode.kill(it.cluster().primary().postgres())),
  NODE_KILLED(
      "kill -9 of the primary's PostgreSQL and Patroni",
      it -> it.losePrimary(node -> PatroniNode.kill(node.processes()), PatroniNode::start)),
  NODE_FROZEN(
      "SIGSTOP of both past the takeover, SIGCONT",
      it -> it.losePrimary(PatroniNode::freeze, PatroniNode::thaw)),
  DISK_FULL("full disk of the primary, from its end", ClusterInjection::fillDisk),
  CATALOG_KILLED("catalog", "kill -9 of the active catalog", ClusterInjection::kill),
  CATALOG_FROZEN(
      "catalog",
      "SIGSTOP of the active catalog past the takeover, SIGCONT",
      ClusterInjection::freeze),
  ORDER_KILLED("order", "kill -9 of the active order service", ClusterInjection::kill),
  EXCHANGE_KILLED("exchange", "kill -9 of the active exchange; its orders", ClusterInjection::kill),
  FRONTEND_KILLED("kill -9 of a frontend", ClusterInjection::killFrontend),

  CATALOG_SILENCED("catalog", "no packets: active catalog", ClusterInjection::silence),
  CATALOG_REFUSED("catalog", "no connections: active catalog", ClusterInjection::refuse),
  ORDER_SILENCED("order", "no packets: active order service", ClusterInjection::silence),
  ORDER_REFUSED("order", "no connections: active order service", ClusterInjection::refuse),
  EXCHANGE_SILENCED(
      "exchange", "no packets: active exchange; its orders", ClusterInjection::silence),
  EXCHANGE_REFUSED(
      "exchange", "no connections: active exchange; its orders", ClusterInjection::refuse),
  ACCOUNT_REFUSED(
      "account", "no connections: active account service; carts", ClusterInjection::refuse),
  PAYMENT_REFUSED(
      "payment", "no connections: active payment service; carts", ClusterInjection::refuse),

  LOGIN_FORBIDDEN(
      "commits in doubt, NOLOGIN, from its end",
      it -> it.loseCommits("ALTER ROLE toystore NOLOGIN", "ALTER ROLE toystore LOGIN")),
  CONNECTIONS_FORBIDDEN(
      "commits in doubt, ALLOW_CONNECTIONS false, from its end",
      it ->
          it.loseCommits(
              "ALTER DATABASE toystore ALLOW_CONNECTIONS false",
              "ALTER DATABASE toystore ALLOW_CONNECTIONS true")),
  CONNECTIONS_LIMITED(
      "commits in doubt, CONNECTION LIMIT 0, from its end",
      it ->
          it.loseCommits(
              "ALTER ROLE toystore CONNECTION LIMIT 0", "ALTER ROLE toystore CONNECTION LIMIT -1")),
  PASSWORD_CHANGED(
      "commits in doubt, password changed, from its new file", ClusterInjection::changePassword),
  DATABASE_RENAMED(
      "commits in doubt, database renamed, from its end",
      it ->
          it.loseCommits(
              "ALTER ROLE toystore NOLOGIN;"
                  + ClusterInjection.END_SESSIONS
                  + "; ALTER DATABASE toystore RENAME TO \"Spielzeugläden\"; ALTER ROLE toystore LOGIN",
              "ALTER DATABASE \"Spielzeugläden\" RENAME TO toystore")),

  READ_ONLY(
      "default_transaction_read_only of the server, from its end",
      it ->
          it.change(
              "ALTER SYSTEM SET default_transaction_read_only = on; SELECT pg_reload_conf()",
              "ALTER SYSTEM RESET default_transaction_read_only; SELECT pg_reload_conf()")),
  STATEMENTS_TIMED(
      "statement_timeout of the role 1 ms, from its end",
      it ->
          it.change(
              "ALTER ROLE toystore SET statement_timeout = 1;" + ClusterInjection.END_SESSIONS,
              "ALTER ROLE toystore RESET statement_timeout")),
  SESSIONS_ENDED(
      "the store's sessions terminated", it -> it.cluster().execute(ClusterInjection.END_SESSIONS)),
  COMMITS_ASYNCHRONOUS(
      "synchronous_commit of the role off, then kill -9 of the primary",
      ClusterInjection::killAsynchronous);

  private static final List<ClusterFault> QUICK =
      List.of(DATABASE_KILLED, CATALOG_KILLED, CATALOG_REFUSED, FRONTEND_KILLED, LOGIN_FORBIDDEN);

  /// The service with the fault; empty: all.
  final String service;

  final String description;
  final FaultStep<ClusterInjection> injection;

  ClusterFault(String description, FaultStep<ClusterInjection> injection) {
    this.service = "";
    this.description = description;
    this.injection = injection;
  }

  ClusterFault(String service, String description, ServiceFault injection) {
    this.service = service;
    this.description = description;
    this.injection = it -> injection.inject(it, service);
  }

  /// A part of a fault or of its repair.
  @FunctionalInterface
  interface FaultStep<T> {
    void accept(T victim) throws Exception;
  }

  @FunctionalInterface
  private interface ServiceFault {
    void inject(ClusterInjection into, String service) throws Exception;
  }

  /// @param names in commands; empty: all faults, or the quick ones
  static List<ClusterFault> named(List<String> names, boolean quick) {
    List<ClusterFault> all = quick ? QUICK : List.of(values());
    return new ArrayList<>(
        names.isEmpty() ? all : names.stream().map(ClusterFault::named).toList());
  }

  private static ClusterFault named(String name) {
    return Stream.of(values())
        .filter(it -> it.option().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "unknown fault: "
                    + name
                    + "; available: "
                    + Stream.of(values()).map(ClusterFault::option).collect(joining(", "))));
  }

  /// Its name in commands.
  String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
