package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;
import static toystore.e2e.MarketplaceStore.CARD;
import static toystore.e2e.MarketplaceStore.send;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient.Reply;

/// The marketplace's REST API, row by row, over real HTTP and real files.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MarketplaceApiTest {
  private static final String CASTLE =
      "{\"name\":\"Brick castle\",\"category\":%d,\"keywords\":[\"lego\",\"Castle\"],\"condition\":\"used\",\"price\":12.5,\"quantity\":4}";
  private static final String OTHER_CARD = CARD.replace("4111111111111111", "4242424242424242");

  private MarketplaceStore market;
  private MarketplaceClient seller;
  private MarketplaceClient buyer;
  private int category = 1_000;

  @BeforeAll
  void start() throws IOException {
    market = SharedStore.open();
    seller = market.seller();
    buyer = market.buyer();
  }

  @BeforeEach
  void emptyTheCart() throws IOException {
    category++; // each test has a category of its own
    assertThat(send(buyer, "DELETE", "/api/cart", "").body())
        .isEqualTo("{\"message\":\"cart cleared\",\"cart\":[]}");
    send(buyer, "POST", "/api/cart/save", "");
  }

  private long addCastle() throws IOException {
    return addCastle(4);
  }

  private long addCastle(int quantity) throws IOException {
    String castle =
        String.format(Locale.ROOT, CASTLE, category).replace(":4}", ":" + quantity + "}");
    Reply added = send(seller, "POST", "/api/sellers/items", castle);
    long item = added.json().get("item_id").longValue();
    assertReply(added, 201, format("{\"message\":\"item added\",\"item_id\":%d}", item));
    return item;
  }

  private static void assertReply(Reply reply, int status, String body) {
    assertThat(reply.body()).isEqualTo(body);
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).containsExactly("application/json");
  }

  private static void assertProblem(Reply reply, int status, String reason) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).containsExactly("application/problem+json");
    assertThat(reply.json().get("status").intValue()).isEqualTo(status);
    assertThat(reply.json().get("reason").stringValue()).isEqualTo(reason);
    assertThat(reply.json().get("type").stringValue()).isEqualTo("about:blank");
    assertThat(reply.json().get("title").stringValue()).isNotEmpty();
    assertThat(reply.json().get("detail").stringValue()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"buyer", "seller"})
  void userRegistersLogsInAndLogsOut(String role) throws IOException {
    String path = "/api/" + role + "s/";
    String user = format("{\"username\":\"%s\",\"password\":\"secret\"}", "n".repeat(32));
    Reply registered = market.anonymous("POST", path + "register", user);
    long id = registered.json().get("id").longValue();
    assertReply(registered, 201, registeredAs(role, id));
    assertProblem(market.anonymous("POST", path + "register", user), 409, "USERNAME_TAKEN");
    assertProblem(
        market.anonymous("POST", path + "register", user.replace("nn", "nnn")), 400, "INVALID");
    assertReply(
        market.anonymous("POST", path + "register", user("next")), 201, registeredAs(role, id + 1));

    Reply login = market.anonymous("POST", path + "login", user);
    String token = login.json().get("token").stringValue();
    assertReply(login, 200, format("{\"message\":\"logged in\",\"token\":\"%s\"}", token));
    String[] authorization = {"Authorization", "Bearer " + token};
    String search = "/api/items/search?category=1";
    assertThat(market.anonymous("GET", search, "", authorization).status()).isEqualTo(200);
    assertReply(
        market.anonymous("POST", path + "logout", "", authorization),
        200,
        "{\"message\":\"logged out\"}");
    assertProblem(market.anonymous("GET", search, "", authorization), 401, "SESSION_UNKNOWN");
    assertProblem(
        market.anonymous("POST", path + "logout", "", authorization), 401, "SESSION_UNKNOWN");
  }

  private static String registeredAs(String role, long id) {
    return format("{\"message\":\"%s registered\",\"token\":null,\"id\":%d}", role, id);
  }

  @Test
  void unknownUserAndWrongPasswordGetTheSameAnswerAndTooManyGet429() throws IOException {
    String wrong = "{\"username\":\"%s\",\"password\":\"wrong\"}";
    Reply unknownUser =
        market.anonymous("POST", "/api/buyers/login", String.format(Locale.ROOT, wrong, "nobody"));
    assertProblem(unknownUser, 401, "WRONG_PASSWORD");
    assertThat(unknownUser.header("WWW-Authenticate")).containsExactly("Bearer");
    MarketplaceClient.buyer(market.store().http(), "ben").register();
    for (int failures = 0; failures < 10; failures++) {
      Reply refused =
          market.anonymous("POST", "/api/buyers/login", String.format(Locale.ROOT, wrong, "ben"));
      assertThat(refused.body()).isEqualTo(unknownUser.body());
    }
    Reply limited =
        market.anonymous("POST", "/api/buyers/login", String.format(Locale.ROOT, wrong, "ben"));
    assertProblem(limited, 429, "TOO_MANY_LOGINS");
    assertThat(Integer.parseInt(limited.header("Retry-After").getFirst())).isBetween(1, 300);
  }

  @Test
  void logoutDeletesAnUnsavedCartAndKeepsASavedOne() throws IOException {
    long saved = addCastle();
    long unsaved = addCastle();
    var session = MarketplaceClient.buyer(market.store().http(), "bob").login();
    assertThat(session.addToCart(saved, 1).status()).isEqualTo(201);
    assertThat(session.saveCart().body())
        .isEqualTo(changedCart("cart saved", cart(saved, 1, true)));
    assertThat(session.addToCart(unsaved, 1).status()).isEqualTo(201);
    assertThat(session.cart()).containsOnlyKeys(saved, unsaved);
    assertThat(send(session, "POST", "/api/buyers/logout", "").status()).isEqualTo(200);

    session.login();
    assertThat(session.cart()).containsOnlyKeys(saved);
    send(session, "DELETE", "/api/cart", "");
    session.saveCart(); // an empty cart empties the saved one
    session.login();
    assertThat(session.cart()).isEmpty();
  }

  @Test
  void sellerOffersRepricesAndRemovesUnits() throws IOException {
    long item = addCastle();
    String view =
        "{\"item_id\":%d,\"seller_id\":1,\"item_name\":\"Brick castle\",\"category\":%d,\"keywords\":[\"lego\",\"Castle\"],\"condition_type\":\"used\",\"price\":%s,\"quantity\":%d%s}";
    String rating = ",\"thumbs_up\":0,\"thumbs_down\":0";
    assertReply(
        send(buyer, "GET", "/api/items/" + item, ""),
        200,
        format(
            "{\"item\":%s}", String.format(Locale.ROOT, view, item, category, "12.5", 4, rating)));

    String path = "/api/sellers/items/" + item;
    assertReply(
        send(seller, "PUT", path + "/price", "{\"price\":12}"),
        200,
        "{\"message\":\"price changed\"}");
    assertReply(
        send(seller, "PUT", path + "/quantity", "{\"quantity\":3}"),
        200,
        "{\"message\":\"units removed\"}");
    assertProblem(send(seller, "PUT", path + "/quantity", "{\"quantity\":2}"), 400, "NOT_ENOUGH");
    assertReply(
        send(buyer, "GET", "/api/items/search?category=" + category, ""),
        200,
        format(
            "{\"items\":[%s]}",
            String.format(Locale.ROOT, view, item, category, "12.0", 1, rating)));
    assertReply(
        send(seller, "GET", "/api/sellers/items?limit=1&after=" + (item - 1), ""),
        200,
        format(
            "{\"items\":[%s]}",
            String.format(Locale.ROOT, view, item, category, "12.0", 1, rating)));

    assertProblem(
        send(market.otherSeller(), "PUT", path + "/price", "{\"price\":1}"), 403, "NOT_THE_OWNER");
    assertProblem(
        send(market.otherSeller(), "PUT", path + "/quantity", "{\"quantity\":1}"),
        403,
        "NOT_THE_OWNER");
    for (String unknown : List.of("999999", "0", "-1", "x", "99999999999999999999")) {
      assertProblem(send(buyer, "GET", "/api/items/" + unknown, ""), 404, "ITEM_NOT_FOUND");
      assertProblem(
          send(seller, "PUT", "/api/sellers/items/" + unknown + "/price", "{\"price\":1}"),
          404,
          "ITEM_NOT_FOUND");
    }
  }

  @Test
  void searchFindsItemsInStockBestMatchFirstInPages() throws IOException {
    long one = addCastle();
    long both = addCastle();
    send(seller, "PUT", "/api/sellers/items/" + one + "/quantity", "{\"quantity\":4}"); // sold out
    String body = String.format(Locale.ROOT, CASTLE, category).replace("\"Castle\"", "\"boat\"");
    long lego = send(seller, "POST", "/api/sellers/items", body).json().get("item_id").longValue();

    assertThat(found("")).containsExactly(both, lego);
    assertThat(found("&keywords=BOAT,lego")).containsExactly(lego, both);
    assertThat(found("&keywords=,castle,")).containsExactly(both);
    assertThat(found("&keywords=cast")).isEmpty();
    Reply first = search("&limit=1");
    assertThat(ids(first)).containsExactly(both);
    assertThat(ids(search("&limit=1&after=" + first.json().get("next").stringValue())))
        .containsExactly(lego);

    Reply withoutCategory = send(buyer, "GET", "/api/items/search", "");
    assertProblem(withoutCategory, 400, "INVALID");
    assertThat(withoutCategory.json().get("detail").stringValue())
        .isEqualTo("category must be an integer from 0 to 2147483647, but it is missing");
    for (String wrong : List.of("-1", "x", "1.5", "2147483648", "")) {
      String path = "/api/items/search?category=" + wrong;
      assertProblem(send(buyer, "GET", path, ""), 400, "INVALID");
    }
    assertProblem(search("&keywords=a,b,c,d,e,f"), 400, "INVALID");
    assertProblem(search("&limit=201"), 400, "INVALID");
    assertProblem(search("&after=x"), 400, "INVALID");
  }

  private List<Long> found(String query) throws IOException {
    return ids(search(query));
  }

  /// @param cart body of `GET /api/cart`
  private static String changedCart(String message, String cart) {
    return format("{\"message\":\"%s\",", message) + cart.substring(1);
  }

  private Reply search(String query) throws IOException {
    return send(buyer, "GET", "/api/items/search?category=" + category + query, "");
  }

  private static List<Long> ids(Reply page) {
    var ids = new ArrayList<Long>();
    page.json().required("items").forEach(it -> ids.add(it.get("item_id").longValue()));
    return ids;
  }

  @Test
  void cartAddsAndRemovesUnits() throws IOException {
    long item = addCastle();
    String path = "/api/cart/items";
    assertReply(
        send(buyer, "POST", path, line(item, 3)),
        201,
        changedCart("added to the cart", cart(item, 3, false)));
    assertReply(send(buyer, "GET", "/api/cart", ""), 200, cart(item, 3, false));
    assertProblem(send(buyer, "POST", path, line(item, 2)), 400, "NOT_ENOUGH");
    assertProblem(send(buyer, "POST", path, line(999_999, 1)), 404, "ITEM_NOT_FOUND");

    assertReply(
        send(buyer, "DELETE", path + "/" + item, "{\"quantity\":1}"),
        200,
        changedCart("removed from the cart", cart(item, 2, false)));
    assertReply(
        send(buyer, "POST", "/api/cart/save", ""),
        200,
        changedCart("cart saved", cart(item, 2, true)));
    assertReply(send(buyer, "GET", "/api/cart", ""), 200, cart(item, 2, true));
    assertProblem(send(buyer, "DELETE", path + "/" + item, "{\"quantity\":3}"), 400, "NOT_IN_CART");
    assertProblem(send(buyer, "DELETE", path + "/" + item, ""), 400, "INVALID");
    assertProblem(send(buyer, "DELETE", path + "/x", "{\"quantity\":1}"), 404, "ITEM_NOT_FOUND");
    assertThat(send(market.otherBuyer(), "GET", "/api/cart", "").body()).isEqualTo("{\"cart\":[]}");
  }

  private static String line(long item, int quantity) {
    return format("{\"item_id\":%d,\"quantity\":%d}", item, quantity);
  }

  private static String cart(long item, int quantity, boolean saved) {
    return format(
        "{\"cart\":[{\"item_id\":%d,\"quantity\":%d,\"saved\":%s,\"name\":\"Brick castle\",\"price\":12.5}]}",
        item, quantity, saved);
  }

  @Test
  void purchaseSellsTheCartAndItsBuyerGivesFeedback() throws IOException {
    long castle = addCastle();
    long other = addCastle();
    assertProblem(send(buyer, "POST", "/api/purchases", CARD), 400, "CART_EMPTY");
    int before = buyer.purchases().size();
    buyer.addToCart(castle, 2);
    buyer.addToCart(other, 1);
    String feedback = "/api/items/" + castle + "/feedback";
    assertProblem(send(buyer, "POST", feedback, "{\"feedback\":\"up\"}"), 403, "NOT_PURCHASED");

    assertReply(
        send(buyer, "POST", "/api/purchases", CARD),
        201,
        "{\"message\":\"purchased\",\"items_purchased\":3}");
    assertThat(send(buyer, "GET", "/api/cart", "").body()).isEqualTo("{\"cart\":[]}");
    assertThat(buyer.item(castle).get("quantity").intValue()).isEqualTo(2);
    var lines = buyer.purchases().subList(before, before + 2);
    assertThat(lines.getFirst().toString())
        .matches(
            format(
                "\\{\"item_id\":%d,\"quantity\":2,\"timestamp\":\"[^\"]+Z\",\"name\":\"Brick castle\",\"price\":12.5,\"returned\":false}",
                castle));
    assertThat(Instant.parse(lines.getFirst().get("timestamp").stringValue()))
        .isBetween(Instant.now().minusSeconds(60), Instant.now());
    Reply page = send(buyer, "GET", "/api/buyers/purchases?limit=1", "");
    assertThat(page.json().has("next")).isTrue();
    assertNewestFirst(before + 2);

    long up = rating().get("thumbs_up").longValue();
    assertReply(
        send(buyer, "POST", feedback, "{\"feedback\":\"up\"}"),
        201,
        "{\"message\":\"feedback counted\"}");
    assertThat(buyer.item(castle).get("thumbs_up").intValue()).isEqualTo(1);
    assertThat(rating().get("thumbs_up").longValue()).isEqualTo(up + 1);
    assertThat(send(buyer, "GET", "/api/sellers/1/rating", "").body())
        .isEqualTo(send(seller, "GET", "/api/sellers/rating", "").body());
    assertProblem(
        send(buyer, "POST", feedback, "{\"feedback\":\"great\"}"), 422, "UNKNOWN_FEEDBACK");
    assertProblem(
        send(buyer, "POST", "/api/items/999999/feedback", "{\"feedback\":\"up\"}"),
        404,
        "ITEM_NOT_FOUND");
    assertProblem(
        send(market.otherBuyer(), "POST", feedback, "{\"feedback\":\"down\"}"),
        403,
        "NOT_PURCHASED");
    assertProblem(send(buyer, "GET", "/api/sellers/99/rating", ""), 404, "SELLER_NOT_FOUND");
    assertProblem(send(buyer, "GET", "/api/sellers/x/rating", ""), 404, "SELLER_NOT_FOUND");
  }

  /// Walks all pages of the buyer's purchases, the newest line first.
  private void assertNewestFirst(int lines) throws IOException {
    var newest = new ArrayList<JsonNode>();
    String after = "";
    do {
      JsonNode page =
          send(buyer, "GET", "/api/buyers/purchases?order=newest&limit=1" + after, "").json();
      page.required("purchases").forEach(newest::add);
      assertThat(page.required("items_purchased").longValue()).isEqualTo(keptUnits());
      after = page.has("next") ? "&after=" + page.required("next").longValue() : "";
    } while (!after.isEmpty());
    assertThat(newest).hasSize(lines).isEqualTo(buyer.purchases().reversed());
    assertProblem(send(buyer, "GET", "/api/buyers/purchases?order=latest", ""), 400, "INVALID");
  }

  private long keptUnits() {
    return buyer.purchases().stream()
        .filter(it -> !it.required("returned").booleanValue())
        .mapToLong(it -> it.required("quantity").longValue())
        .sum();
  }

  /// The money of a purchase is refused after its answer: nothing of it counts.
  @Test
  void purchaseWhoseMoneyIsRefusedIsUndoneAndItsRepeatSaysSo() throws IOException {
    long item = addCastle();
    long sold = itemsSold();
    buyer.addToCart(item, 2);
    String card = CARD.replace("4111111111111111", MarketplaceClient.NO_CAPTURE_CARD);
    String key = UUID.randomUUID().toString();
    assertReply(
        buyer.send("POST", "/api/purchases", card, key),
        201,
        "{\"message\":\"purchased\",\"items_purchased\":2}");

    await(() -> buyer.item(item).get("quantity").intValue() == 4);
    Reply repeat = buyer.send("POST", "/api/purchases", card, key);
    assertProblem(repeat, 409, "PURCHASE_RETURNED");
    assertThat(repeat.json().get("detail").stringValue())
        .isEqualTo(
            "the payment could not be captured, so the purchase was undone; nothing was charged");
    assertThat(repeat.header("Idempotency-Replayed")).containsExactly("true");
    assertThat(buyer.purchases().getLast().get("returned").booleanValue()).isTrue();
    assertProblem(
        send(buyer, "POST", "/api/items/" + item + "/feedback", "{\"feedback\":\"down\"}"),
        403,
        "NOT_PURCHASED");
    assertThat(itemsSold()).isEqualTo(sold);

    buyer.addToCart(item, 3);
    assertThat(buyer.send("POST", "/api/purchases", CARD, UUID.randomUUID().toString()).status())
        .isEqualTo(201);
    assertThat(
            send(buyer, "POST", "/api/items/" + item + "/feedback", "{\"feedback\":\"up\"}")
                .status())
        .as("at once: it waits for the capture")
        .isEqualTo(201);
    assertThat(itemsSold()).isEqualTo(sold + 3);
  }

  private long itemsSold() throws IOException {
    return send(seller, "GET", "/api/sellers/rating", "").json().required("items_sold").longValue();
  }

  private JsonNode rating() throws IOException {
    return send(seller, "GET", "/api/sellers/rating", "").json().required("rating");
  }

  /// A frontend makes 64 purchases at a time without a wait for a permit.
  @Test
  void sixtyPurchasesAtOnceAreAllMade() throws Exception {
    long item = addCastle(60);
    List<MarketplaceClient> buyers = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      buyers.add(MarketplaceClient.buyer(market.store().http(), "crowd" + i).register());
      buyers.getLast().addToCart(item, 1);
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var replies =
          threads.invokeAll(
              buyers.stream()
                  .<Callable<Integer>>map(
                      it -> () -> send(it, "POST", "/api/purchases", CARD).status())
                  .toList());
      for (var reply : replies) {
        assertThat(reply.get()).isEqualTo(201);
      }
    }
    assertThat(buyer.item(item).get("quantity").intValue()).isZero();
  }

  @Test
  void refusedPurchaseChargesNothingAndKeepsTheCart() throws IOException {
    long item = addCastle();
    buyer.addToCart(item, 2);
    int before = buyer.purchases().size();
    String declined = CARD.replace("4111111111111111", MarketplaceClient.DECLINED_CARD);
    String key = UUID.randomUUID().toString();
    assertProblem(buyer.send("POST", "/api/purchases", declined, key), 402, "CARD_DECLINED");
    assertThat(send(buyer, "GET", "/api/cart", "").body()).isEqualTo(cart(item, 2, false));

    send(seller, "PUT", "/api/sellers/items/" + item + "/price", "{\"price\":12.51}");
    Reply repriced = send(buyer, "POST", "/api/purchases", CARD);
    assertProblem(repriced, 409, "PRICE_CHANGED");
    assertThat(repriced.json().get("detail").stringValue())
        .isEqualTo(
            "\"Brick castle\" costs 12.51, expected 12.50; accept the price, or remove the item from the cart");
    assertReply(
        send(buyer, "POST", "/api/cart/items", line(item, 1)),
        201,
        changedCart("added to the cart", cart(item, 3, false)));
    send(buyer, "DELETE", "/api/cart/items/" + item, "{\"quantity\":1}");
    String price = "/api/cart/items/" + item + "/price";
    assertProblem(send(buyer, "PUT", price, "{\"price\":12.5}"), 409, "PRICE_CHANGED");
    assertProblem(
        send(buyer, "PUT", "/api/cart/items/999999/price", "{\"price\":12.5}"),
        404,
        "ITEM_NOT_FOUND");
    assertReply(
        send(buyer, "PUT", price, "{\"price\":12.51}"),
        200,
        changedCart("price accepted", cart(item, 2, false)).replace("12.5}", "12.51}"));
    send(seller, "PUT", "/api/sellers/items/" + item + "/price", "{\"price\":12.5}");
    send(buyer, "PUT", price, "{\"price\":12.5}");
    send(seller, "PUT", "/api/sellers/items/" + item + "/quantity", "{\"quantity\":3}");
    assertProblem(send(buyer, "POST", "/api/purchases", CARD), 409, "OUT_OF_STOCK");
    assertThat(send(buyer, "GET", "/api/cart", "").body()).isEqualTo(cart(item, 2, false));
    assertThat(buyer.purchases()).hasSize(before);

    send(buyer, "DELETE", "/api/cart/items/" + item, "{\"quantity\":1}");
    Reply again = buyer.send("POST", "/api/purchases", CARD, key); // a repeat authorises anew
    assertReply(again, 201, "{\"message\":\"purchased\",\"items_purchased\":1}");
    assertThat(market.store().http().audit().body()).startsWith("{\"ok\":true");
  }

  private static String user(String name) {
    return format("{\"username\":\"%s\",\"password\":\"secret\"}", name);
  }

  @Test
  void keyIgnoresTheCardAndBelongsToTheUser() throws IOException {
    long item = addCastle();
    var buyers = List.of(buyer, market.otherBuyer());
    String key = UUID.randomUUID().toString();
    for (MarketplaceClient it : buyers) {
      assertThat(it.addToCart(item, 1).status()).isEqualTo(201);
      assertReply(
          it.send("POST", "/api/purchases", CARD, key),
          201,
          "{\"message\":\"purchased\",\"items_purchased\":1}");
    }
    Reply otherCard = buyer.send("POST", "/api/purchases", OTHER_CARD, key);
    assertThat(otherCard.status()).isEqualTo(201);
    assertThat(otherCard.header("Idempotency-Replayed")).containsExactly("true");
    assertThat(buyer.item(item).get("quantity").intValue()).isEqualTo(2);
  }

  @Test
  void loginAndLogoutIgnoreTheKey() throws IOException {
    String[] key = {"Idempotency-Key", "same"};
    String bob = "{\"username\":\"bob\",\"password\":\"password of bob\"}";
    Reply one = market.anonymous("POST", "/api/buyers/login", bob, key);
    Reply two = market.anonymous("POST", "/api/buyers/login", bob, key);
    assertThat(two.status()).isEqualTo(200);
    assertThat(two.body()).isNotEqualTo(one.body());
    assertThat(
            market
                .anonymous("POST", "/api/buyers/login", bob.replace("bob\"}", "x\"}"), key)
                .status())
        .isEqualTo(401);
  }
}
