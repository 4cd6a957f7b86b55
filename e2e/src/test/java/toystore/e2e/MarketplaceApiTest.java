package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.e2e.MarketplaceStore.CARD;
import static toystore.e2e.MarketplaceStore.send;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import toystore.clients.HttpTestClient.Reply;
import toystore.clients.MarketplaceClient;

/// The marketplace's REST API, row by row, over real HTTP and real files.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class MarketplaceApiTest {
  private static final String CASTLE =
      "{\"name\":\"Brick castle\",\"category\":%d,\"keywords\":[\"lego\",\"Castle\"],\"condition\":\"used\",\"price\":12.5,\"quantity\":4}";
  private static final String OTHER_CARD = CARD.replace("4111111111111111", "4242424242424242");

  private MarketplaceStore market;
  private MarketplaceClient seller;
  private MarketplaceClient buyer;
  private int category;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    market = MarketplaceStore.in(folder);
    seller = market.seller();
    buyer = market.buyer();
  }

  @AfterAll
  void stop() {
    market.close();
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
    assertReply(
        added,
        201,
        String.format(Locale.ROOT, "{\"message\":\"item added\",\"item_id\":%d}", item));
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

  @Test
  void storeIsReady() throws IOException {
    assertReply(market.anonymous("GET", "/health", ""), 200, "{\"status\":\"UP\"}");
  }

  @ParameterizedTest
  @CsvSource({"buyer", "seller"})
  void userRegistersLogsInAndLogsOut(String role) throws IOException {
    String path = "/api/" + role + "s/";
    String user =
        String.format(Locale.ROOT, "{\"username\":\"%s\",\"password\":\"secret\"}", "n".repeat(32));
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
    assertReply(
        login,
        200,
        String.format(Locale.ROOT, "{\"message\":\"logged in\",\"token\":\"%s\"}", token));
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
    return String.format(
        Locale.ROOT, "{\"message\":\"%s registered\",\"token\":null,\"id\":%d}", role, id);
  }

  @ParameterizedTest
  @CsvSource({"buyer", "seller"})
  void nobodyRegistersANameThatLooksLikeAnother(String role) throws IOException {
    String path = "/api/" + role + "s/";
    String user = "{\"username\":\"%s\",\"password\":\"secret\"}";
    assertThat(
            market
                .anonymous("POST", path + "register", String.format(Locale.ROOT, user, "René"))
                .status())
        .isEqualTo(201);

    for (String form : List.of("RENÉ", "Rene\u0301", "\\uFF32ené")) {
      assertProblem(
          market.anonymous("POST", path + "register", String.format(Locale.ROOT, user, form)),
          409,
          "USERNAME_TAKEN");
      assertThat(
              market
                  .anonymous("POST", path + "login", String.format(Locale.ROOT, user, form))
                  .status())
          .isEqualTo(200);
    }
    for (String invalid : List.of(" René", "René\u00A0", "Re\u200Bné", "René\\u0000", "René🧸")) {
      assertProblem(
          market.anonymous("POST", path + "register", String.format(Locale.ROOT, user, invalid)),
          400,
          "INVALID");
    }
    assertThat(
            market
                .anonymous(
                    "POST", path + "register", String.format(Locale.ROOT, user, "Re\u200Bné"))
                .json()
                .get("detail")
                .stringValue())
        .startsWith("username contains ZERO WIDTH SPACE (U+200B) at position 3; ");
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
        String.format(
            Locale.ROOT,
            "{\"item\":%s}",
            String.format(Locale.ROOT, view, item, category, "12.5", 4, rating)));

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
        String.format(
            Locale.ROOT,
            "{\"items\":[%s]}",
            String.format(Locale.ROOT, view, item, category, "12.0", 1, rating)));
    assertReply(
        send(seller, "GET", "/api/sellers/items?limit=1&after=" + (item - 1), ""),
        200,
        String.format(
            Locale.ROOT,
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
    return String.format(Locale.ROOT, "{\"message\":\"%s\",", message) + cart.substring(1);
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
    return String.format(Locale.ROOT, "{\"item_id\":%d,\"quantity\":%d}", item, quantity);
  }

  private static String cart(long item, int quantity, boolean saved) {
    return String.format(
        Locale.ROOT,
        "{\"cart\":[{\"item_id\":%d,\"quantity\":%d,\"saved\":%s,\"name\":\"Brick castle\",\"price\":12.5}]}",
        item,
        quantity,
        saved);
  }

  @Test
  void cartHolds50Lines() throws IOException {
    for (int i = 0; i < 50; i++) {
      assertThat(buyer.addToCart(addCastle(), 1).status()).isEqualTo(201);
    }
    assertProblem(send(buyer, "POST", "/api/cart/items", line(addCastle(), 1)), 409, "CART_FULL");
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
            String.format(
                Locale.ROOT,
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

  @Test
  void keyReplaysTheFirstAnswerAndRefusesAnotherRequest() throws IOException {
    long item = addCastle();
    replays(null, 201, "/api/buyers/register", user("kim"), user("kit"));
    replays(null, 201, "/api/sellers/register", user("kim"), user("kit"));
    replays(
        seller,
        201,
        "/api/sellers/items",
        String.format(Locale.ROOT, CASTLE, category),
        String.format(Locale.ROOT, CASTLE, 99_999));
    replays(buyer, 201, "/api/cart/items", line(item, 1), line(item, 2));
    assertThat(buyer.cart()).containsEntry(item, 1L);
    replays(buyer, 200, "/api/cart/save", "", null);
    replays(buyer, 201, "/api/purchases", CARD, null);
    assertThat(buyer.item(item).get("quantity").intValue()).isEqualTo(3);
    replays(
        buyer,
        201,
        "/api/items/" + item + "/feedback",
        "{\"feedback\":\"up\"}",
        "{\"feedback\":\"down\"}");
    assertThat(buyer.item(item).get("thumbs_up").intValue()).isEqualTo(1);
    assertThat(buyer.item(item).get("thumbs_down").intValue()).isZero();
  }

  private static String user(String name) {
    return String.format(Locale.ROOT, "{\"username\":\"%s\",\"password\":\"secret\"}", name);
  }

  /// @param other a body that is another request; null: there is none
  private void replays(
      @Nullable MarketplaceClient user,
      int status,
      String path,
      String body,
      @Nullable String other)
      throws IOException {
    String key = "key of " + path + UUID.randomUUID();
    Reply first = sendWithKey(user, path, body, key);
    assertThat(first.status()).as(first.body()).isEqualTo(status);
    assertThat(first.header("Idempotency-Key")).containsExactly(key);
    assertThat(first.header("Idempotency-Replayed")).isEmpty();

    Reply repeat = sendWithKey(user, path, body, key);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(repeat.status()).isEqualTo(status);
    assertThat(repeat.header("Idempotency-Replayed")).containsExactly("true");
    if (other != null) {
      assertProblem(sendWithKey(user, path, other, key), 422, "KEY_REUSED");
    }
  }

  private Reply sendWithKey(@Nullable MarketplaceClient user, String path, String body, String key)
      throws IOException {
    return user == null
        ? market.anonymous("POST", path, body, "Idempotency-Key", key)
        : user.send("POST", path, body, key);
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

  /// Method, path and a body with `%s`, then values of a field that are refused.
  static Stream<List<String>> badFields() {
    String user = "{\"username\":%s,\"password\":%s}";
    String item =
        "{\"name\":%s,\"category\":%s,\"keywords\":%s,\"condition\":%s,\"price\":%s,\"quantity\":%s}";
    List<String> noText = List.of("\"\"", "null", "7", "[]", "{}", "true");
    List<String> noCount =
        List.of("0", "-1", "1.5", "1.0", "\"1\"", "2147483648", "null", "[]", "1e1");
    List<String> noPrice =
        List.of("0", "-1", "0.001", "\"1\"", "1000000000.01", "null", "[1]", "1e99");
    var all = new ArrayList<List<String>>();
    for (String role : List.of("buyers", "sellers")) {
      for (String action : List.of("register", "login")) {
        String path = "/api/" + role + "/" + action;
        bad(all, "POST", path, String.format(Locale.ROOT, user, "%s", "\"p\""), noText);
        bad(
            all,
            "POST",
            path,
            String.format(Locale.ROOT, user, "%s", "\"p\""),
            List.of("\"" + "n".repeat(33) + "\"", "\"a\\nb\"", "\"\\ud800\""));
        bad(all, "POST", path, String.format(Locale.ROOT, user, "\"u\"", "%s"), noText);
        bad(
            all,
            "POST",
            path,
            String.format(Locale.ROOT, user, "\"u\"", "%s"),
            List.of("\"" + "p".repeat(73) + "\"", "\"" + "ä".repeat(37) + "\"", "\"\\udc00\""));
        bad(all, "POST", path, "%s", List.of("", "{}", "[]", "null", "{\"username\":\"u\"}"));
        bad(all, "POST", path, "%s", List.of("{\"username\":\"u\",\"password\":\"p\",\"x\":1}"));
      }
    }
    String[] good = {"\"Castle\"", "1", "[]", "\"new\"", "1.5", "1"};
    List<List<String>> refused =
        List.of(
            Stream.concat(
                    noText.stream(),
                    Stream.of(
                        "\"a/b\"",
                        "\"50%\"",
                        "\" a\"",
                        "\"..\"",
                        "\"a;b\"",
                        "\"" + "n".repeat(33) + "\""))
                .toList(),
            List.of("-1", "2147483648", "1.5", "\"1\"", "null", "[]"),
            List.of(
                "\"lego\"",
                "[\"\"]",
                "[\"123456789\"]",
                "[\"a,b\"]",
                "[\"a \"]",
                "[7]",
                "[[]]",
                "7",
                "{}"),
            List.of("\"NEW\"", "\"old\"", "\"\"", "null", "1"),
            noPrice,
            noCount);
    for (int field = 0; field < good.length; field++) {
      String[] values = good.clone();
      values[field] = "%s";
      bad(
          all,
          "POST",
          "/api/sellers/items",
          String.format(Locale.ROOT, item, (Object[]) values).replace("50%", "50%%"),
          refused.get(field));
    }
    bad(
        all,
        "POST",
        "/api/sellers/items",
        String.format(Locale.ROOT, item, "\"C\"", "1", "%s", "\"new\"", "1", "1"),
        List.of("[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]"));
    bad(all, "PUT", "/api/sellers/items/ITEM/price", "{\"price\":%s}", noPrice);
    bad(all, "PUT", "/api/sellers/items/ITEM/quantity", "{\"quantity\":%s}", noCount);
    bad(all, "PUT", "/api/sellers/items/ITEM/price", "%s", List.of("", "{}", "{\"price\":"));
    bad(all, "POST", "/api/cart/items", "{\"item_id\":ITEM,\"quantity\":%s}", noCount);
    bad(
        all,
        "POST",
        "/api/cart/items",
        "{\"item_id\":%s,\"quantity\":1}",
        List.of("0", "-1", "1.5", "\"1\"", "null", "9223372036854775808"));
    bad(all, "POST", "/api/cart/items", "%s", List.of("", "{}", "{\"item_id\":ITEM}"));
    bad(all, "DELETE", "/api/cart/items/ITEM", "{\"quantity\":%s}", noCount);
    bad(all, "DELETE", "/api/cart/items/ITEM", "%s", List.of("", "{}", "[]"));
    for (String field :
        List.of("card_holder_name", "card_number", "expiration_date", "security_code")) {
      String card =
          CARD.replaceFirst(String.format(Locale.ROOT, "(\"%s\"):\"[^\"]*\"", field), "$1:%s");
      bad(all, "POST", "/api/purchases", card, noText);
      bad(all, "POST", "/api/purchases", card, List.of("\"" + "1".repeat(101) + "\""));
    }
    String card = CARD.replace("\"4111111111111111\"", "%s");
    bad(
        all,
        "POST",
        "/api/purchases",
        card,
        List.of("\"411111111111\"", "\"41111111111111111111\"", "\"4111 1111 1111 1111\""));
    bad(all, "POST", "/api/purchases", card, List.of("4111111111111111", "\"411111111111111x\""));
    card = CARD.replace("\"12/30\"", "%s");
    bad(
        all,
        "POST",
        "/api/purchases",
        card,
        List.of("\"00/30\"", "\"13/30\"", "\"1/30\"", "\"12/2030\"", "\"12-30\"", "\"1230\""));
    card = CARD.replace("\"123\"", "%s");
    bad(all, "POST", "/api/purchases", card, List.of("\"12\"", "\"12345\"", "\"12a\"", "123"));
    bad(all, "POST", "/api/items/ITEM/feedback", "{\"feedback\":%s}", noText);
    bad(all, "POST", "/api/items/ITEM/feedback", "%s", List.of("", "{}", "up"));
    return all.stream();
  }

  private static void bad(
      List<List<String>> all, String method, String path, String form, List<String> values) {
    values.forEach(value -> all.add(List.of(method, path, form.replace("%s", value))));
  }

  /// One test with all fields, because each comparison of the whole state needs five requests.
  @Test
  void badInputOfEveryFieldIsRefusedAndChangesNothing() throws IOException {
    long item = addCastle();
    buyer.addToCart(item, 1);
    String before = market.everything(item);
    var wrong = new ArrayList<String>();
    for (List<String> request : badFields().toList()) {
      String path = request.get(1).replace("ITEM", "" + item);
      String body = request.get(2).replace("ITEM", "" + item);
      Reply reply =
          send(path.contains("/sellers/") ? seller : buyer, request.getFirst(), path, body);
      if (reply.status() != 400
          || !reply.header("Content-Type").equals(List.of("application/problem+json"))) {
        wrong.add(request + " → " + reply.status() + " " + reply.body());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(market.everything(item)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("doors")
  void storeDoesNotKnowASellersItem(String method, String path, String body, int status)
      throws IOException {
    Reply added =
        send(
            seller,
            "POST",
            "/api/sellers/items",
            String.format(Locale.ROOT, CASTLE, category).replace("Brick castle", "Zeppelin"));
    long item = added.json().get("item_id").longValue();
    String token = market.administratorsToken();

    Reply reply =
        market.anonymous(
            method, path.replace("ID", "" + item), body, "Authorization", "Bearer " + token);

    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    if (status == 200) {
      assertThat(reply.body()).doesNotContain("Zeppelin\"");
    }
    assertThat(buyer.item(item).get("quantity").intValue()).isEqualTo(4);
    assertThat(buyer.item(item).get("price").decimalValue()).isEqualByComparingTo("12.5");
  }

  static Stream<Arguments> doors() {
    return Stream.of(
        door("GET", "/products/Zeppelin", "", 404),
        door("GET", "/products/ID", "", 404),
        door("GET", "/products?q=Zeppelin", "", 200),
        door("GET", "/products?limit=200", "", 200),
        door("GET", "/products?limit=200&after=W", "", 200),
        door("GET", "/products?category=1", "", 200),
        door("GET", "/stocks/Zeppelin", "", 404),
        door("GET", "/stocks?stockname=Zeppelin", "", 404),
        door("GET", "/stocks?limit=200", "", 200),
        door("POST", "/orders", "{\"name\":\"Zeppelin\",\"quantity\":1}", 404),
        door("POST", "/orders", "{\"name\":\"Zeppelin\",\"quantity\":1,\"type\":\"buy\"}", 404),
        door("POST", "/orders", "{\"name\":\"Zeppelin\",\"quantity\":1,\"type\":\"sell\"}", 404),
        door("POST", "/orders", "{\"lines\":[{\"name\":\"Zeppelin\",\"quantity\":1}]}", 404),
        door("PATCH", "/products/Zeppelin", "{\"price\":1}", 404),
        door("DELETE", "/products/Zeppelin", "", 404),
        door("POST", "/products/Zeppelin/restock", "{\"quantity\":1}", 404),
        door("POST", "/stocks/Zeppelin/resume", "{}", 404),
        door("GET", "/find?q=Zeppelin", "", 200),
        door("GET", "/orders?limit=200", "", 200));
  }

  private static Arguments door(String method, String path, String body, int status) {
    return Arguments.of(method, path, body, status);
  }

  @Test
  void orderNumbersStayConsecutiveWhilePurchasesHappen() throws IOException {
    long item = addCastle();
    long first = orderNumber();
    for (int i = 1; i <= 3; i++) {
      buyer.addToCart(item, 1);
      assertThat(send(buyer, "POST", "/api/purchases", CARD).status()).isEqualTo(201);
      assertThat(orderNumber()).isEqualTo(first + i);
    }
    for (int i = 0; i <= 3; i++) {
      assertThat(market.anonymous("GET", "/orders/" + (first + i), "").body()).contains("Tux");
    }
    assertThat(market.anonymous("GET", "/orders/" + (first + 4), "").status()).isEqualTo(404);
    assertThat(market.store().http().audit().body()).startsWith("{\"ok\":true");
  }

  private long orderNumber() throws IOException {
    return market.store().buy("Tux").json().required("data").get("order_number").longValue();
  }
}
