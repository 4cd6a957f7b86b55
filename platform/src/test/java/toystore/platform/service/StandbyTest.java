package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
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

/// What a start does while its server is away, or refuses it.
class StandbyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AtomicInteger tries = new AtomicInteger();

  @Test
  void startDuringAFailoverWaitsForTheNewPrimary(@TempDir Path folder) throws Exception {
    try (var servers = new PostgresPair(folder)) {
      String url = servers.database("failover");
      servers.killPrimary();
      var start = CompletableFuture.supplyAsync(() -> whenReachable(url, PATIENCE));
      Conditions.await(() -> tries.get() > 1);
      assertThat(start).isNotDone();
      servers.promote();
      try (PostgresSchema schema = start.get(60, TimeUnit.SECONDS)) {
        assertThat(schema.elected()).isTrue();
      }
    }
  }

  @Test
  void serverThatStaysAwayIsRefusedInTheEnd() {
    String url =
        String.format(Locale.ROOT, "jdbc:postgresql://127.0.0.1:%d/numbers", FreePorts.free());
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> whenReachable(url, Duration.ofMillis(600)))
        .withMessage("database " + url + " cannot be used: Connection refused");
    assertThat(tries).hasValueGreaterThan(1);
  }

  @Test
  void serverThatRefusesIsNotAskedAgain() throws SQLException {
    String url = PostgresCluster.database("numbers");
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> whenReachable(url + "2", PATIENCE))
        .withMessageEndingWith("FATAL: database \"numbers2\" does not exist");
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> whenReachable(url + "?sslmode=require", PATIENCE))
        .withMessageEndingWith("The server does not support SSL.");
    assertThat(tries).hasValue(2);
  }

  private PostgresSchema whenReachable(String url, Duration patience) {
    return Standby.whenReachable(
        () -> {
          tries.incrementAndGet();
          return PostgresSchema.of(new PostgresServer(url, "postgres", "x"), "numbers");
        },
        patience);
  }
}
