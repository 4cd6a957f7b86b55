package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.StoreHttpClient;

/// The whole store in one JVM, over real HTTP and real files.
class StoreTest {
  private static final Pattern ORDER_NUMBER =
      Pattern.compile("\\{\"data\":\\{\"order_number\":(\\d+)}}");

  private static StoreFixture store;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws IOException {
    store = SharedStore.open().store();
  }

  @Test
  void concurrentBuyersGetExactlyTheUnitsInStock() throws Exception {
    String robots = "{\"name\":\"Robot\",\"price\":25.99,\"quantity\":200}";
    StoreHttpClient.Reply added = store.postAsAdministrator("/products", robots);
    assertThat(added.status()).as(added.body()).isEqualTo(201);
    int before = orderNumber(store.buy("Tux"));
    var numbers = new ConcurrentLinkedQueue<Integer>();
    var soldOut = new AtomicInteger();
    var attempts = new AtomicInteger(1_000);
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Void> client =
          () -> {
            while (attempts.getAndDecrement() > 0) {
              StoreHttpClient.Reply reply = store.buy("Robot");
              if (reply.status() == 200) {
                numbers.add(orderNumber(reply));
              } else {
                assertThat(reply.status()).as(reply.body()).isEqualTo(409);
                soldOut.incrementAndGet();
              }
            }
            return null;
          };
      for (Future<?> it : clients.invokeAll(Collections.nCopies(64, client))) {
        it.get();
      }
    }
    assertThat(new TreeSet<>(numbers))
        .containsExactlyElementsOf(IntStream.range(before + 1, before + 201).boxed().toList());
    assertThat(numbers).hasSize(200);
    assertThat(soldOut).hasValue(800);
    assertThat(store.http().get("/products/Robot").body()).contains("\"quantity\":0");
    assertThat(store.http().audit().body())
        .startsWith("{\"ok\":true")
        .contains("up to " + (before + 201));
  }

  @Test
  void productAddedBetweenTwoAuditsIsNoDamage() throws IOException {
    for (String name : List.of("Čmelák", "Čmeláci")) {
      String product = "{\"name\":\"" + name + "\",\"price\":1,\"quantity\":1}";
      assertThat(store.postAsAdministrator("/products", product).status()).isEqualTo(201);
      assertThat(store.http().audit().body()).startsWith("{\"ok\":true");
    }
  }

  @Test
  @Tag("long")
  void ordersAndRefusalsSurviveRestart() throws Exception {
    String one = "{\"name\":\"Tux\",\"quantity\":1}";
    String tooMany = "{\"name\":\"Tux\",\"quantity\":81}";
    StoreHttpClient.Reply refusal;
    try (var store = StoreFixture.in(folder)) {
      StoreHttpClient.Reply sale = store.http().post("/orders", one, "Idempotency-Key", "a");
      assertThat(sale.body()).isEqualTo("{\"data\":{\"order_number\":0}}");
      refusal = store.http().post("/orders", tooMany, "Idempotency-Key", "b");
      assertThat(refusal.status()).isEqualTo(409);
    }
    try (var store = StoreFixture.in(folder)) {
      StoreHttpClient http = store.http();
      assertThat(http.get("/products/Tux").body()).contains("\"quantity\":79");
      assertThat(http.get("/orders/0").body()).contains("\"name\":\"Tux\",\"quantity\":1");
      StoreHttpClient.Reply sale =
          http.post("/orders", "{\"quantity\":1,\"name\":\"Tux\"}", "Idempotency-Key", "a");
      assertThat(sale.body()).isEqualTo("{\"data\":{\"order_number\":0}}");
      assertThat(sale.header("Idempotency-Replayed")).containsExactly("true");
      StoreHttpClient.Reply restocked =
          store.postAsAdministrator("/products/Tux/restock", "{\"quantity\":100}");
      assertThat(restocked.status()).as(restocked.body()).isEqualTo(200);
      StoreHttpClient.Reply again = http.post("/orders", tooMany, "Idempotency-Key", "b");
      assertThat(again.status()).isEqualTo(409);
      assertThat(again.body()).isEqualTo(refusal.body());
      assertThat(again.header("Idempotency-Replayed")).containsExactly("true");
      StoreHttpClient.Reply another =
          http.post("/orders", "{\"name\":\"Tux\",\"quantity\":2}", "Idempotency-Key", "a");
      assertThat(another.status()).isEqualTo(422);
      assertThat(store.buy("Tux").body()).isEqualTo("{\"data\":{\"order_number\":1}}");
    }
  }

  @Test
  void invalidCatalogLineAbortsStartBeforeDatabaseIsCreated() throws IOException {
    Path catalog =
        Files.writeString(folder.resolve("toys.csv"), "name,price,quantity\nTux,dear,1\n");
    assertThatThrownBy(() -> StoreFixture.in(folder, "--toystore.catalog.file=" + catalog))
        .hasStackTraceContaining(
            catalog + ", line 2: price must be a number with at most two decimals, got \"dear\"");
    assertThat(folder.resolve("catalog/catalog.db")).doesNotExist();
  }

  @Test
  void storeIsNotReadyWhileADatabaseIsMovedAway() throws Exception {
    for (String database : List.of("catalog/catalog.db", "order/order.db")) {
      Path moved = Files.move(store.folder().resolve(database), folder.resolve("elsewhere"));
      await(() -> !store.http().isReady());
      if (database.startsWith("catalog")) {
        assertThat(store.buy("Tux").status()).isEqualTo(503);
      }
      Files.move(moved, store.folder().resolve(database));
      await(store.http()::isReady);
    }
    await(() -> store.buy("Tux").status() == 200);
    assertThat(store.http().audit().body()).startsWith("{\"ok\":true");
  }

  @Test
  @Tag("long")
  void twoStoresRunOnOneMachine() throws Exception {
    try (var two = StoreFixture.in(folder)) {
      String whale = store.http().get("/products/Whale").body();
      store.buy("Tux");
      assertThat(two.buy("Whale").body()).isEqualTo("{\"data\":{\"order_number\":0}}");
      assertThat(store.http().get("/products/Whale").body()).isEqualTo(whale);
    }
  }

  private static int orderNumber(StoreHttpClient.Reply reply) {
    Matcher number = ORDER_NUMBER.matcher(reply.body());
    assertThat(number.matches()).as(reply.body()).isTrue();
    return Integer.parseInt(number.group(1));
  }
}
