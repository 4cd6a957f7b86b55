package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.common.RootLocale.format;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.LookupResponse;
import toystore.bazaar.v1.StockBazaarGrpc.StockBazaarBlockingStub;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeResponse;
import toystore.bazaar.v1.TradeType;
import toystore.bazaar.v1.UpdateRequest;
import toystore.clients.FreePorts;
import toystore.clients.GrpcTestClient;
import toystore.clients.RawClient;
import toystore.clients.StoreHttpClient;

/// Stocks over REST, gRPC and the line protocol show the same state.
@TestInstance(Lifecycle.PER_CLASS)
class BazaarIT {
  private static final int BOUND = 500;
  private static final int TESTS = 10;

  private final int catalogPort = FreePorts.free();
  private final int linePort = FreePorts.free();
  private Path folder;
  private StoreFixture store;
  private GrpcTestClient client;
  private StockBazaarBlockingStub bazaar;

  /// The stocks of one test. The first has a maximum volume of [#BOUND].
  private String game = "";

  private String fish = "";
  private int tests;

  @BeforeAll
  void open(@TempDir Path temporary) throws IOException {
    folder = temporary;
    var catalog = new StringBuilder("name,price,quantity,category,max_volume\nTux,25.99,80,,\n");
    for (int i = 0; i < TESTS; i++) {
      catalog.append(format("GameStart%d,10.00,1000,Stocks,%d\n", i, BOUND));
      catalog.append(format("FishCo%d,12.34,5,Stocks,1000000\n", i));
    }
    Files.writeString(folder.resolve("catalog.csv"), catalog);
    start();
  }

  @BeforeEach
  void useOwnStocks() {
    game = "GameStart" + tests;
    fish = "FishCo" + tests++;
  }

  private void start() throws IOException {
    store =
        StoreFixture.in(
            folder.resolve("data"),
            "--toystore.catalog.file=" + folder.resolve("catalog.csv"),
            "--toystore.catalog.port=" + catalogPort,
            "--toystore.catalog.line-port=" + linePort,
            "--toystore.catalog.line-pool=2");
    client = new GrpcTestClient(catalogPort);
    bazaar = client.bazaar();
  }

  @AfterAll
  void close() {
    client.close();
    store.close();
  }

  @Test
  void stockIsTheSameOverRestGrpcAndLineProtocol() throws IOException {
    assertThat(line(format("Lookup,%s\nLookup,%s\nLookup,Yeti\nLookup,Tux\n", game, fish)))
        .containsExactly("10.0", "12.34", "-1", "-1");
    assertThat(lookup(game)).isEqualTo(response(10, 0, false));
    assertThat(lookup("Yeti").getPrice()).isEqualTo(-1);
    assertThat(lookup("Tux").getPrice()).as("a toy").isEqualTo(-1);

    long number = number(trade(fish, 2, TradeType.BUY, ""));
    assertThat(
            store
                .http()
                .post("/orders", format("{\"name\":\"%s\",\"quantity\":1,\"type\":\"SELL\"}", fish))
                .body())
        .isEqualTo("{\"data\":{\"transaction_number\":%d}}", number + 1);
    assertThat(lookup(fish)).isEqualTo(response(12.34, 3, false));
    assertThat(store.http().get("/stocks/" + fish).body())
        .isEqualTo(
            """
            {"data":{"name":"%s","price":12.34,"quantity":4,"category":"Stocks",\
            "volume":3,"max_volume":1000000,"suspended":false}}\
            """,
            fish);
    assertThat(store.http().get("/orders/" + number).body())
        .contains(format("\"name\":\"%s\",\"quantity\":2", fish))
        .contains("\"type\":\"buy\"");
    assertThat(store.http().audit().status()).isEqualTo(200);
  }

  @Test
  void tradeReturnsDocumentedResultCodes() {
    assertThat(trade("Yeti", 1, TradeType.BUY, "").getResult()).isEqualTo(-1);
    assertThat(trade("Tux", 1, TradeType.BUY, "").getResult()).as("a toy").isEqualTo(-1);
    assertThat(trade(fish, 6, TradeType.BUY, "").getResult()).isEqualTo(-2);
    assertThat(trade(fish, 6, TradeType.SELL, "").getResult()).isEqualTo(1);
    assertThat(trade(game, BOUND + 1, TradeType.BUY, "").getResult()).isZero();
    assertThat(trade(game, 1, TradeType.BUY, "").getResult()).isZero();
    assertThat(lookup(game)).isEqualTo(response(10, 0, true));
  }

  @Test
  void invalidTradeIsRefusedWithReason() {
    for (long quantity : List.of(0L, -1L, Integer.MAX_VALUE + 1L, Long.MIN_VALUE)) {
      assertRefused(() -> trade(fish, quantity, TradeType.BUY, ""), Code.INVALID_ARGUMENT);
    }
    assertRefused(
        () -> trade(fish, 1, TradeType.TRADE_TYPE_UNSPECIFIED, ""), Code.INVALID_ARGUMENT);
    assertRefused(() -> trade(fish, 1, TradeType.BUY, "a\nb"), Code.INVALID_ARGUMENT);
    trade(fish, 1, TradeType.BUY, "key");
    assertRefused(() -> trade(fish, 2, TradeType.BUY, "key"), Code.FAILED_PRECONDITION);
    assertThat(lookup(fish).getVolume()).isEqualTo(1);
  }

  @Test
  void repeatedTradeIsDoneOnceAndRefusalIsKept() throws IOException {
    TradeResponse first = trade(fish, 2, TradeType.BUY, "a");
    TradeResponse refused = trade(fish, 4, TradeType.BUY, "b");
    store.postAsAdministrator(format("/products/%s/restock", fish), "{\"quantity\":100}");

    assertThat(trade(fish, 2, TradeType.BUY, "a"))
        .isEqualTo(first.toBuilder().setReplayed(true).build());
    assertThat(trade(fish, 4, TradeType.BUY, "b"))
        .isEqualTo(refused.toBuilder().setReplayed(true).build());
    assertThat(lookup(fish).getVolume()).isEqualTo(2);
  }

  @Test
  void priceUpdateAppearsOnAllInterfacesAndInvalidPriceIsRejected() throws IOException {
    assertThat(update(game, 0.01)).isEqualTo(1);
    assertThat(line(format("Lookup,%s\n", game))).containsExactly("0.01");
    assertThat(update(game, 19.99)).isEqualTo(1);
    assertThat(lookup(game).getPrice()).isEqualTo(19.99);
    assertThat(store.http().get("/stocks/" + game).body()).contains("\"price\":19.99,");
    assertThat(update("Yeti", 1)).isEqualTo(-1);
    for (double wrong :
        new double[] {0, -1, 0.001, 1.005, 1e9 + 1, 1e300, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThat(update(game, wrong)).as("price %s", wrong).isEqualTo(-2);
    }
    assertThat(lookup(game).getPrice()).isEqualTo(19.99);
  }

  /// 64 clients trade up to the maximum volume while others look up stocks and change prices.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void maxVolumeIsNotExceededByConcurrentTrades(boolean overRest) throws Exception {
    var traded = new ConcurrentLinkedQueue<Long>();
    var units = new AtomicLong();
    var done = new AtomicBoolean();
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> watcher =
          clients.submit(() -> {
            boolean suspended = false;
            for (double price = 1; !done.get(); price++) {
              LookupResponse seen = lookup(game);
              assertThat(seen.getVolume()).isLessThanOrEqualTo(BOUND);
              assertThat(seen.getSuspended() || !suspended)
                  .as("a suspended stock stays suspended")
                  .isTrue();
              suspended = seen.getSuspended();
              assertThat(update(game, price)).isEqualTo(1);
            }
            return null;
          });
      var all = new ArrayList<Callable<Void>>();
      for (int client = 0; client < 64; client++) {
        int quantity = 1 + client % 3;
        TradeType type = client % 2 == 0 ? TradeType.BUY : TradeType.SELL;
        Callable<Long> trade =
            overRest
                ? () -> overRest(quantity, type)
                : () -> number(trade(game, quantity, type, ""));
        all.add(() -> {
          for (long number = trade.call(); number >= 0; number = trade.call()) {
            traded.add(number);
            units.addAndGet(quantity);
          }
          return null;
        });
      }
      for (Future<?> it : clients.invokeAll(all)) {
        it.get();
      }
      done.set(true);
      watcher.get();
    }
    assertThat(units.get()).isBetween(BOUND - 2L, (long) BOUND);
    assertThat(lookup(game).getVolume()).isEqualTo(units.get());
    assertThat(line(format("Lookup,%s\n", game))).containsExactly("0");
    long first = Collections.min(traded);
    assertThat(new TreeSet<>(traded))
        .hasSize(traded.size())
        .containsExactlyElementsOf(LongStream.range(first, first + traded.size()).boxed().toList());

    close();
    start();
    assertThat(lookup(game).getVolume()).isEqualTo(units.get());
    assertThat(lookup(game).getSuspended()).isTrue();
    assertThat(store.http().audit().body()).startsWith("{\"ok\":true");
  }

  @Test
  void administratorResumesSuspendedStock() throws IOException {
    trade(game, BOUND, TradeType.SELL, "");
    assertThat(trade(game, 1, TradeType.BUY, "").getResult()).isZero();
    assertThat(store.http().post(format("/stocks/%s/resume", game), "{}").status()).isEqualTo(401);
    assertThat(store.postAsAdministrator("/stocks/Yeti/resume", "{}").status()).isEqualTo(404);
    assertThat(
            store
                .postAsAdministrator(format("/stocks/%s/resume", game), "{\"max_volume\":0}")
                .status())
        .isEqualTo(400);
    StoreHttpClient.Reply tooLittle =
        store.postAsAdministrator(
            format("/stocks/%s/resume", game), format("{\"max_volume\":%d}", BOUND));
    assertThat(tooLittle.status()).isEqualTo(409);
    assertThat(tooLittle.body()).contains("must be greater than its traded volume");

    assertThat(
            store
                .postAsAdministrator(
                    format("/stocks/%s/resume", game), format("{\"max_volume\":%d}", BOUND + 1))
                .body())
        .contains("\"volume\":500,\"max_volume\":501,\"suspended\":false");
    assertThat(trade(game, 1, TradeType.BUY, "").getResult()).isEqualTo(1);
    assertThat(trade(game, 1, TradeType.BUY, "").getResult()).isZero();
    assertThat(store.postAsAdministrator(format("/stocks/%s/resume", game), "{}").body())
        .contains("\"volume\":0,\"max_volume\":501,\"suspended\":false");
    assertThat(trade(game, BOUND + 1, TradeType.BUY, "").getResult()).isEqualTo(1);
    assertThat(store.http().audit().body()).startsWith("{\"ok\":true");
  }

  private long overRest(int quantity, TradeType type) throws IOException {
    String body = format("{\"name\":\"%s\",\"quantity\":%d,\"type\":\"%s\"}", game, quantity, type);
    StoreHttpClient.Reply reply = store.http().post("/orders", body);
    if (reply.status() == 409) {
      return -1;
    }
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return Long.parseLong(reply.body().replaceAll("\\D", ""));
  }

  private static long number(TradeResponse answer) {
    return answer.getResult() == 1 ? answer.getTransactionNumber() : -1;
  }

  private static void assertRefused(Runnable call, Code code) {
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(call::run)
        .matches(it -> it.getStatus().getCode() == code, "is refused as " + code);
  }

  private LookupResponse lookup(String name) {
    return bazaar.lookup(LookupRequest.newBuilder().setName(name).build());
  }

  private static LookupResponse response(double price, long volume, boolean suspended) {
    return LookupResponse.newBuilder()
        .setPrice(price)
        .setVolume(volume)
        .setSuspended(suspended)
        .build();
  }

  private TradeResponse trade(String name, long quantity, TradeType type, String key) {
    return bazaar.trade(
        TradeRequest.newBuilder()
            .setName(name)
            .setQuantity(quantity)
            .setType(type)
            .setKey(key)
            .build());
  }

  private int update(String name, double price) {
    return bazaar
        .update(UpdateRequest.newBuilder().setName(name).setPrice(price).build())
        .getResult();
  }

  private List<String> line(String requests) throws IOException {
    return RawClient.exchangeAll(linePort, requests).lines().toList();
  }
}
