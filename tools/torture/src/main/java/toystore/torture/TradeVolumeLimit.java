package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.clients.Conditions;
import toystore.clients.HttpTestClient;
import toystore.clients.HttpTestClient.Reply;
import toystore.clients.RepeatingBuyers;
import toystore.clients.RepeatingBuyers.Refused;
import toystore.clients.StoreProcesses;
import toystore.torture.crash.CrashPoint;

/// Clients trade a stock up to its volume limit while the catalog kills itself at points where a
/// trade could be incomplete. The limit must never be exceeded, the stock must be suspended, and
/// its volume must include every acknowledged trade.
final class TradeVolumeLimit {
  private static final List<CrashPoint> POINTS =
      List.of(CrashPoint.BEFORE_COMMIT, CrashPoint.BEFORE_PUBLISHING, CrashPoint.BEFORE_ANSWER);
  private static final int PASSAGES = 20;
  private static final int QUICK_PASSAGES = 6;
  private static final int TRADERS = 8;
  private static final int LARGEST = 3;

  private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private TradeVolumeLimit() {}

  static long round(TrialRound round) throws Exception {
    int limit = round.quick() ? 24 : 500;
    var random = new Random(round.seed());
    Path file = round.folder().resolve("stocks.csv");
    Files.writeString(
        file,
        String.format(
            Locale.ROOT, "name,price,quantity,max_volume\nGameStart,10.00,1000000,%d\n", limit));
    try (var store = new StoreProcesses(round.folder());
        var traders = traders(round.folder(), store.http("frontend"))) {
      store.with("catalog", "toystore.catalog.file", file.toString());
      store.start("order");
      store.start("frontend");
      var services = new CrashingServices(store, random, round.quick() ? QUICK_PASSAGES : PASSAGES);
      services.start("catalog", randomPoint(random));
      traders.start(TRADERS);
      int kills = 0;
      while (!traders.areDone()) {
        LockSupport.parkNanos(POLL_NANOS);
        if (services.isDead("catalog")) {
          kills++;
          services.start("catalog", randomPoint(random));
        }
      }
      store.kill("catalog");
      services.start("catalog", null);
      Conditions.await(store.http("frontend")::isReady);
      traders.stop();
      check(traders.sales(), store.http("frontend"), limit);
      round
          .out()
          .printf(
              Locale.ROOT,
              "%d trades acknowledged, catalog killed %d times%n",
              traders.acknowledged(),
              kills);
      return kills;
    }
  }

  private static CrashPoint randomPoint(Random random) {
    return POINTS.get(random.nextInt(POINTS.size()));
  }

  /// Clients that trade until the stock is suspended.
  private static RepeatingBuyers traders(Path folder, HttpTestClient frontend) throws IOException {
    return new RepeatingBuyers(
        folder,
        Duration.ZERO,
        PAUSE_AFTER_ERROR,
        (trader, key, attempt) -> {
          Reply reply = trade(frontend, key, quantity(trader));
          if (reply == null) {
            return OptionalLong.empty();
          }
          if (reply.status() == 409) {
            assertThat(reply.body()).contains("is suspended");
            throw new Refused();
          }
          return OptionalLong.of(
              reply.json().required("data").required("transaction_number").asLong());
        });
  }

  private static int quantity(int trader) {
    return 1 + trader % LARGEST;
  }

  /// @return null if the trade was not executed or its outcome is unknown
  private static @Nullable Reply trade(HttpTestClient frontend, String key, int quantity) {
    String type = quantity % 2 == 0 ? "sell" : "buy";
    String body =
        String.format(
            Locale.ROOT,
            "{\"name\":\"GameStart\",\"quantity\":%d,\"type\":\"%s\"}",
            quantity,
            type);
    try {
      Reply reply = frontend.post("/orders", body, "Idempotency-Key", key);
      return reply.status() == 503 || reply.status() == 504 ? null : reply;
    } catch (IOException away) {
      return null;
    }
  }

  /// @param trades keys by number
  private static void check(Map<Long, String> trades, HttpTestClient frontend, int limit)
      throws IOException {
    long units = 0;
    for (Map.Entry<Long, String> trade : trades.entrySet()) {
      String key = trade.getValue();
      int quantity = quantity(RepeatingBuyers.buyer(key));
      units += quantity;
      Conditions.await(() -> {
        Reply again = trade(frontend, key, quantity);
        if (again == null) {
          return false; // the circuit breaker of the restarted catalog may still be open
        }
        assertThat(again.body())
            .as("retry of %s", trade)
            .isEqualTo("{\"data\":{\"transaction_number\":%d}}", trade.getKey());
        return true;
      });
    }
    JsonNode stock = frontend.get("/stocks/GameStart").json().required("data");
    assertThat(stock.required("volume").asLong())
        .as("traded volume; %d units were acknowledged, the limit is %d", units, limit)
        .isEqualTo(units)
        .isBetween((long) limit - LARGEST + 1, (long) limit);
    assertThat(stock.required("suspended").asBoolean()).isTrue();
    assertThat(frontend.failedChecks()).isEmpty();
  }
}
