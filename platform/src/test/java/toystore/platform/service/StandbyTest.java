package toystore.platform.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.common.RootLocale.format;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import toystore.clients.Conditions;
import toystore.clients.FreePorts;
import toystore.platform.service.StoreServiceDescriptor.Protocol;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.UnusableFileException;
import toystore.testkit.PostgresCluster;
import toystore.testkit.PostgresPair;

/// What a start does while its server is away, or refuses it.
class StandbyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Map<String, Object> settings = new TreeMap<>();
  private final AtomicInteger tries = new AtomicInteger();

  @Test
  void startDuringAFailoverSaysSoAndWaitsForTheNewPrimary(@TempDir Path folder) throws Exception {
    var stderr = System.err;
    var said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, UTF_8));
    try (var servers = new PostgresPair(folder)) {
      settings.put("toystore.database", servers.database("failover"));
      servers.killPrimary();
      var start = CompletableFuture.supplyAsync(this::elect);
      Conditions.await(() -> said.size() > 0);
      servers.promote();
      start.get(60, TimeUnit.SECONDS).close();
    } finally {
      System.setErr(stderr);
    }
    assertThat(said.toString(UTF_8))
        .matches("waiting up to 20 s: database jdbc:postgresql://.*/failover cannot be used: .*\n");
  }

  @Test
  void portOfAnotherProcessIsRefusedBeforeTheElection() throws Exception {
    settings.put("toystore.database", PostgresCluster.database("numbers"));
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      settings.put("toystore.numbers.line-port", other.getLocalPort());
      assertThatExceptionOfType(StartupException.class)
          .isThrownBy(this::elect)
          .withMessageEndingWith(", setting toystore.numbers.line-port");
    }
    elect().close();
  }

  private PostgresSchema elect() {
    var numbers =
        new StoreServiceDescriptor(
            "numbers-service",
            "numbers",
            Protocol.GRPC,
            1,
            2,
            List.of(),
            true,
            64,
            false,
            Map.of());
    settings.put("toystore.database-user", "postgres");
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
    return requireNonNull(
            Standby.elect(
                numbers,
                Set.of("toystore.numbers.line-port"),
                environment,
                _ -> {
                  throw new IllegalStateException("is no standby");
                }))
        .schema();
  }

  @Test
  void serverThatStaysAwayIsRefusedInTheEnd() {
    String url = format("jdbc:postgresql://127.0.0.1:%d/numbers", FreePorts.free());
    assertThatExceptionOfType(StartupException.class)
        .isThrownBy(() -> whenReachable(url, Duration.ofMillis(600)))
        .withMessage("database " + url + " cannot be used: Connection refused")
        .matches(it -> ServiceProcess.exitCode(it) == ExitCode.START_REFUSED);
    assertThat(tries).hasValueGreaterThan(1);
  }

  @Test
  void processThatLosesItsDatabaseAfterTheElectionIsStartedAgain() {
    String url = format("jdbc:postgresql://127.0.0.1:%d/x", FreePorts.free());
    var server = new PostgresServer(url, "postgres", "x");
    assertThatExceptionOfType(StartupException.class)
        .isThrownBy(() -> StorageStartup.open(() -> PostgresSchema.of(server, "numbers")))
        .matches(
            it -> ServiceProcess.exitCode(new IllegalStateException(it)) == ExitCode.TAKEN_OVER);
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
