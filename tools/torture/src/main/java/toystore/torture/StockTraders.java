package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import toystore.clients.Conditions;
import toystore.clients.RepeatingBuyers;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;
import toystore.clients.StoreProcesses;
import toystore.torture.trial.TrialRound;

/// Clients that trade a stock until it is suspended. Its volume limit must never be exceeded, and
/// its volume must include every acknowledged trade.
final class StockTraders extends RepeatingBuyers implements TrialClients {
  private static final int TRADERS = 8;
  private static final int LARGEST = 3;

  private final StoreHttpClient frontend;
  private final int limit;

  /// Starts the clients.
  StockTraders(StoreHttpClient frontend, TrialRound round) throws IOException {
    super(round.folder(), Duration.ZERO);
    this.frontend = frontend;
    this.limit = limit(round);
    start(TRADERS);
  }

  /// Lets a store sell the stock.
  static void prepare(StoreProcesses store, TrialRound round) throws IOException {
    Path file = round.folder().resolve("stocks.csv");
    Files.writeString(
        file, "name,price,quantity,max_volume\nGameStart,10.00,1000000," + limit(round) + "\n");
    store.with("catalog", "toystore.catalog.file", file.toString());
  }

  private static int limit(TrialRound round) {
    return round.quick() ? 120 : 1_000;
  }

  @Override
  protected OptionalLong buy(int trader, String key) {
    Reply reply = send(key);
    if (reply.status() == 409) {
      assertThat(reply.body()).contains("is suspended");
      return OptionalLong.empty();
    }
    return OptionalLong.of(reply.json().required("data").required("transaction_number").asLong());
  }

  private static int quantity(String key) {
    return 1 + buyer(key) % LARGEST;
  }

  private Reply send(String key) {
    String body =
        format(
            "{\"name\":\"GameStart\",\"quantity\":%d,\"type\":\"%s\"}",
            quantity(key), quantity(key) % 2 == 0 ? "sell" : "buy");
    return StoreHttpClient.sendUntilDecided(
        _ -> frontend.post("/orders", body, "Idempotency-Key", key));
  }

  @Override
  public String check() throws Exception {
    Conditions.await(this::areDone);
    stop();
    Map<Long, String> trades = sales();
    trades.forEach((number, key) ->
        assertThat(send(key).body())
            .as("retry of %s", key)
            .isEqualTo("{\"data\":{\"transaction_number\":%d}}", number));
    long units = trades.values().stream().mapToLong(StockTraders::quantity).sum();
    JsonNode stock = frontend.get("/stocks/GameStart").json().required("data");
    assertThat(stock.required("volume").asLong())
        .as("traded volume; %d units were acknowledged, the limit is %d", units, limit)
        .isEqualTo(units)
        .isBetween((long) limit - LARGEST + 1, (long) limit);
    assertThat(stock.required("suspended").asBoolean()).isTrue();
    assertThat(frontend.failedChecks()).isEmpty();
    return trades.size() + " trades acknowledged";
  }
}
