package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;

/// Backs up a store while buyers buy on its marketplace, restores the backup, and then deletes its
/// order database.
@Tag("long")
class RestoredMarketplaceIT {
  private static final int BUYERS = 4;
  private static final String BEHIND =
      "the last sale of a purchase is 1, but the catalog ends with 0";
  private static final String[] SETTINGS = {"--toystore.account.bcrypt-strength=4"};

  @TempDir Path folder;

  @Test
  void everyPurchaseAnsweredBeforeTheBackupIsPaidAndListedAfterARestore() throws Exception {
    Path backup = folder.resolve("backup");
    List<AtomicLong> answered = IntStream.range(0, BUYERS).mapToObj(_ -> new AtomicLong()).toList();
    List<Long> before;
    try (var store = StoreFixture.in(folder.resolve("data"), SETTINGS);
        ExecutorService buyers = Executors.newVirtualThreadPerTaskExecutor()) {
      long item =
          MarketplaceClient.seller(store.http(), "sue").register().addItem("kite", 250, 1_000_000);
      var stopped = new AtomicBoolean();
      List<Future<?>> buying = new ArrayList<>();
      for (int i = 0; i < BUYERS; i++) {
        MarketplaceClient buyer = MarketplaceClient.buyer(store.http(), "buyer" + i).register();
        AtomicLong count = answered.get(i);
        buying.add(buyers.submit(() -> buy(buyer, item, count, stopped)));
      }
      await(() -> answered.stream().allMatch(it -> it.get() > 5));
      before = answered.stream().map(AtomicLong::get).toList();
      assertThat(toystore("backup", backup, folder.resolve("data"))).startsWith("backed up ");
      stopped.set(true);
      for (Future<?> each : buying) {
        each.get();
      }
    }
    Path restored = folder.resolve("restored");
    assertThat(toystore("restore", backup, restored)).startsWith("restored ");
    List<List<JsonNode>> purchases = purchases(restored);
    for (int i = 0; i < BUYERS; i++) {
      assertThat((long) purchases.get(i).size()).isGreaterThanOrEqualTo(before.get(i));
    }
    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(restored.resolve("order/order.db" + suffix));
    }
    assertThat(purchases(restored)).as("without order.db").isEqualTo(purchases);
  }

  @Test
  void nothingIsBoughtWithACatalogThatIsOlderThanThePurchases() throws Exception {
    Path backup = folder.resolve("backup");
    Path data = folder.resolve("data");
    String card = MarketplaceClient.card(MarketplaceClient.GOOD_CARD);
    long item;
    try (var store = StoreFixture.in(data, SETTINGS)) {
      item = MarketplaceClient.seller(store.http(), "sue").register().addItem("kite", 250, 9);
      var buyer = MarketplaceClient.buyer(store.http(), "bob").register();
      buyer.addToCart(item, 1);
      buyer.purchase(MarketplaceClient.GOOD_CARD, "first");
      await(() -> isFinished(store.http().audit().body()));
      toystore("backup", backup, data);
      buyer.addToCart(item, 1);
      buyer.purchase(MarketplaceClient.GOOD_CARD, "second");
      await(() -> isFinished(store.http().audit().body()));
    }
    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(data.resolve("catalog/catalog.db" + suffix));
    }
    Files.copy(backup.resolve("catalog.db"), data.resolve("catalog/catalog.db"));
    try (var store = StoreFixture.in(data, SETTINGS)) {
      var buyer = MarketplaceClient.buyer(store.http(), "bob").login();
      buyer.addToCart(item, 1);
      await(() -> buyer.send("POST", "/api/purchases", card, "third").body().contains(BEHIND));
      assertThat(store.http().audit().body()).startsWith("{\"ok\":false").contains(BEHIND);
      assertThat(store.buy("Tux").status()).as("orders are placed").isEqualTo(200);
    }
    Files.move(data, folder.resolve("data.old"));
    assertThat(toystore("restore", backup, data)).contains("order     purchase or return 0 ");
    try (var store = StoreFixture.in(data, SETTINGS)) {
      var buyer = MarketplaceClient.buyer(store.http(), "bob").login();
      buyer.addToCart(item, 1);
      assertThat(buyer.purchase(MarketplaceClient.GOOD_CARD, "fourth").status()).isEqualTo(201);
    }
  }

  private static void buy(
      MarketplaceClient buyer, long item, AtomicLong count, AtomicBoolean stopped) {
    while (!stopped.get()) {
      buyer.addToCart(item, 1);
      var reply = buyer.purchase(MarketplaceClient.GOOD_CARD, UUID.randomUUID().toString());
      assertThat(reply.status()).as(reply.body()).isEqualTo(201);
      count.incrementAndGet();
    }
  }

  /// Starts the store, waits until it audits itself as correct, and asks for all purchases.
  private static List<List<JsonNode>> purchases(Path data) throws IOException {
    try (var store = StoreFixture.in(data, SETTINGS)) {
      StoreHttpClient http = store.http();
      await(() -> isFinished(http.audit().body()));
      return IntStream.range(0, BUYERS)
          .mapToObj(it -> MarketplaceClient.buyer(http, "buyer" + it).login().purchases())
          // a purchase that was open in the backup follows those that were recovered before it
          .map(it -> it.stream().sorted(Comparator.comparing(JsonNode::toString)).toList())
          .toList();
    }
  }

  /// Runs a command of `./toystore`.
  ///
  /// @return its output
  static String toystore(String command, Path backup, Path data, String... jvm) throws Exception {
    var java =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dtoystore.home=..",
                "-cp",
                System.getProperty("java.class.path")));
    java.addAll(List.of(jvm));
    java.addAll(
        List.of(
            "toystore.cli.ToystoreCommand", command, backup.toString(), "--data", data.toString()));
    Process process = new ProcessBuilder(java).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    System.out.print(said);
    return said;
  }

  private static boolean isFinished(String audit) {
    return audit.startsWith("{\"ok\":true") && !audit.contains("capture pending");
  }
}
