package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.testkit.Conditions.await;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
import toystore.testkit.FreePorts;
import toystore.testkit.GrpcTestClient;
import toystore.testkit.HttpTestClient;
import toystore.testkit.LineTestClient;

/// Stocks over REST, gRPC and the line protocol show the same state.
@Timeout(120)
class BazaarIT {
  private static final int BOUND = 500;

  @TempDir Path folder;
  private int catalogPort;
  private int linePort;
  private StoreFixture store;
  private GrpcTestClient client;
  private StockBazaarBlockingStub bazaar;

  @BeforeEach
  void open() throws IOException {
    Files.writeString(
        folder.resolve("catalog.csv"),
        """
        name,price,quantity,category,max_volume
        GameStart,10.00,1000,Stocks,%d
        FishCo,12.34,5,Stocks,1000000
        Tux,25.99,80,,
        """
            .formatted(BOUND));
    catalogPort = FreePorts.free();
    linePort = FreePorts.free();
    store = start(StoreFixture::in);
    connect();
  }

  private interface Start {
    StoreFixture in(Path folder, String... settings) throws IOException;
  }

  private StoreFixture start(Start start) throws IOException {
    return start.in(
        folder.resolve("data"),
        "--toystore.catalog.file=" + folder.resolve("catalog.csv"),
        "--toystore.catalog.port=" + catalogPort,
        "--toystore.catalog.line-port=" + linePort,
        "--toystore.catalog.workers=2", // a thread pool, as between processes
        "--toystore.catalog.line-pool=2");
  }

  private void connect() {
    client = new GrpcTestClient(catalogPort);
    bazaar = client.bazaar();
  }

  @AfterEach
  void close() {
    client.close();
    store.close();
  }

  @Test
  void stockIsTheSameOverRestGrpcAndLineProtocol() throws IOException {
    assertThat(line("Lookup,GameStart\nLookup,FishCo\nLookup,Yeti\nLookup,Tux\n"))
        .containsExactly("10.0", "12.34", "-1", "-1");
    assertThat(lookup("GameStart")).isEqualTo(response(10, 0, false));
    assertThat(lookup("Yeti").getPrice()).isEqualTo(-1);
    assertThat(lookup("Tux").getPrice()).as("a toy").isEqualTo(-1);

    assertThat(trade("FishCo", 2, TradeType.BUY, ""))
        .isEqualTo(TradeResponse.newBuilder().setResult(1).setTransactionNumber(0).build());
    assertThat(
            store
                .http()
                .post("/orders", "{\"name\":\"FishCo\",\"quantity\":1,\"type\":\"SELL\"}")
                .body())
        .isEqualTo("{\"data\":{\"transaction_number\":1}}");
    assertThat(lookup("FishCo")).isEqualTo(response(12.34, 3, false));
    assertThat(store.http().get("/stocks/FishCo").body())
        .isEqualTo(
            """
            {"data":{"name":"FishCo","price":12.34,"quantity":4,"category":"Stocks",\
            "volume":3,"max_volume":1000000,"suspended":false}}\
            """);
    assertThat(store.http().get("/orders/0").body())
        .contains("\"name\":\"FishCo\",\"quantity\":2")
        .contains("\"type\":\"buy\"");
    await(() -> store.http().audit().body().contains("sales up to 2\""));
    assertThat(store.http().audit().status()).isEqualTo(200);
  }

  @Test
  void tradeReturnsDocumentedResultCodes() {
    assertThat(trade("Yeti", 1, TradeType.BUY, "").getResult()).isEqualTo(-1);
    assertThat(trade("Tux", 1, TradeType.BUY, "").getResult()).as("a toy").isEqualTo(-1);
    assertThat(trade("FishCo", 6, TradeType.BUY, "").getResult()).isEqualTo(-2);
    assertThat(trade("FishCo", 6, TradeType.SELL, "").getResult()).isEqualTo(1);
    assertThat(trade("GameStart", BOUND + 1, TradeType.BUY, "").getResult()).isZero();
    assertThat(trade("GameStart", 1, TradeType.BUY, "").getResult()).isZero();
    assertThat(lookup("GameStart")).isEqualTo(response(10, 0, true));
  }

  @Test
  void invalidTradeIsRefusedWithReason() {
    for (long quantity : List.of(0L, -1L, Integer.MAX_VALUE + 1L, Long.MIN_VALUE)) {
      assertRefused(() -> trade("FishCo", quantity, TradeType.BUY, ""), Code.INVALID_ARGUMENT);
    }
    assertRefused(
        () -> trade("FishCo", 1, TradeType.TRADE_TYPE_UNSPECIFIED, ""), Code.INVALID_ARGUMENT);
    assertRefused(() -> trade("FishCo", 1, TradeType.BUY, "a\nb"), Code.INVALID_ARGUMENT);
    trade("FishCo", 1, TradeType.BUY, "key");
    assertRefused(() -> trade("FishCo", 2, TradeType.BUY, "key"), Code.FAILED_PRECONDITION);
    assertThat(lookup("FishCo").getVolume()).isEqualTo(1);
  }

  @Test
  void repeatedTradeIsDoneOnceAndRefusalIsKept() throws IOException {
    TradeResponse first = trade("FishCo", 2, TradeType.BUY, "a");
    TradeResponse refused = trade("FishCo", 4, TradeType.BUY, "b");
    store.postAsAdministrator("/products/FishCo/restock", "{\"quantity\":100}");

    assertThat(trade("FishCo", 2, TradeType.BUY, "a"))
        .isEqualTo(first.toBuilder().setReplayed(true).build());
    assertThat(trade("FishCo", 4, TradeType.BUY, "b"))
        .isEqualTo(refused.toBuilder().setReplayed(true).build());
    assertThat(lookup("FishCo").getVolume()).isEqualTo(2);
  }

  @Test
  void priceUpdateAppearsOnAllInterfacesAndInvalidPriceIsRejected() throws IOException {
    assertThat(update("GameStart", 0.01)).isEqualTo(1);
    assertThat(line("Lookup,GameStart\n")).containsExactly("0.01");
    assertThat(update("GameStart", 19.99)).isEqualTo(1);
    assertThat(lookup("GameStart").getPrice()).isEqualTo(19.99);
    assertThat(store.http().get("/stocks/GameStart").body()).contains("\"price\":19.99,");
    assertThat(update("Yeti", 1)).isEqualTo(-1);
    for (double wrong :
        new double[] {0, -1, 0.001, 1.005, 1e9 + 1, 1e300, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThat(update("GameStart", wrong)).as("price %s", wrong).isEqualTo(-2);
    }
    assertThat(lookup("GameStart").getPrice()).isEqualTo(19.99);
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
              LookupResponse seen = lookup("GameStart");
              assertThat(seen.getVolume()).isLessThanOrEqualTo(BOUND);
              assertThat(seen.getSuspended() || !suspended)
                  .as("a suspended stock stays suspended")
                  .isTrue();
              suspended = seen.getSuspended();
              assertThat(update("GameStart", price)).isEqualTo(1);
            }
            return null;
          });
      List<Future<?>> all = new ArrayList<>();
      for (int client = 0; client < 64; client++) {
        int quantity = 1 + client % 3;
        TradeType type = client % 2 == 0 ? TradeType.BUY : TradeType.SELL;
        Callable<Long> trade =
            overRest
                ? () -> overRest(quantity, type)
                : () -> number(trade("GameStart", quantity, type, ""));
        all.add(
            clients.submit(() -> {
              for (long number = trade.call(); number >= 0; number = trade.call()) {
                traded.add(number);
                units.addAndGet(quantity);
              }
              return null;
            }));
      }
      for (Future<?> it : all) {
        it.get();
      }
      done.set(true);
      watcher.get();
    }
    assertThat(units.get()).isBetween(BOUND - 2L, (long) BOUND);
    assertThat(lookup("GameStart").getVolume()).isEqualTo(units.get());
    assertThat(line("Lookup,GameStart\n")).containsExactly("0");
    assertThat(new TreeSet<>(traded))
        .hasSize(traded.size())
        .containsExactlyElementsOf(LongStream.range(0, traded.size()).boxed().toList());

    restart();
    assertThat(lookup("GameStart").getVolume()).isEqualTo(units.get());
    assertThat(lookup("GameStart").getSuspended()).isTrue();
    assertThat(store.http().audit().body()).startsWith("{\"ok\":true");
  }

  @Test
  void administratorResumesSuspendedStock() throws IOException {
    trade("GameStart", BOUND, TradeType.SELL, "");
    assertThat(trade("GameStart", 1, TradeType.BUY, "").getResult()).isZero();
    assertThat(store.http().post("/stocks/GameStart/resume", "{}").status()).isEqualTo(401);
    assertThat(store.postAsAdministrator("/stocks/Yeti/resume", "{}").status()).isEqualTo(404);
    assertThat(store.postAsAdministrator("/stocks/GameStart/resume", "{\"max_volume\":0}").status())
        .isEqualTo(400);
    HttpTestClient.Reply tooLittle =
        store.postAsAdministrator(
            "/stocks/GameStart/resume", "{\"max_volume\":%d}".formatted(BOUND));
    assertThat(tooLittle.status()).isEqualTo(409);
    assertThat(tooLittle.body()).contains("must be greater than its traded volume");

    assertThat(
            store
                .postAsAdministrator(
                    "/stocks/GameStart/resume", "{\"max_volume\":%d}".formatted(BOUND + 1))
                .body())
        .contains("\"volume\":500,\"max_volume\":501,\"suspended\":false");
    assertThat(trade("GameStart", 1, TradeType.BUY, "").getResult()).isEqualTo(1);
    assertThat(trade("GameStart", 1, TradeType.BUY, "").getResult()).isZero();
    assertThat(store.postAsAdministrator("/stocks/GameStart/resume", "{}").body())
        .contains("\"volume\":0,\"max_volume\":501,\"suspended\":false");
    assertThat(trade("GameStart", BOUND + 1, TradeType.BUY, "").getResult()).isEqualTo(1);
    assertThat(store.http().audit().body()).startsWith("{\"ok\":true");
  }

  @Test
  void catalogBehindOrderBookRefusesTrades() throws IOException {
    trade("FishCo", 1, TradeType.BUY, "");
    await(() -> store.http().audit().body().contains("sales up to 1\""));
    close();
    for (String file : List.of("catalog.db", "catalog.db-wal", "catalog.db-shm")) {
      Files.deleteIfExists(folder.resolve("data/catalog").resolve(file));
    }
    store = start(StoreFixture::starting);
    connect();
    await(() -> codeOf(() -> trade("FishCo", 1, TradeType.BUY, "")) == Code.FAILED_PRECONDITION);
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(() -> trade("FishCo", 1, TradeType.BUY, ""))
        .withMessageContaining("order book and catalog do not match");
    assertThat(lookup("FishCo").getPrice()).isEqualTo(12.34);
  }

  private static Code codeOf(Runnable call) {
    try {
      call.run();
      return Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private void restart() throws IOException {
    close();
    store = start(StoreFixture::in);
    connect();
  }

  private long overRest(int quantity, TradeType type) throws IOException {
    String body =
        "{\"name\":\"GameStart\",\"quantity\":%d,\"type\":\"%s\"}".formatted(quantity, type);
    HttpTestClient.Reply reply = store.http().post("/orders", body);
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
    return LineTestClient.exchange(linePort, requests);
  }
}
