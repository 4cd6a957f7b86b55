package toystore.platform.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.common.RootLocale.format;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.Conditions;
import toystore.clients.FreePorts;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.UnusableFileException;
import toystore.testkit.PostgresCluster;
import toystore.testkit.PostgresPair;

/// What a start does while its server is away, or refuses it, and while another process serves.
class StateLoaderTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AtomicInteger tries = new AtomicInteger();

  @Test
  void startDuringAFailoverSaysSoAndWaitsForTheNewPrimary(@TempDir Path folder) throws Exception {
    var stderr = System.err;
    var said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, UTF_8));
    try (var servers = new PostgresPair(folder)) {
      String url = servers.database("failover");
      servers.killPrimary();
      var start = CompletableFuture.runAsync(() -> check(url, StateLoader.PATIENCE));
      Conditions.await(() -> said.size() > 0);
      servers.promote();
      start.get(60, TimeUnit.SECONDS);
    } finally {
      System.setErr(stderr);
    }
    assertThat(said.toString(UTF_8))
        .matches("waiting up to 20 s: database jdbc:postgresql://.*/failover cannot be used: .*\n");
  }

  @Test
  void serverThatStaysAwayIsRefusedInTheEnd() {
    String url = format("jdbc:postgresql://127.0.0.1:%d/numbers", FreePorts.free());
    assertThatExceptionOfType(StartupException.class)
        .isThrownBy(() -> check(url, Duration.ofMillis(600)))
        .withMessage("database " + url + " cannot be used: Connection refused")
        .matches(it -> ServiceProcess.exitCode(it) == ExitCode.START_REFUSED);
    assertThat(tries).hasValueGreaterThan(1);
  }

  @Test
  void processThatLosesItsDatabaseAfterTheElectionIsStartedAgain() {
    String url = format("jdbc:postgresql://127.0.0.1:%d/x", FreePorts.free());
    var server = new PostgresServer(url, "postgres", "x");
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> PostgresSchema.of(server, "numbers"))
        .matches(
            it -> ServiceProcess.exitCode(new IllegalStateException(it)) == ExitCode.TAKEN_OVER);
  }

  @Test
  void serverThatRefusesIsNotAskedAgain() throws SQLException {
    String url = PostgresCluster.database("numbers");
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> check(url + "2", PATIENCE))
        .withMessageEndingWith("FATAL: database \"numbers2\" does not exist");
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> check(url + "?sslmode=require", PATIENCE))
        .withMessageEndingWith("The server does not support SSL.");
    assertThat(tries).hasValue(2);
  }

  private void check(String url, Duration patience) {
    var server = new PostgresServer(url, "postgres", "x");
    StateLoader.check(
        () -> {
          tries.incrementAndGet();
          new PostgresSchema(server, "numbers", null).check();
        },
        patience,
        () -> false);
  }
}
