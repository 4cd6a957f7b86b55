package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.e2e.MarketplaceStore.send;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import tools.jackson.databind.JsonNode;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient.Reply;

/// The exchange over REST and its live feed, with the real services.
@TestInstance(Lifecycle.PER_CLASS)
class ExchangeApiIT {
  private static final String ACCOUNTS = "/api/exchange/accounts";

  private MarketplaceStore market;
  private long buyer;
  private long seller;

  @BeforeAll
  void start() throws IOException {
    market = SharedStore.open();
    buyer = account(market.buyer(), "1000000");
    seller = account(market.seller(), "0");
  }

  private long account(MarketplaceClient user, String balance) throws IOException {
    return post(user, ACCOUNTS, format("{\"balance\":\"%s\"}", balance))
        .required("account")
        .required("account_id")
        .asLong();
  }

  /// The worked example of the published protocol.
  @Test
  void ordersExecuteByPriceAndTimeAtThePriceOfTheOrderThatWasOpenFirst() throws IOException {
    addShares("WORK", "1200");
    long one = order(buyer, "WORK", "buy", "300", "125");
    order(seller, "WORK", "sell", "100", "130");
    long three = order(buyer, "WORK", "buy", "200", "127");
    order(seller, "WORK", "sell", "500", "128");
    order(seller, "WORK", "sell", "200", "140");
    order(buyer, "WORK", "buy", "400", "125");
    long before = cash(market.seller(), seller);
    long seven = order(seller, "WORK", "sell", "400", "124");

    assertThat(executions(market.seller(), seller, seven))
        .isEqualTo("0 open, 400 executed: 200@127 200@125");
    assertThat(executions(market.buyer(), buyer, three)).isEqualTo("0 open, 200 executed: 200@127");
    assertThat(executions(market.buyer(), buyer, one)).isEqualTo("100 open, 200 executed: 200@125");
    assertThat(cash(market.seller(), seller) - before).isEqualTo(200 * 127 + 200 * 125);
    assertThat(get(market.otherBuyer(), "/api/exchange/symbols/WORK/depth").toString())
        .isEqualTo(
            "{\"depth\":{\"symbol\":\"WORK\",\"bids\":[{\"price\":\"125\",\"shares\":\"500\",\"orders\":2}],"
                + "\"asks\":[{\"price\":\"128\",\"shares\":\"500\",\"orders\":1},{\"price\":\"130\",\"shares\":\"100\",\"orders\":1},{\"price\":\"140\",\"shares\":\"200\",\"orders\":1}]}}");

    Reply canceled = send(market.buyer(), "DELETE", path(buyer) + "/orders/" + one, "");
    assertThat(canceled.json().at("/order/canceled").asString()).isEqualTo("100");
    assertThat(executions(market.buyer(), buyer, one)).isEqualTo("0 open, 200 executed: 200@125");
  }

  @Test
  void orderIsPlacedOnceForItsKey() throws IOException {
    addShares("ONCE", "10");
    String body = "{\"symbol\":\"ONCE\",\"side\":\"buy\",\"shares\":0.5,\"limit\":1.0001}";
    Reply first = market.buyer().send("POST", path(buyer) + "/orders", body, "same");
    Reply again = market.buyer().send("POST", path(buyer) + "/orders", body, "same");
    Reply other =
        market.buyer().send("POST", path(buyer) + "/orders", body.replace("0.5", "1"), "same");

    assertThat(first.status()).as(first.body()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("Idempotency-Replayed")).containsExactly("true");
    assertThat(other.status()).isEqualTo(422);
    assertThat(get(market.buyer(), path(buyer) + "/orders?limit=1").at("/orders/0/order_id"))
        .isEqualTo(first.json().at("/order/order_id"));
    assertThat(first.json().at("/order/shares").asString()).isEqualTo("0.5");
    send(
        market.buyer(),
        "DELETE",
        path(buyer) + "/orders/" + first.json().at("/order/order_id").asLong(),
        "");
  }

  @Test
  void feedSendsEachTradeOnceAlsoAfterTheConnectionEnded() throws Exception {
    addShares("FEED", "10");
    var ids = new ArrayList<String>();
    try (var feed = feed("FEED", "")) {
      awaitLine(feed, "event:depth");
      order(seller, "FEED", "sell", "1", "3");
      order(buyer, "FEED", "buy", "1", "3");
      ids.add(awaitTrade(feed));
    }
    order(seller, "FEED", "sell", "1", "3");
    order(buyer, "FEED", "buy", "1", "3");
    try (var feed = feed("FEED", ids.getFirst())) {
      ids.add(awaitTrade(feed));
      order(seller, "FEED", "sell", "1", "3");
      order(buyer, "FEED", "buy", "1", "3");
      ids.add(awaitTrade(feed));
    }
    var trades = new ArrayList<String>();
    get(market.buyer(), "/api/exchange/symbols/FEED/trades")
        .required("trades")
        .forEach(it -> trades.addFirst(it.required("trade_id").asString()));
    assertThat(ids).isEqualTo(trades).hasSize(3);
  }

  @Test
  void feedEndsAtLogout() throws Exception {
    addShares("ENDS", "1");
    MarketplaceClient user = MarketplaceClient.buyer(market.store().http(), "fay").register();
    try (var feed = feed(user, "ENDS", "")) {
      awaitLine(feed, "event:depth");
      assertThat(user.send("POST", "/api/buyers/logout", "", "").status()).isEqualTo(200);
      assertThat(feed.lines()).as("all until the end").noneMatch("event:trade"::equals);
    }
  }

  private BufferedReader feed(String symbol, String lastEventId) throws Exception {
    return feed(market.buyer(), symbol, lastEventId);
  }

  private BufferedReader feed(MarketplaceClient user, String symbol, String lastEventId)
      throws Exception {
    var request =
        HttpRequest.newBuilder(
                URI.create(market.store().http().base() + "/api/exchange/feed?symbol=" + symbol))
            .header("Authorization", "Bearer " + user.token());
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    var response = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /// Returns the id of the next trade.
  private static String awaitTrade(BufferedReader feed) throws IOException {
    String id = "";
    for (String line = feed.readLine(); line != null; line = feed.readLine()) {
      if (line.startsWith("id:")) {
        id = line.substring("id:".length());
      } else if (line.equals("event:trade")) {
        return id;
      }
    }
    throw new AssertionError("the feed has ended");
  }

  private static void awaitLine(BufferedReader feed, String expected) throws IOException {
    for (String line = feed.readLine(); !expected.equals(line); line = feed.readLine()) {
      assertThat(line).isNotNull();
    }
  }

  private void addShares(String symbol, String shares) throws IOException {
    post(
        market.seller(),
        path(seller) + "/shares",
        format("{\"symbol\":\"%s\",\"shares\":\"%s\"}", symbol, shares));
  }

  private long order(long account, String symbol, String side, String shares, String limit)
      throws IOException {
    MarketplaceClient user = account == buyer ? market.buyer() : market.seller();
    return post(user, path(account) + "/orders", order(symbol, side, shares, limit))
        .at("/order/order_id")
        .asLong();
  }

  private static String order(String symbol, String side, String shares, String limit) {
    return format(
        "{\"symbol\":\"%s\",\"side\":\"%s\",\"shares\":\"%s\",\"limit\":\"%s\"}",
        symbol, side, shares, limit);
  }

  private static String executions(MarketplaceClient user, long account, long order)
      throws IOException {
    JsonNode found = get(user, path(account) + "/orders/" + order).required("order");
    var text =
        new StringBuilder(
            format(
                "%s open, %s executed:",
                found.required("open").asString(), found.required("executed").asString()));
    found
        .required("executions")
        .forEach(it ->
            text.append(
                format(
                    " %s@%s", it.required("shares").asString(), it.required("price").asString())));
    return text.toString();
  }

  private static long cash(MarketplaceClient user, long account) throws IOException {
    return get(user, path(account)).at("/account/cash").asLong();
  }

  private static String path(long account) {
    return ACCOUNTS + "/" + account;
  }

  private static JsonNode get(MarketplaceClient user, String path) throws IOException {
    Reply reply = send(user, "GET", path, "");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  private static JsonNode post(MarketplaceClient user, String path, String body)
      throws IOException {
    Reply reply = send(user, "POST", path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply.json();
  }
}
