package toystore.frontend.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import io.grpc.MethodDescriptor;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.frontend.ExchangeTrades;
import toystore.frontend.RunningFrontend;
import toystore.platform.error.ErrorReason;

/// The exchange's live feed. The test breaks its connections to the exchange.
class ExchangeFeedTest {
  private static final String FEED = "/api/exchange/feed";
  private static final MethodDescriptor<?, ?> WATCH = ExchangeServiceGrpc.getWatchMethod();
  private static final ExchangeTrades TRADES = RunningFrontend.open().trades();
  private static final String ACME = TRADES.newSymbol();
  private static final String BEAR = TRADES.newSymbol();
  private static final List<String> USERS =
      Stream.generate(RunningFrontend.open()::newBuyer).limit(42).toList();
  private static final String[] BUYER = {"Authorization", "Bearer " + USERS.getFirst()};

  private final RunningFrontend shop = RunningFrontend.open();

  /// Readers of earlier tests have gone, which the frontend notices when it writes.
  @BeforeEach
  void noReaderIsLeft() {
    await(() -> {
      TRADES.trade(ACME, 1);
      TRADES.trade(BEAR, 1);
      return readers() == 0 && shop.faults.streams(WATCH) == 0;
    });
  }

  private FeedConnection open(String query, String... headers) {
    var all = new ArrayList<>(List.of(BUYER));
    all.addAll(List.of(headers));
    return new FeedConnection(shop.port, FEED + query, all.toArray(String[]::new));
  }

  @Test
  void readerReceivesTheDepthAndThenEachTradeWithTheNewDepth() throws Exception {
    String symbol = TRADES.newSymbol();
    long last = TRADES.trade(symbol, 1);
    try (var reader = open("?symbol=" + symbol)) {
      assertThat(reader.response.statusCode()).isEqualTo(200);
      assertThat(reader.response.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      assertThat(reader.response.headers().firstValue("Cache-Control")).hasValue("no-store");
      assertThat(reader.next()).isEqualTo(depth(symbol, 999_998));
      assertThat(reader.next()).isEqualTo("id:" + last); // where one resumes who has seen no trade

      TRADES.trade(BEAR, 5);
      long trade = TRADES.trade(symbol, 40);

      assertThat(reader.next("event:trade"))
          .matches(
              format(
                  "id:%d\nevent:trade\ndata:\\{\"trade_id\":%d,\"symbol\":\"%s\",\"shares\":\"40\","
                      + "\"price\":\"125\",\"executed_at\":\"20[0-9T:.-]+Z\"}",
                  trade, trade, symbol));
      assertThat(reader.next("event:depth")).isEqualTo(depth(symbol, 999_958));
    }
  }

  private static String depth(String symbol, long shares) {
    return format(
        "event:depth\ndata:{\"symbol\":\"%s\",\"bids\":[],\"asks\":[{\"price\":\"125\",\"shares\":\"%d\",\"orders\":1}]}",
        symbol, shares);
  }

  /// One replay has at most 1,000 trades.
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 1_099, 1_100})
  void readerResumesAfterItsLastTradeWithoutLossOrDouble(int seen) throws Exception {
    var trades = new ArrayList<>(TRADES.trades(ACME, 1_100));
    long last = seen == 0 ? trades.getFirst() - 1 : trades.get(seen - 1);
    try (var reader = open("?symbol=" + ACME + "&after=7", "Last-Event-ID", "" + last)) {
      trades.add(TRADES.trade(ACME, 1));
      trades.add(TRADES.trade(ACME, 1));
      assertThat(reader.nextTrades(1_102 - seen)).isEqualTo(trades.subList(seen, 1_102));
    }
  }

  @Test
  void readerWhoResumesNeedsNoCallIfTheSharedLogHasAllOfIt() throws Exception {
    try (var before = open("?symbol=" + ACME)) {
      List<Long> trades = TRADES.trades(ACME, 3);
      assertThat(before.nextTrades(3)).isEqualTo(trades);
      shop.faults.fail(WATCH, ErrorReason.NOT_DONE);
      try (var resumed = open("?symbol=" + ACME + "&after=" + trades.getFirst())) {
        assertThat(resumed.nextTrades(2)).isEqualTo(trades.subList(1, 3));
        assertThat(resumed.next("event:depth")).contains(ACME);
      }
      assertThat(shop.send("GET", FEED, "", BUYER).statusCode()).isEqualTo(503);
    }
  }

  @Test
  void readerWithoutAnEventIdMayResumeByParameter() throws Exception {
    List<Long> trades = TRADES.trades(ACME, 3);
    try (var reader = open("?symbol=" + ACME + "&after=" + trades.getFirst())) {
      assertThat(reader.nextTrades(2)).isEqualTo(trades.subList(1, 3));
    }
  }

  /// The second trade is made before the frontend calls again.
  @Test
  void noTradeIsLostOrDoubledWhileTheExchangeIsAway() throws Exception {
    var trades = new ArrayList<Long>();
    try (var before = open("?symbol=" + ACME);
        var all = open("")) {
      for (int i = 0; i < 3; i++) {
        trades.add(TRADES.trade(ACME, 1));
        shop.faults.breakStreams(WATCH);
        trades.add(TRADES.trade(ACME, 1));
        await(() -> shop.faults.streams(WATCH) == 1);
      }
      trades.add(TRADES.trade(ACME, 1));

      assertThat(before.nextTrades(7)).isEqualTo(trades);
      assertThat(all.nextTrades(7)).isEqualTo(trades);
    }
  }

  @Test
  void tradeBeforeTheFirstOneWasSeenIsNotLost() throws Exception {
    try (var reader = open("?symbol=" + ACME)) {
      shop.faults.breakStreams(WATCH);
      long trade = TRADES.trade(ACME, 1);
      assertThat(reader.nextTrades(1)).containsExactly(trade);
    }
  }

  @Test
  void allReadersShareOneCallAndTheLastReaderEndsIt() throws Exception {
    var readers = new ArrayList<FeedConnection>();
    for (int i = 0; i < 5; i++) {
      readers.add(open(i % 2 == 0 ? "" : "?symbol=" + BEAR));
    }
    await(() -> shop.faults.streams(WATCH) == 1);
    assertThat(readers()).isEqualTo(5);

    for (FeedConnection reader : readers) {
      reader.close();
    }
    noReaderIsLeft();
  }

  @Test
  void readerWhoReadsNothingIsDroppedAndOthersReceiveAllTrades() throws Exception {
    try (var slow = new Socket();
        var fast = open("?symbol=" + ACME)) {
      slow.setReceiveBufferSize(1_024);
      slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), shop.port));
      slow.getOutputStream()
          .write(
              (format(
                      "GET %s HTTP/1.1\r\nHost: localhost\r\n%s: %s\r\n\r\n",
                      FEED, BUYER[0], BUYER[1]))
                  .getBytes(StandardCharsets.US_ASCII));
      await(() -> readers() == 2);
      while (readers() == 2) {
        List<Long> trades = TRADES.trades(ACME, 1_000);
        assertThat(fast.nextTrades(1_000)).isEqualTo(trades);
      }
      assertThat(readers()).isEqualTo(1);
    }
  }

  @Test
  void numberOfReadersIsLimited() throws Exception {
    var readers = new ArrayList<FeedConnection>();
    try {
      for (int i = 0; i < 200; i++) {
        readers.add(open(USERS.get(1 + i / 5), "?symbol=" + BEAR));
      }
      var refused = shop.send("GET", FEED, "", BUYER);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(refused.body()).contains("OVERLOADED", "200 readers");
      assertThat(shop.get("/products/Tux").status()).isEqualTo(200);
      long trade = TRADES.trade(BEAR, 1);
      for (FeedConnection reader : readers) {
        assertThat(reader.nextTrades(1)).containsExactly(trade);
      }
      readers.getFirst().close();
      await(() -> readers() < 200);
    } finally {
      for (FeedConnection reader : readers) {
        reader.close();
      }
    }
  }

  private FeedConnection open(String user, String query) {
    return new FeedConnection(shop.port, FEED + query, "Authorization", "Bearer " + user);
  }

  @Test
  void sixthFeedOfAUserEndsTheOldest() throws Exception {
    var readers = new ArrayList<FeedConnection>();
    try {
      for (int i = 0; i < 5; i++) {
        readers.add(open("?symbol=" + BEAR));
      }
      try (var other = open(USERS.get(1), "?symbol=" + BEAR);
          var sixth = open("?symbol=" + BEAR)) {
        assertThat(readers.getFirst().next(FeedConnection.END)).isEqualTo(FeedConnection.END);
        assertThat(readers()).isEqualTo(6);
        long trade = TRADES.trade(BEAR, 1);
        readers.set(0, sixth);
        for (FeedConnection reader : readers) {
          assertThat(reader.nextTrades(1)).containsExactly(trade);
        }
        assertThat(other.nextTrades(1)).as("another user").containsExactly(trade);
      }
    } finally {
      for (FeedConnection reader : readers) {
        reader.close();
      }
    }
  }

  @Test
  void feedEndsWithItsSession() throws Exception {
    String user = shop.newBuyer();
    try (var ended = open(user, "?symbol=" + BEAR);
        var other = open(USERS.get(1), "?symbol=" + BEAR)) {
      await(() -> readers() == 2);
      shop.as(user, "POST", "/api/buyers/logout", "");
      assertThat(ended.next(FeedConnection.END)).isEqualTo(FeedConnection.END);
      await(() -> readers() == 1);
      long trade = TRADES.trade(BEAR, 1);
      assertThat(other.nextTrades(1)).containsExactly(trade);
      assertThat(shop.as(user, "GET", FEED, "").status()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'',,401,NO_TOKEN",
    "'',dead,401,SESSION_UNKNOWN",
    "'',token with spaces,401,SESSION_UNKNOWN",
    "?symbol=NONE,BUYER,404,SYMBOL_NOT_FOUND",
    "?symbol=A-B,BUYER,404,SYMBOL_NOT_FOUND",
    "?after=x,BUYER,400,INVALID"
  })
  void refusalIsAProblemBeforeTheFirstEvent(String query, String token, int status, String reason) {
    String[] headers =
        token == null
            ? new String[] {"Accept", "text/event-stream"}
            : new String[] {"Authorization", "Bearer " + token.replace("BUYER", USERS.getFirst())};
    var refused = shop.send("GET", FEED + query, "", headers);

    assertThat(refused.statusCode()).isEqualTo(status);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(refused.body()).contains("\"reason\":\"" + reason + "\"");
    assertThat(readers()).isZero();
  }

  @Test
  void feedIsRefusedWhileTheExchangeIsAwayAndForOtherMethods() throws Exception {
    try (var _ = open("?symbol=" + BEAR)) {
      shop.faults.fail(WATCH, ErrorReason.NOT_DONE);
      var refused = shop.send("GET", FEED, "", BUYER);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(readers()).isEqualTo(1);
    }
    shop.faults.fail(WATCH, ErrorReason.NOT_DONE);
    assertThat(shop.send("HEAD", FEED, "", BUYER).statusCode()).isEqualTo(503);
    assertThat(shop.send("HEAD", FEED, "", BUYER).headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    assertThat(shop.send("POST", FEED, "", BUYER).statusCode()).isEqualTo(405);
  }

  @Test
  void feedOfAStoppingFrontendEndsAtOnce() throws Exception {
    var frontend = shop.another();
    try (var reader =
        new FeedConnection(RunningFrontend.port(frontend, "local.server.port"), FEED, BUYER)) {
      assertThat(reader.next("id:")).startsWith("id:");
      long start = System.nanoTime();
      frontend.close();
      assertThat(reader.next(FeedConnection.END)).isEqualTo(FeedConnection.END);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
    }
  }

  private int readers() {
    return (int)
        shop.frontend.getBean(MeterRegistry.class).get("toystore.feed.readers").gauge().value();
  }
}
