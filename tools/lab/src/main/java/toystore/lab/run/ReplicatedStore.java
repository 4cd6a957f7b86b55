package toystore.lab.run;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import toystore.clients.load.Scenario;
import toystore.lab.load.JsonFile;

/// A store as it runs where nothing may be lost: two frontends, two processes of each service, and
/// PostgreSQL with a synchronous standby. One thread.
final class ReplicatedStore implements AutoCloseable {
  private static final Duration AUDIT = Duration.ofSeconds(120);
  private static final String STANDBY = "standby of ";
  private static final int TRIES = 60;
  private static final long PAUSE_MILLIS = 1_000;

  private final Path folder = Files.createTempDirectory("toystore-lab-");
  private final RunningSubject store;
  private final Set<String> processes;
  private boolean hasLostPrimary;
  private final HttpClient http = HttpClient.newHttpClient();

  /// @param home the project folder
  /// @param port of the first frontend
  ReplicatedStore(Path home, int port) throws IOException, InterruptedException {
    List<String> options = List.of("--standby", "--frontends=2", "--no-console");
    int products = RunningSubject.PRODUCTS.size();
    store =
        new LauncherSubject(FailureRun.NAME, home, port, 0, 0, products, "replicated", options)
            .start(folder);
    processes = Set.copyOf(store.pids.keySet());
  }

  FunctionLoad.Frontends frontends() {
    String second = requireNonNull(store.values.get("frontend_2_port")).getFirst();
    return new FunctionLoad.Frontends(
        List.of(store.url(), URI.create("http://127.0.0.1:" + second)));
  }

  Scenario scenario() throws IOException {
    return Scenario.ofStore().with(store.values);
  }

  /// Kills something. PostgreSQL's standby becomes the primary at once: how long it takes to notice
  /// that a primary is dead depends on who operates it.
  ///
  /// @param victim see [FailurePlan]
  void kill(String victim) throws IOException, SQLException {
    if (victim.equals("postgresql")) {
      hasLostPrimary = true;
      requireNonNull(store.servers).killPrimary();
      requireNonNull(store.servers).promote();
    } else if (!victim.isEmpty()) {
      boolean isStandby = victim.startsWith(STANDBY);
      String service = victim.replace(STANDBY, "");
      String process =
          Stream.of(service, service + "-2")
              .filter(it -> store.standbys.contains(it) == isStandby)
              .findFirst()
              .orElseThrow();
      long pid = requireNonNull(store.pids.remove(process));
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  boolean hasLostPrimary() {
    return hasLostPrimary;
  }

  /// Whether every process is ready, or a standby of one that is.
  boolean isWhole() {
    return store.pids.keySet().equals(processes);
  }

  /// How long after a time all processes were there again; -1: they are not.
  long wholeMillis(long nanos) {
    return isWhole() ? Math.max(0, store.changed - nanos) / 1_000_000 : -1;
  }

  /// The invariants that do not hold, from all rows; empty: they hold.
  List<String> violated() throws IOException, InterruptedException {
    URI page = requireNonNull(store.metrics.get("frontend")).resolve("/audit?full=true");
    var request = HttpRequest.newBuilder(page).timeout(AUDIT).build();
    JsonNode audit = JsonFile.MAPPER.missingNode();
    for (int attempt = 1; attempt <= TRIES && !audit.path("ok").isBoolean(); attempt++) {
      Thread.sleep(attempt == 1 ? 0 : PAUSE_MILLIS);
      audit = JsonFile.MAPPER.readTree(http.send(request, BodyHandlers.ofString()).body());
    }
    if (!audit.path("ok").isBoolean()) {
      return List.of("the audit has no result: " + audit);
    }
    return audit
        .path("checks")
        .valueStream()
        .filter(it -> !it.path("ok").asBoolean())
        .map(it -> it.path("name").asText() + ": " + it.path("detail").asText())
        .toList();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    store.close();
    http.close();
    FileUtils.deleteDirectory(folder.toFile());
  }
}
