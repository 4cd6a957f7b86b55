package toystore.frontend.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.frontend.FakeMarketplaceServices;
import toystore.frontend.RunningFrontend;
import toystore.platform.error.ErrorReason;

/// The exchange's live feed, with a fake exchange whose connections the test breaks.
class ExchangeFeedTest {
  private static final String FEED = "/api/exchange/feed";
  private static final String[] BUYER = {
    "Authorization", "Bearer " + FakeMarketplaceServices.BUYER_TOKEN
  };

  private final RunningFrontend shop = RunningFrontend.open();

  /// Readers of earlier tests have gone, which the frontend notices when it writes.
  @BeforeEach
  void noReaderIsLeft() {
    awaitNoReader();
    shop.exchange.reset();
  }

  private void awaitNoReader() {
    await(() -> {
      shop.exchange.trade("ACME", 1);
      shop.exchange.trade("BEAR", 1);
      return readers() == 0 && shop.exchange.watches() == 0;
    });
  }

  private FeedConnection open(String query, String... headers) {
    var all = new ArrayList<>(List.of(BUYER));
    all.addAll(List.of(headers));
    return new FeedConnection(shop.port, FEED + query, all.toArray(String[]::new));
  }

  @Test
  void readerReceivesTheDepthAndThenEachTradeWithTheNewDepth() throws Exception {
    shop.exchange.trade("ACME", 1);
    try (var reader = open("?symbol=ACME")) {
      assertThat(reader.response.statusCode()).isEqualTo(200);
      assertThat(reader.response.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      assertThat(reader.response.headers().firstValue("Cache-Control")).hasValue("no-store");
      assertThat(reader.next()).isEqualTo(depth(200));
      assertThat(reader.next()).isEqualTo("id:1"); // where a reader resumes who has seen no trade

      shop.exchange.trade("BEAR", 5);
      shop.exchange.trade("ACME", 40);

      assertThat(reader.next("event:trade"))
          .isEqualTo(
              "id:3\nevent:trade\ndata:{\"trade_id\":3,\"symbol\":\"ACME\",\"shares\":\"40\","
                  + "\"price\":\"125\",\"executed_at\":\"2027-01-15T08:00:00Z\"}");
      assertThat(reader.next("event:depth")).isEqualTo(depth(400));
    }
  }

  private static String depth(long shares) {
    return format(
        "event:depth\ndata:{\"symbol\":\"ACME\",\"bids\":[{\"price\":\"125\",\"shares\":\"%d\",\"orders\":1}],\"asks\":[{\"price\":\"128.0001\",\"shares\":\"0.0001\",\"orders\":2000000}]}",
        shares);
  }

  /// One replay has at most 1,000 trades.
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 1_099, 1_100})
  void readerResumesAfterItsLastTradeWithoutLossOrDouble(int last) throws Exception {
    shop.exchange.trades("ACME", 1_100);
    try (var reader = open("?symbol=ACME&after=7", "Last-Event-ID", "" + last)) {
      shop.exchange.trade("ACME", 1);
      shop.exchange.trade("ACME", 1);
      assertThat(reader.nextTrades(1_102 - last))
          .containsExactlyElementsOf(LongStream.rangeClosed(last + 1, 1_102).boxed().toList());
    }
  }

  @Test
  void readerWithoutAnEventIdMayResumeByParameter() throws Exception {
    for (int i = 0; i < 3; i++) {
      shop.exchange.trade("ACME", 1);
    }
    try (var reader = open("?symbol=ACME&after=1")) {
      assertThat(reader.nextTrades(2)).containsExactly(2L, 3L);
    }
  }

  /// The second trade is made before the frontend calls again.
  @Test
  void noTradeIsLostOrDoubledWhileTheExchangeIsAway() throws Exception {
    try (var before = open("?symbol=ACME");
        var all = open("")) {
      for (int i = 0; i < 3; i++) {
        shop.exchange.trade("ACME", 1);
        shop.exchange.breakWatches();
        shop.exchange.trade("ACME", 1);
        await(() -> shop.exchange.watches() == 1);
      }
      shop.exchange.trade("ACME", 1);

      var expected = LongStream.rangeClosed(1, 7).boxed().toList();
      assertThat(before.nextTrades(7)).containsExactlyElementsOf(expected);
      assertThat(all.nextTrades(7)).containsExactlyElementsOf(expected);
    }
  }

  @Test
  void tradeBeforeTheFirstOneWasSeenIsNotLost() throws Exception {
    try (var reader = open("?symbol=ACME")) {
      shop.exchange.breakWatches();
      shop.exchange.trade("ACME", 1);
      assertThat(reader.nextTrades(1)).containsExactly(1L);
    }
  }

  @Test
  void allReadersShareOneCallAndTheLastReaderEndsIt() throws Exception {
    var readers = new ArrayList<FeedConnection>();
    for (int i = 0; i < 5; i++) {
      readers.add(open(i % 2 == 0 ? "" : "?symbol=BEAR"));
    }
    await(() -> shop.exchange.watches() == 1);
    assertThat(readers()).isEqualTo(5);

    for (FeedConnection reader : readers) {
      reader.close();
    }
    awaitNoReader();
  }

  @Test
  void readerWhoReadsNothingIsDroppedAndOthersReceiveAllTrades() throws Exception {
    try (var slow = new Socket();
        var fast = open("?symbol=ACME")) {
      slow.setReceiveBufferSize(1_024);
      slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), shop.port));
      slow.getOutputStream()
          .write(
              (format(
                      "GET %s HTTP/1.1\r\nHost: localhost\r\n%s: %s\r\n\r\n",
                      FEED, BUYER[0], BUYER[1]))
                  .getBytes(StandardCharsets.US_ASCII));
      await(() -> readers() == 2);
      for (long first = 1; readers() == 2; first += 1_000) {
        shop.exchange.trades("ACME", 1_000);
        assertThat(fast.nextTrades(1_000))
            .containsExactlyElementsOf(LongStream.range(first, first + 1_000).boxed().toList());
      }
      assertThat(readers()).isEqualTo(1);
    }
  }

  @Test
  void numberOfReadersIsLimited() throws Exception {
    var readers = new ArrayList<FeedConnection>();
    try {
      for (int i = 0; i < 200; i++) {
        readers.add(open(10 + i / 5, "?symbol=BEAR"));
      }
      var refused = shop.send("GET", FEED, "", BUYER);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(refused.body()).contains("OVERLOADED", "200 readers");
      assertThat(shop.get("/products/Tux").status()).isEqualTo(200);
      shop.exchange.trade("BEAR", 1);
      for (FeedConnection reader : readers) {
        assertThat(reader.nextTrades(1)).containsExactly(1L);
      }
      readers.getFirst().close();
      await(() -> readers() < 200);
    } finally {
      for (FeedConnection reader : readers) {
        reader.close();
      }
    }
  }

  private FeedConnection open(long buyer, String query) {
    return new FeedConnection(
        shop.port,
        FEED + query,
        "Authorization",
        "Bearer " + FakeMarketplaceServices.tokenOfBuyer(buyer));
  }

  @Test
  void sixthFeedOfAUserEndsTheOldest() throws Exception {
    var readers = new ArrayList<FeedConnection>();
    try {
      for (int i = 0; i < 5; i++) {
        readers.add(open("?symbol=BEAR"));
      }
      try (var other = open(10, "?symbol=BEAR");
          var sixth = open("?symbol=BEAR")) {
        assertThat(readers.getFirst().next(FeedConnection.END)).isEqualTo(FeedConnection.END);
        assertThat(readers()).isEqualTo(6);
        shop.exchange.trade("BEAR", 1);
        readers.set(0, sixth);
        for (FeedConnection reader : readers) {
          assertThat(reader.nextTrades(1)).containsExactly(1L);
        }
        assertThat(other.nextTrades(1)).as("another user").containsExactly(1L);
      }
    } finally {
      for (FeedConnection reader : readers) {
        reader.close();
      }
    }
  }

  @Test
  void feedEndsWithItsSession() throws Exception {
    try (var ended = open(77, "?symbol=BEAR");
        var other = open(78, "?symbol=BEAR")) {
      await(() -> readers() == 2);
      shop.market.endSession(77);
      assertThat(ended.next(FeedConnection.END)).isEqualTo(FeedConnection.END);
      await(() -> readers() == 1);
      shop.exchange.trade("BEAR", 1);
      assertThat(other.nextTrades(1)).containsExactly(1L);
      var refused = open(77, "");
      assertThat(refused.response.statusCode()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'',,401,NO_TOKEN",
    "'',dead,401,SESSION_UNKNOWN",
    "'',token with spaces,401,SESSION_UNKNOWN",
    "?symbol=NONE,token-of-a-buyer,404,SYMBOL_NOT_FOUND",
    "?symbol=A-B,token-of-a-buyer,404,SYMBOL_NOT_FOUND",
    "?after=x,token-of-a-buyer,400,INVALID"
  })
  void refusalIsAProblemBeforeTheFirstEvent(String query, String token, int status, String reason) {
    String[] headers =
        token == null
            ? new String[] {"Accept", "text/event-stream"}
            : new String[] {"Authorization", "Bearer " + token};
    var refused = shop.send("GET", FEED + query, "", headers);

    assertThat(refused.statusCode()).isEqualTo(status);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(refused.body()).contains("\"reason\":\"" + reason + "\"");
    assertThat(readers()).isZero();
  }

  @Test
  void feedIsRefusedWhileTheExchangeIsAwayAndForOtherMethods() {
    shop.exchange.fail(ErrorReason.NOT_DONE, "away");
    var refused = shop.send("GET", FEED, "", BUYER);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");

    assertThat(shop.send("HEAD", FEED, "", BUYER).statusCode()).isEqualTo(503);

    assertThat(shop.send("POST", FEED, "", BUYER).statusCode()).isEqualTo(405);
    assertThat(readers()).isZero();
  }

  @Test
  void feedOfAStoppingFrontendEndsAtOnce() throws Exception {
    var frontend =
        RunningFrontend.frontend(
            "--toystore.admin-token=" + RunningFrontend.TOKEN,
            target("account"),
            target("exchange"));
    try (var reader =
        new FeedConnection(RunningFrontend.port(frontend, "local.server.port"), FEED, BUYER)) {
      assertThat(reader.next()).isEqualTo("id:0");
      long start = System.nanoTime();
      frontend.close();
      assertThat(reader.next(FeedConnection.END)).isEqualTo(FeedConnection.END);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
    }
  }

  private String target(String service) {
    String setting = "toystore.frontend." + service + "-target";
    return "--" + setting + "=" + shop.frontend.getEnvironment().getRequiredProperty(setting);
  }

  private int readers() {
    return (int)
        shop.frontend.getBean(MeterRegistry.class).get("toystore.feed.readers").gauge().value();
  }
}
