package toystore.torture.postgresql;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import toystore.clients.Conditions;
import toystore.clients.FreePorts;
import toystore.clients.StoreProcesses;

/// Three nodes of PostgreSQL with synchronous replication that Patroni controls, and etcd, on this
/// machine. `.ci/tools postgresql` installs the programs. One thread.
final class PatroniCluster implements AutoCloseable {
  static final int NODES = 3;

  /// Password of the role `toystore`, which is not a superuser and owns the database `toystore`.
  static final String PASSWORD = "geheim";

  private static final Duration HEALED_WITHIN = Duration.ofSeconds(120);
  private static final Path ETCD = Path.of("/usr/bin/etcd");

  private final Process etcd;
  private final List<PatroniNode> nodes;
  private final Thread atExit = new Thread(this::stop);
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

  /// The reason why it cannot be started on this machine.
  static Optional<String> missing() {
    return Files.isExecutable(ETCD) && Files.isExecutable(PatroniNode.PYTHON)
        ? Optional.empty()
        : Optional.of("etcd or Patroni is not installed; run .ci/tools postgresql");
  }

  /// @param folder the folder of its files; every user may enter it afterwards
  PatroniCluster(Path folder) throws IOException, SQLException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    int clients = FreePorts.free();
    String peers = "http://127.0.0.1:" + FreePorts.free();
    String address = "http://127.0.0.1:" + clients;
    etcd =
        new ProcessBuilder(
                ETCD.toString(),
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=" + address,
                "--advertise-client-urls=" + address,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=default=" + peers)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(StoreProcesses.log("etcd").toFile()))
            .start();
    nodes =
        IntStream.range(0, NODES)
            .mapToObj(it -> new PatroniNode("node" + it, folder.resolve("node" + it), clients))
            .toList();
    Runtime.getRuntime().addShutdownHook(atExit);
    for (PatroniNode node : nodes) {
      node.start();
    }
    awaitHealthy();
    execute(
        "CREATE ROLE toystore LOGIN PASSWORD '"
            + PASSWORD
            + "'; CREATE DATABASE toystore OWNER toystore");
  }

  /// The ports of PostgreSQL of all nodes.
  List<Integer> ports() {
    return nodes.stream().map(PatroniNode::port).toList();
  }

  /// Executes statements at the primary, one after the other, as an administrator whose commits
  /// wait for no standby.
  ///
  /// @param statements separated by `;`
  /// @return the value that the last one returned; otherwise an empty string
  String execute(String statements) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", "postgres");
    properties.setProperty("password", PatroniNode.PASSWORD);
    properties.setProperty(
        "options", "-c synchronous_commit=local -c default_transaction_read_only=off");
    properties.setProperty("targetServerType", "primary"); // one that has just become it refuses
    String value = "";
    try (Connection connection =
            Conditions.patiently()
                .ignoreExceptionsInstanceOf(SQLException.class)
                .until(() -> DriverManager.getConnection(url(primary()), properties), _ -> true);
        Statement statement = connection.createStatement()) {
      for (String one : statements.split(";")) {
        ResultSet row = statement.execute(one) ? statement.getResultSet() : null;
        value = row != null && row.next() ? row.getString(1) : "";
      }
    }
    return value;
  }

  private static String url(PatroniNode node) {
    return "jdbc:postgresql://127.0.0.1:" + node.port() + "/postgres";
  }

  /// The node that Patroni has made the primary.
  PatroniNode primary() {
    return Conditions.patiently()
        .until(
            () -> nodes.stream().filter(it -> is(it, "/primary")).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  /// The nodes that Patroni has not made the primary.
  List<PatroniNode> standbys() {
    PatroniNode primary = primary();
    return nodes.stream().filter(it -> it != primary).toList();
  }

  /// Whether a node other than `before` is the primary.
  boolean hasPrimaryOtherThan(PatroniNode before) {
    return nodes.stream().anyMatch(it -> it != before && is(it, "/primary"));
  }

  /// Waits until a node is the primary and the others are its synchronous standbys.
  void awaitHealthy() {
    Conditions.patiently()
        .atMost(HEALED_WITHIN)
        .until(() ->
            nodes.stream().filter(it -> is(it, "/primary")).count() == 1
                && nodes.stream().filter(it -> is(it, "/quorum")).count() == NODES - 1);
  }

  /// Asks Patroni's REST API.
  private boolean is(PatroniNode node, String role) {
    try {
      var uri = URI.create("http://127.0.0.1:" + node.restPort() + role);
      var request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(1)).build();
      return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException down) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private List<ProcessHandle> processes() {
    return Stream.concat(
            nodes.stream().flatMap(it -> it.processes().stream()), Stream.of(etcd.toHandle()))
        .toList();
  }

  private void stop() {
    PatroniNode.kill(processes());
    nodes.forEach(PatroniNode::unmount);
  }

  /// Kills all processes. Their logs are kept in `target`.
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    stop();
  }
}
