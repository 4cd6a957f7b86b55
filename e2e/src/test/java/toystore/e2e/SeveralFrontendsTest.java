package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;
import static toystore.e2e.MarketplaceStore.CARD;
import static toystore.e2e.MarketplaceStore.send;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;

/// Two frontends of the same services: what a client does at one holds at the other. The second one
/// believes its proxy about the client's address.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeveralFrontendsTest {
  private static final String REPLAYED = "Idempotency-Replayed";
  private static final int ROUNDS = 10;

  private MarketplaceStore market;
  private ConfigurableApplicationContext second;
  private StoreHttpClient one;
  private StoreHttpClient two;
  private MarketplaceClient buyer;
  private MarketplaceClient buyerAtTwo;

  @BeforeAll
  void start() throws IOException {
    market = SharedStore.open();
    second =
        StoreFixture.startFrontend(
            "--toystore.data=" + market.store().folder(),
            "--toystore.deadline=20s",
            "--toystore.frontend.catalog-target=static://127.0.0.1:" + SharedStore.CATALOG_PORT,
            "--toystore.frontend.order-target=static://127.0.0.1:" + SharedStore.ORDER_PORT,
            "--toystore.frontend.account-target=static://127.0.0.1:" + SharedStore.ACCOUNT_PORT,
            "--toystore.frontend.exchange-target=",
            "--server.forward-headers-strategy=native");
    one = market.store().http();
    two = StoreFixture.http(second);
    await(two::isReady);
  }

  @AfterAll
  void stop() {
    second.close();
  }

  @BeforeEach
  void logIn() {
    buyer = market.buyer().login();
    buyerAtTwo = buyer.at(two);
    buyer.clearCart();
    buyer.saveCart();
  }

  @Test
  void sessionOpenedAtOneFrontendWorksAtTheOtherUntilItEndsAtEither() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      for (var client : List.of(buyer, buyerAtTwo)) {
        assertThat(send(client, "GET", "/api/cart", "").status()).isEqualTo(200);
      }
      assertThat(send(buyerAtTwo, "POST", "/api/buyers/logout", "").status()).isEqualTo(200);
      for (var client : List.of(buyer, buyerAtTwo)) {
        Reply refused = send(client, "GET", "/api/cart", "");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.json().get("reason").stringValue()).isEqualTo("SESSION_UNKNOWN");
      }
      buyer.login();
      buyerAtTwo = buyer.at(two);
    }
    buyerAtTwo.login();
    assertThat(send(buyerAtTwo.at(one), "GET", "/api/cart", "").status()).isEqualTo(200);
  }

  @Test
  void keyUsedAtOneFrontendIsReplayedAtTheOther() throws IOException {
    long item = market.seller().addItem("Kite", 500, 10);
    replays("/orders", order(1), 200, order(2));
    replays("/orders", order(9_999), 409, order(1)); // a refusal for lack of stock is kept, too
    replays("/api/buyers/register", user("kim"), 201, user("kit"));
    replays("/api/cart/items", line(item, 2), 201, line(item, 1));
    assertThat(buyer.cart()).containsEntry(item, 2L);
    replays("/api/cart/save", "", 200, null);
    replays("/api/purchases", CARD, 201, null);
    assertThat(buyer.item(item).get("quantity").intValue()).isEqualTo(8);
    replays("/api/items/" + item + "/feedback", feedback("up"), 201, feedback("down"));
    assertThat(buyer.item(item).get("thumbs_up").intValue()).isEqualTo(1);
  }

  /// @param other a body that is another request; null: there is none
  private void replays(String path, String body, int status, @Nullable String other)
      throws IOException {
    String key = UUID.randomUUID().toString();
    Reply first = buyer.send("POST", path, body, key);
    assertThat(first.status()).as(first.body()).isEqualTo(status);
    assertThat(first.header(REPLAYED)).isEmpty();
    Reply repeat = buyerAtTwo.send("POST", path, body, key);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(repeat.status()).isEqualTo(status);
    assertThat(repeat.header(REPLAYED)).containsExactly("true");
    if (other != null) {
      assertThat(buyerAtTwo.send("POST", path, other, key).status()).isEqualTo(422);
    }
  }

  @Test
  void requestWithOneKeyAtBothFrontendsAtOnceIsCarriedOutOnce() throws Exception {
    long item = market.seller().addItem("Drum", 500, 100);
    int stock = stock(one, "Whale");
    String whale = "{\"name\":\"Whale\",\"quantity\":1}";
    for (int round = 1; round <= ROUNDS; round++) {
      assertThat(carriedOutOnce("/orders", whale)).isEqualTo(200);
      assertThat(stock(two, "Whale")).isEqualTo(stock - round);
      assertThat(carriedOutOnce("/api/cart/items", line(item, 2))).isEqualTo(201);
      assertThat(buyer.cart()).containsEntry(item, 2L);
      assertThat(carriedOutOnce("/api/purchases", CARD)).isEqualTo(201);
      assertThat(buyer.cart()).isEmpty();
      assertThat(buyerAtTwo.item(item).get("quantity").intValue()).isEqualTo(100 - 2 * round);
    }
    assertThat(two.audit().body()).startsWith("{\"ok\":true");
  }

  /// Returns the product's stock in the catalog, not in the frontend's product cache.
  private static int stock(StoreHttpClient frontend, String product) throws IOException {
    Reply reply = frontend.get("/products/" + product, "Cache-Control", "no-cache");
    return reply.json().at("/data/quantity").intValue();
  }

  /// Returns the status of both answers.
  private int carriedOutOnce(String path, String body) throws Exception {
    String key = UUID.randomUUID().toString();
    List<Reply> replies =
        atOnce(
            () -> buyer.send("POST", path, body, key),
            () -> buyerAtTwo.send("POST", path, body, key));
    assertThat(replies.getFirst().body()).isEqualTo(replies.getLast().body());
    assertThat(replies.getFirst().status()).isEqualTo(replies.getLast().status());
    assertThat(replies).filteredOn(it -> it.header(REPLAYED).equals(List.of("true"))).hasSize(1);
    return replies.getFirst().status();
  }

  @SafeVarargs
  private static List<Reply> atOnce(Callable<Reply>... requests) throws Exception {
    var barrier = new CyclicBarrier(requests.length);
    var replies = new ArrayList<Reply>();
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      var sent =
          Stream.of(requests)
              .<Callable<Reply>>map(request ->
                  () -> {
                    barrier.await();
                    return request.call();
                  });
      for (Future<Reply> reply : clients.invokeAll(sent.toList())) {
        replies.add(reply.get());
      }
    }
    return replies;
  }

  @Test
  void clickAtBothFrontendsAtOnceBuysTheCartOnce() throws Exception {
    long item = market.seller().addItem("Ball", 500, 100);
    for (int round = 1; round <= ROUNDS; round++) {
      buyer.addToCart(item, 1);
      List<Reply> replies =
          atOnce(
              () -> send(buyer, "POST", "/api/purchases", CARD),
              () -> send(buyerAtTwo, "POST", "/api/purchases", CARD));
      assertThat(replies).extracting(Reply::status).containsExactlyInAnyOrder(201, 400);
      assertThat(buyer.item(item).get("quantity").intValue()).isEqualTo(100 - round);
    }
  }

  @Test
  void cartFilledAtOneFrontendIsSavedAndBoughtAtTheOther() throws IOException {
    long item = market.seller().addItem("Puzzle", 500, 10);
    assertThat(buyer.addToCart(item, 3).status()).isEqualTo(201);
    assertThat(buyerAtTwo.cart()).containsEntry(item, 3L);
    assertThat(buyerAtTwo.saveCart().status()).isEqualTo(200);
    buyer.login();
    assertThat(buyer.cart()).containsEntry(item, 3L);
    int before = buyer.purchases().size();
    Reply bought = send(buyer.at(two), "POST", "/api/purchases", CARD);
    assertThat(bought.body()).isEqualTo("{\"message\":\"purchased\",\"items_purchased\":3}");
    assertThat(buyer.cart()).isEmpty();
    assertThat(buyer.purchases()).hasSize(before + 1);
    assertThat(buyer.item(item).get("quantity").intValue()).isEqualTo(7);
  }

  @Test
  void sessionAndFormOfOneFrontendAreAcceptedByTheOther() throws IOException {
    long item = market.seller().addItem("Carousel", 500, 10);
    Reply login = one.post("/market/login", "role=buyer&username=bob&password=password+of+bob");
    String token = login.header("Set-Cookie").getFirst().split("[=;]")[1];
    String path = "/market/items/" + item;
    String page = one.get(path, cookie("session", one, token)).body();
    String form = format("quantity=3&csrf=%s&key=%s", hidden("csrf", page), hidden("key", page));
    for (StoreHttpClient frontend : List.of(two, one)) { // a form that is sent twice adds once
      Reply added = frontend.post(path, form, cookie("session", frontend, token));
      assertThat(added.status()).as(added.body()).isEqualTo(303);
      assertThat(frontend.get("/market/cart", cookie("session", frontend, token)).body())
          .contains("Carousel", "3 × €5.00");
    }
    String forged = form.replace("csrf=", "csrf=x");
    assertThat(two.post(path, forged, cookie("session", two, token)).status()).isEqualTo(403);
    assertThat(two.post("/market/logout", form, cookie("session", two, token)).status())
        .isEqualTo(303);
    assertThat(one.get("/market/cart", cookie("session", one, token)).header("Location"))
        .containsExactly("/market/login");
  }

  @Test
  void administratorsSessionEndedAtOneFrontendHasEndedAtTheOther() throws IOException {
    String form = "name=Zo%C3%AB+Ka%C5%A1p%C3%A1rek&token=" + market.store().administratorsToken();
    String value = one.post("/admin/login", form).header("Set-Cookie").getFirst().split("[=;]")[1];
    String csrf = hidden("csrf", two.get("/admin", cookie("admin", two, value)).body());
    String restock = "name=Whale&quantity=1&key=restock&csrf=" + csrf;
    assertThat(two.post("/admin/products/restock", restock, cookie("admin", two, value)).status())
        .isEqualTo(303);
    assertThat(one.get("/admin/changes?by=kaspar", cookie("admin", one, value)).body())
        .contains("There are no such changes");
    assertThat(one.get("/admin/changes?by=KA%C5%A0P", cookie("admin", one, value)).body())
        .contains("administrator, Zoë Kašpárek, page 127.0.0.1 via 127.0.0.1");

    assertThat(two.post("/admin/logout", "csrf=" + csrf, cookie("admin", two, value)).status())
        .isEqualTo(303);

    for (StoreHttpClient frontend : List.of(one, two)) {
      assertThat(frontend.get("/admin", cookie("admin", frontend, value)).header("Location"))
          .containsExactly("/admin/login");
    }
  }

  /// A cookie's name contains the port that the browser knows. Behind a proxy it is the proxy's.
  private static String[] cookie(String kind, StoreHttpClient frontend, String value) {
    return new String[] {"Cookie", format("toystore-%s-%d=%s", kind, frontend.port(), value)};
  }

  private static String hidden(String name, String page) {
    var input = Pattern.compile(format("name=\"%s\" value=\"([^\"]+)\"", name)).matcher(page);
    assertThat(input.find()).as(page).isTrue();
    return input.group(1);
  }

  /// Each change is read once, at the other frontend, immediately after its answer.
  @Test
  void answeredChangeIsSeenByTheNextQueryAtTheOtherFrontend() throws IOException {
    int stock = stock(one, "Bird");
    for (int sold = 1; sold <= 40; sold++) {
      StoreHttpClient changed = sold % 2 == 0 ? one : two;
      StoreHttpClient asked = sold % 2 == 0 ? two : one;
      Reply bought = changed.post("/orders", "{\"name\":\"Bird\",\"quantity\":1}");
      assertThat(stock(asked, "Bird")).isEqualTo(stock - sold);
      int number = bought.json().at("/data/order_number").intValue();
      assertThat(asked.get("/orders/" + number).body()).contains("\"name\":\"Bird\"");
    }
    String search = "/api/items/search?category=1&keywords=toy&limit=200";
    long item = market.seller().addItem("Robot", 500, 10);
    assertThat(send(buyerAtTwo, "GET", search, "").body()).contains("\"item_id\":" + item + ",");
    String price = "/api/sellers/items/" + item + "/price";
    send(market.seller().at(two), "PUT", price, "{\"price\":4.5}");
    assertThat(buyer.item(item).get("price").doubleValue()).isEqualTo(4.5);
  }

  @Test
  void failedLoginsAreCountedAcrossFrontends() throws IOException {
    MarketplaceClient.buyer(one, "benno").register();
    for (int failures = 0; failures < SharedStore.MAX_FAILED_LOGINS; failures++) {
      assertThat(failedLogin(failures % 2 == 0 ? one : two, "benno").status()).isEqualTo(401);
    }
    assertThat(failedLogin(one, "benno").status()).isEqualTo(429);
    assertThat(failedLogin(two, "benno").status()).isEqualTo(429);
  }

  /// The second frontend is configured as behind a proxy, the first is not.
  @Test
  void failedLoginsBehindProxyAreCountedByTheAddressThatTheProxyNames() throws IOException {
    MarketplaceClient.buyer(one, "bill").register();
    for (int failures = 0; failures < SharedStore.MAX_FAILED_LOGINS; failures++) {
      assertThat(failedLogin(two, "bill", "203.0.113.1").status()).isEqualTo(401);
    }
    assertThat(failedLogin(two, "bill", "203.0.113.1").status()).isEqualTo(429);
    assertThat(failedLogin(two, "bill", "198.51.100.7, 203.0.113.1").status()).isEqualTo(429);
    assertThat(failedLogin(two, "bill", "203.0.113.2").status()).isEqualTo(401);
    assertThat(failedLogin(one, "bill", "203.0.113.1").status()).isEqualTo(401);
  }

  private static Reply failedLogin(
      StoreHttpClient frontend, String username, String... forwardedFor) throws IOException {
    var headers = new ArrayList<String>();
    for (String address : forwardedFor) {
      headers.addAll(List.of("X-Forwarded-For", address));
    }
    return frontend.post("/api/buyers/login", user(username), headers.toArray(String[]::new));
  }

  private static String order(int quantity) {
    return format("{\"name\":\"Tux\",\"quantity\":%d}", quantity);
  }

  private static String user(String name) {
    return format("{\"username\":\"%s\",\"password\":\"another password\"}", name);
  }

  private static String line(long item, int quantity) {
    return format("{\"item_id\":%d,\"quantity\":%d}", item, quantity);
  }

  private static String feedback(String feedback) {
    return format("{\"feedback\":\"%s\"}", feedback);
  }
}
