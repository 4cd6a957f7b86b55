package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static toystore.testkit.Conditions.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeType;
import toystore.testkit.FreePorts;
import toystore.testkit.GrpcTestClient;
import toystore.testkit.HttpBuyers;
import toystore.testkit.HttpTestClient;
import toystore.testkit.StoreProcesses;

/// Backs up a store of three processes under load and restores it: completely, the catalog only,
/// and the order book only.
@Tag("long")
@Timeout(240)
class RestoredStoreIT {
  private static final String BUY = "{\"name\":\"Tux\",\"quantity\":1}";
  private static final TradeRequest TRADE =
      TradeRequest.newBuilder().setName("Tux").setQuantity(1).setType(TradeType.BUY).build();
  private static final Pattern NUMBER = Pattern.compile("\"order_number\":(\\d+)");

  @TempDir Path folder;

  @Test
  void backupContainsAllAcknowledgedOrdersAndItsDatabasesMatch() throws Exception {
    Path backup = folder.resolve("backup");
    try (var store = StoreProcesses.start(folder, "catalog", "order", "frontend")) {
      HttpTestClient http = store.http("frontend");
      try (var buyers = new HttpBuyers(folder, 0, http).buying(8)) {
        await(() -> buyers.bought() > 100);
        long before = number(http.post("/orders", BUY));
        assertThat(toystore("backup", backup, folder.resolve("data"))).startsWith("backed up ");
        buyers.stop();
        restoreBoth(backup, before);
      }
      long last = number(http.post("/orders", BUY));
      olderCatalogIsRefused(store, backup, last);
      olderOrderBookCatchesUp(store, backup, last);
    }
  }

  @Test
  void orderServiceTakesNoOrdersWhenCatalogIsNew() throws Exception {
    try (var store = StoreFixture.in(folder)) {
      store.buy("Tux");
      await(() -> store.http().audit().body().contains("sales up to 1\""));
    }
    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(folder.resolve("catalog/catalog.db" + suffix));
    }
    int catalog = FreePorts.free();
    try (var store = StoreFixture.starting(folder, "--toystore.catalog.port=" + catalog);
        var client = new GrpcTestClient(catalog)) {
      awaitMismatch(store.http());
      assertThatThrownBy(() -> client.bazaar().trade(TRADE))
          .hasMessageContaining("FAILED_PRECONDITION")
          .hasMessageContaining("order book and catalog do not match");
      await(() -> store.http().get("/products/Tux").status() == 200);
      assertThat(store.http().audit().body()).contains("order 0 differs from the catalog's sale");
      assertThat(store.http().isReady()).isFalse();
    }
  }

  /// A purchase answered before this one started has a smaller number.
  private void restoreBoth(Path backup, long lastBefore) throws Exception {
    Path data = folder.resolve("restored");
    assertThat(toystore("restore", backup, data)).startsWith("restored ");
    try (var store = StoreFixture.in(data)) {
      HttpTestClient http = store.http();
      assertThat(http.audit().body()).startsWith("{\"ok\":true");
      assertThat(http.get("/orders/" + lastBefore).status()).isEqualTo(200);
      assertThat(number(http.post("/orders", BUY))).isGreaterThan(lastBefore);
    }
  }

  /// The order service keeps running while its catalog is replaced by an older one.
  private void olderCatalogIsRefused(StoreProcesses store, Path backup, long last)
      throws Exception {
    HttpTestClient http = store.http("frontend");
    await(() -> http.audit().body().contains("equals the catalog's sales up to " + (last + 1)));
    store.kill("catalog");
    move("catalog", folder.resolve("data"), folder.resolve("kept"));
    copy("catalog", backup);
    try (var traders = new DirectTraders(store.port("catalog"))) {
      store.start("catalog");
      awaitMismatch(http);
      assertThat(traders.refused()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    }
    assertThat(store.http("order").management("/health").body())
        .contains(String.format(Locale.ROOT, "the order book ends with sale %d, key \\\"", last))
        .containsPattern("the catalog ends with sale \\d+, key \\\\\"");
    await(() -> http.get("/products/Tux").status() == 200); // the circuit breaker was open
    await(() -> http.get("/orders/" + last).status() == 200);
    String token = Files.readString(folder.resolve("data/admin-token")).strip();
    String list =
        http.get("/orders?after=" + (last - 1), "Authorization", "Bearer " + token).body();
    assertThat(list).contains("\"number\":" + last);
    await(() -> !http.isReady());
    assertThat(http.audit().body()).startsWith("{\"ok\":false");
  }

  /// The order service also takes no order before it has compared: a sale could get a number that
  /// was already assigned. The answer does not contain the keys of sales, which customers chose.
  private static void awaitMismatch(HttpTestClient http) {
    await(() -> {
      HttpTestClient.Reply reply = http.post("/orders", BUY);
      assertThat(reply.status()).as(reply.body()).isIn(503, 504);
      return reply.body().contains("order book and catalog do not match");
    });
  }

  private void olderOrderBookCatchesUp(StoreProcesses store, Path backup, long last)
      throws Exception {
    HttpTestClient http = store.http("frontend");
    store.kill("catalog");
    store.kill("order");
    move("catalog", folder.resolve("data"), folder.resolve("refused"));
    move("catalog", folder.resolve("kept"), folder.resolve("data"));
    move("order", folder.resolve("data"), folder.resolve("kept"));
    copy("order", backup);
    store.start("catalog");
    store.start("order");
    await(http::isReady);
    assertThat(http.failedChecks()).isEmpty();
    assertThat(http.audit().body()).contains("equals the catalog's sales up to " + (last + 1));
    assertThat(number(http.post("/orders", BUY))).isEqualTo(last + 1);
  }

  /// Trades continuously at the catalog's port, bypassing the order service: none may succeed.
  private static final class DirectTraders implements AutoCloseable {
    private final GrpcTestClient client;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<?> trading;

    DirectTraders(int port) {
      client = new GrpcTestClient(port);
      trading =
          thread.submit(() -> {
            while (!closed.get()) {
              assertThat(refused()).isIn(Status.Code.UNAVAILABLE, Status.Code.FAILED_PRECONDITION);
              client.connectNow();
            }
          });
    }

    /// The error of one more trade.
    Status.Code refused() {
      return catchThrowableOfType(StatusRuntimeException.class, () -> client.bazaar().trade(TRADE))
          .getStatus()
          .getCode();
    }

    @Override
    public void close() throws Exception {
      closed.set(true);
      trading.get();
      thread.close();
      client.close();
    }
  }

  /// Moves a database together with its log.
  private static void move(String service, Path from, Path to) throws IOException {
    Files.createDirectories(to.resolve(service));
    for (String suffix : List.of("", "-wal", "-shm")) {
      Path file = Path.of(service, service + ".db" + suffix);
      if (Files.exists(from.resolve(file))) {
        Files.move(from.resolve(file), to.resolve(file));
      }
    }
  }

  private void copy(String service, Path backup) throws IOException {
    String file = service + ".db";
    Files.copy(backup.resolve(file), folder.resolve("data").resolve(service).resolve(file));
  }

  static String toystore(String command, Path backup, Path data) throws Exception {
    return toystore(List.of(), command, backup, data);
  }

  /// Runs a command of `./toystore`.
  ///
  /// @return its output
  static String toystore(List<String> jvm, String command, Path backup, Path data)
      throws Exception {
    var java =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dtoystore.home=..",
                "-cp",
                System.getProperty("java.class.path")));
    java.addAll(jvm);
    java.addAll(
        List.of(
            "toystore.cli.ToystoreCommand", command, backup.toString(), "--data", data.toString()));
    Process process = new ProcessBuilder(java).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    System.out.print(said);
    return said;
  }

  private static long number(HttpTestClient.Reply reply) {
    var number = NUMBER.matcher(reply.body());
    assertThat(number.find()).as(reply.body()).isTrue();
    return Long.parseLong(number.group(1));
  }
}
