package toystore.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.torture.Http;

/// The whole store in one JVM, over real HTTP and real files.
@Timeout(120)
class StoreTest {
  private static final Pattern ORDER_NUMBER =
      Pattern.compile("\\{\"data\":\\{\"order_number\":(\\d+)}}");

  @TempDir Path folder;

  @Test
  void aThousandUnitsAreSoldAThousandTimesHoweverManyWantThem() throws Exception {
    Path catalog =
        Files.writeString(folder.resolve("catalog.csv"), "name,price,quantity\nTux,25.99,1000\n");
    try (Store store = start("data", "--toystore.catalog.file=" + catalog)) {
      Http http = http(store);
      var numbers = new ConcurrentLinkedQueue<Integer>();
      var soldOut = new AtomicInteger();
      var attempts = new AtomicInteger(5_000);
      try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> all = new ArrayList<>();
        for (int client = 0; client < 64; client++) {
          all.add(
              clients.submit(() -> {
                while (attempts.getAndDecrement() > 0) {
                  Http.Reply reply = buy(http, "Tux");
                  if (reply.status() == 200) {
                    numbers.add(orderNumber(reply));
                  } else {
                    assertThat(reply.status()).as(reply.body()).isEqualTo(409);
                    soldOut.incrementAndGet();
                  }
                }
                return null;
              }));
        }
        for (Future<?> client : all) {
          client.get();
        }
      }
      assertThat(new TreeSet<>(numbers))
          .containsExactlyElementsOf(IntStream.range(0, 1_000).boxed().toList());
      assertThat(numbers).hasSize(1_000);
      assertThat(soldOut).hasValue(4_000);
      assertThat(http.get("/products/Tux").body()).contains("\"quantity\":0");
      assertThat(http.audit().body()).startsWith("{\"ok\":true").contains("up to 1000");
    }
  }

  @Test
  void whatWasBoughtIsThereAfterARestart() throws Exception {
    try (Store store = start("data")) {
      assertThat(buy(http(store), "Tux").body()).isEqualTo("{\"data\":{\"order_number\":0}}");
    }
    try (Store store = start("data")) {
      Http http = http(store);
      assertThat(http.get("/products/Tux").body()).contains("\"quantity\":79");
      assertThat(http.get("/orders/0").body()).contains("\"name\":\"Tux\",\"quantity\":1");
      assertThat(buy(http, "Tux").body()).isEqualTo("{\"data\":{\"order_number\":1}}");
    }
  }

  @Test
  void aKeyIsRememberedAcrossARestartAndSoIsARefusal() throws Exception {
    String tooMany = "{\"name\":\"Tux\",\"quantity\":81}";
    Http.Reply refusal;
    try (Store store = start("data")) {
      http(store).post("/orders", "{\"name\":\"Tux\",\"quantity\":1}", "Idempotency-Key", "a");
      refusal = http(store).post("/orders", tooMany, "Idempotency-Key", "b");
      assertThat(refusal.status()).isEqualTo(409);
    }
    try (Store store = start("data")) {
      Http.Reply sale =
          http(store).post("/orders", "{\"quantity\":1,\"name\":\"Tux\"}", "Idempotency-Key", "a");
      assertThat(sale.body()).isEqualTo("{\"data\":{\"order_number\":0}}");
      assertThat(sale.header("Idempotency-Replayed")).containsExactly("true");
      restock(http(store), "Tux", 100);
      Http.Reply again = http(store).post("/orders", tooMany, "Idempotency-Key", "b");
      assertThat(again.status()).isEqualTo(409);
      assertThat(again.body()).isEqualTo(refusal.body());
      assertThat(again.header("Idempotency-Replayed")).containsExactly("true");
      assertThat(
              http(store)
                  .post("/orders", "{\"name\":\"Tux\",\"quantity\":2}", "Idempotency-Key", "a")
                  .status())
          .isEqualTo(422);
    }
  }

  @Test
  void aBadCatalogLineStopsTheStartBeforeThereIsADatabase() throws IOException {
    Path catalog =
        Files.writeString(folder.resolve("toys.csv"), "name,price,quantity\nTux,dear,1\n");
    assertThatThrownBy(() -> start("data", "--toystore.catalog.file=" + catalog))
        .hasStackTraceContaining(
            catalog + ", line 2: price must be a number with at most two decimals, got \"dear\"");
    assertThat(folder.resolve("data/catalog/catalog.db")).doesNotExist();
  }

  @Test
  void twoStoresRunSideBySide() throws Exception {
    try (Store one = start("one");
        Store two = start("two")) {
      buy(http(one), "Tux");
      assertThat(buy(http(two), "Whale").body()).isEqualTo("{\"data\":{\"order_number\":0}}");
      assertThat(http(one).get("/products/Whale").body()).contains("\"quantity\":94");
    }
  }

  @Test
  void anOrderBookThatIsAheadOfARestoredCatalogTakesNoOrders() throws Exception {
    try (Store store = start("data")) {
      buy(http(store), "Tux");
      await(() -> http(store).audit().body().contains("sales up to 1\""));
    }
    Path backup = folder.resolve("catalog.csv");
    Files.writeString(backup, "name,price,quantity\nTux,25.99,80\n");
    for (String file : List.of("catalog.db", "catalog.db-wal", "catalog.db-shm")) {
      Files.deleteIfExists(folder.resolve("data/catalog").resolve(file));
    }
    try (Store store = start("data")) {
      Http http = http(store, false);
      await(() -> http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}").status() == 503);
      Http.Reply refused = http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}");
      assertThat(refused.body())
          .contains("the order book ends with sale 0, key")
          .contains("the catalog has no sales");
      assertThat(http.isReady()).isFalse();
    }
  }

  private Store start(String data, String... more) {
    List<String> args = new ArrayList<>(List.of(more));
    args.addAll(
        List.of(
            "--toystore.data=" + folder.resolve(data),
            "--toystore.frontend.deadline=20s", // what is tested here is not how fast a busy
            // machine is
            "--toystore.frontend.port=0",
            "--toystore.frontend.management-port=0",
            "--toystore.catalog.port=0",
            "--toystore.order.port=0"));
    return Store.start(args.toArray(String[]::new));
  }

  private static Http http(Store store) throws IOException {
    return http(store, true);
  }

  private static Http http(Store store, boolean ready) throws IOException {
    var http = new Http(store.port("local.server.port"), store.port("local.management.port"));
    if (ready) {
      await(http::isReady);
    }
    return http;
  }

  private void restock(Http http, String name, int quantity) throws IOException {
    String token = Files.readString(folder.resolve("data/admin-token")).strip();
    Http.Reply reply =
        http.post(
            "/products/" + name + "/restock",
            "{\"quantity\":" + quantity + "}",
            "Authorization",
            "Bearer " + token);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
  }

  private static Http.Reply buy(Http http, String name) throws IOException {
    return http.post("/orders", "{\"name\":\"%s\",\"quantity\":1}".formatted(name));
  }

  private static int orderNumber(Http.Reply reply) {
    Matcher number = ORDER_NUMBER.matcher(reply.body());
    assertThat(number.matches()).as(reply.body()).isTrue();
    return Integer.parseInt(number.group(1));
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws IOException {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("waited 20 s in vain").isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
