package toystore.frontend.page.market;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.frontend.page.PageForms.field;
import static toystore.frontend.page.PageForms.location;
import static toystore.frontend.page.PageForms.notice;
import static toystore.frontend.page.PageForms.with;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.account.v1.AccountServiceGrpc;
import toystore.frontend.LoggedWarnings;
import toystore.frontend.RunningFrontend;
import toystore.frontend.TestMarket;
import toystore.frontend.exchange.FeedConnection;
import toystore.frontend.page.PageForms;
import toystore.order.v1.HasPurchasedResponse;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.platform.error.ErrorReason;

/// The pages of the marketplace and the exchange: cookies, CSRF tokens, keys, error texts. Tests in
/// a real browser are in `e2e`.
class MarketPageTest {
  private static final String PORT = "-" + RunningFrontend.open().port;
  private static final String COOKIE = "toystore-session" + PORT + "=";
  private static final String NOTICE = "toystore-notice" + PORT + "=";
  private static final TestMarket MARKET = TestMarket.open(RunningFrontend.open());
  private static final String ITEM = "/market/items/" + MARKET.item();
  private static final String ACCOUNT = "/exchange/accounts/" + MARKET.account();
  private static final String BUYER = COOKIE + MARKET.buyer();
  private static final String SELLER = COOKIE + MARKET.seller();
  private static final String NUMBER = "4111 1111 1111 1111";
  private static final Map<String, String> CARD =
      Map.of(
          "cart", MARKET.item() + ":2@1250",
          "card-holder", "Holda Bear",
          "card-number", NUMBER,
          "card-expiry", "11/31",
          "card-code", "987");
  private static final Map<String, String> LIMIT_ORDER =
      Map.of("symbol", MARKET.symbol(), "side", "buy", "shares", "0.5", "limit", "125");
  private static final Map<String, String> NEW_ITEM =
      Map.of(
          "name", "Kite",
          "category", "4",
          "keywords", "air, sky",
          "condition", "new",
          "price", "7.5",
          "quantity", "3");

  private final RunningFrontend shop = RunningFrontend.open();

  /// The fields of a form to log in or to register, of a new buyer.
  private Map<String, String> newUser() {
    String name = UUID.randomUUID().toString().substring(9);
    return Map.of("role", "buyer", "username", name, "password", "hunter2hunter2", "key", name);
  }

  private static Stream<String> routes() {
    return RunningFrontend.routes(RunningFrontend.open().frontend)
        .filter(it -> it.contains(" /market") || it.contains(" /exchange"))
        .filter(it -> !it.matches(".*/(login|register)"))
        .map(it -> it.replaceAll("\\{\\w+\\}", "153"));
  }

  private static Stream<String> forms() {
    return routes().filter(it -> it.startsWith("POST "));
  }

  @ParameterizedTest
  @MethodSource("routes")
  void pageWithoutASessionRedirectsToTheLogin(String route) {
    var nobody = send(route, "");
    assertThat(nobody.statusCode()).isEqualTo(303);
    assertThat(nobody.headers().firstValue("Location")).hasValue("/market/login");
    boolean isForm = route.startsWith("POST ");
    assertThat(notice(nobody)).isEqualTo(isForm ? "NOT_LOGGED_IN" : "");

    var ended = send(route, "", "Cookie", COOKIE + "dead");
    assertThat(ended.statusCode()).isEqualTo(303);
    assertThat(ended.headers().firstValue("Location")).hasValue("/market/login");
    assertThat(notice(ended)).isEqualTo(isForm ? "NOT_LOGGED_IN" : "SESSION_ENDED");
    assertThat(ended.headers().firstValue("Set-Cookie").orElse(""))
        .startsWith(COOKIE + "; Path=/; Max-Age=0;")
        .endsWith("HttpOnly; SameSite=Lax");
    assertThat(shop.faults.sent()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/market/login|SESSION_ENDED|Your session has ended. Please log in again.",
        "/market/login|NOT_LOGGED_IN|You are not logged in any more, so nothing was done. Please"
            + " log in and try again.",
        "/market/selling|ITEM_ADDED|The item is on sale.",
        "/exchange|ORDER_PLACED|Your order was placed."
      })
  void noticeOfAFormIsShownOnceAndNoLinkCanMakeIt(String path, String code, String text) {
    String session = path.equals("/market/selling") ? SELLER : BUYER;

    var shown = send("GET " + path, "", "Cookie", session + "; " + NOTICE + code);
    assertThat(shown.body()).contains(text, "role=\"status\"");
    assertThat(shown.headers().allValues("Set-Cookie"))
        .containsExactly(
            NOTICE
                + "; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax");

    var linked = send("GET " + path + "?done=" + code, "", "Cookie", session);
    assertThat(linked.statusCode()).isEqualTo(200);
    assertThat(linked.body()).doesNotContain(text);
    assertThat(linked.headers().allValues("Set-Cookie")).isEmpty();
    assertThat(send("GET " + path, "", "Cookie", session + "; " + NOTICE + "<b>").body())
        .doesNotContain("class=\"note good\"", "<b>");
  }

  @ParameterizedTest
  @MethodSource("forms")
  void formWithoutTheTokenOfItsSessionIsRefused(String route) {
    String others = csrf(SELLER);
    for (String form : List.of("key=k", "key=k&csrf=", "key=k&csrf=x", "key=k&csrf=" + others)) {
      var refused = send(route, form, "Cookie", BUYER);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body())
          .contains("This form belongs to another session, which has ended, so nothing was done.");
    }
    assertThat(shop.faults.sent()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void formFromAnotherSiteIsRefused(String route) {
    String form = "key=k&csrf=" + csrf(BUYER);
    for (String route2 : List.of(route, "POST /market/login", "POST /market/register")) {
      assertThat(send(route2, form, "Cookie", BUYER, "Origin", "http://evil.example").statusCode())
          .isEqualTo(403);
      assertThat(send(route2, form, "Cookie", BUYER, "Sec-Fetch-Site", "cross-site").statusCode())
          .isEqualTo(403);
    }
    assertThat(shop.faults.sent()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void malformedFormIsRefusedAndLogsNothing(String route) {
    String buyer = COOKIE + shop.newBuyer(); // one of the forms ends the session
    String valid = "key=k&csrf=" + csrf(buyer);
    try (var warnings = new LoggedWarnings()) {
      for (String malformed :
          List.of("name=%ff", "name=%ED%A0%80", "name=%zz", "name=%", "key=k", "%ff=1")) {
        for (String route2 : List.of(route, "POST /market/login", "POST /market/register")) {
          var refused = send(route2, valid + "&" + malformed, "Cookie", buyer);
          assertThat(refused.statusCode()).as(route2 + " " + malformed).isEqualTo(400);
        }
      }
      for (String unusual :
          List.of("name=%00", "price=1e2147483647", "quantity=" + "9".repeat(60_000), "&&=&")) {
        assertThat(send(route, valid + "&" + unusual, "Cookie", buyer).statusCode())
            .as(unusual)
            .isLessThan(500);
      }
      assertThat(warnings.lines()).isEmpty();
    }
  }

  /// A browser sends all fields of a form, and a field that comes twice is refused.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/market/items/{item}",
        "/market/cart",
        "/market/checkout",
        "/market/purchases",
        "/market/selling",
        "/exchange"
      })
  void everyFormHasOneTokenAndOneKey(String path) {
    String cookie = path.equals("/market/selling") ? SELLER : BUYER;
    String page = get(path, cookie);

    var forms = Pattern.compile("(?s)<form [^>]*method=\"post\".*?</form>").matcher(page);
    assertThat(forms.results().map(MatchResult::group))
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(form -> {
          assertThat(form).containsOnlyOnce("name=\"csrf\"");
          if (!form.contains("/market/logout")) {
            assertThat(form).containsOnlyOnce("name=\"key\"");
          }
        });
  }

  /// The token of forms neither is nor reveals the token of the session.
  @Test
  void formTokenIsAMacOfTheSessionToken() {
    assertThat(csrf(BUYER)).hasSize(43).isEqualTo(csrf(BUYER)).isNotEqualTo(csrf(SELLER));
    assertThat(send("GET /market/cart", "", "Cookie", BUYER).body()).doesNotContain(MARKET.buyer());
    assertThat(
            shop.send("GET", "/api/cart", "", "Authorization", "Bearer " + csrf(BUYER))
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void loginSetsACookieForPagesOnly() {
    var user = newUser();
    post("/market/register", user);
    var login = post("/market/login", user);

    assertThat(login.statusCode()).isEqualTo(303);
    assertThat(login.headers().firstValue("Location")).hasValue("/market");
    assertThat(login.headers().allValues("Set-Cookie"))
        .singleElement()
        .asString()
        .matches(COOKIE + "[\\w-]{20,}; Path=/; HttpOnly; SameSite=Lax");
    assertThat(login.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(shop.faults.last(AccountServiceGrpc.getLoginMethod()).getClientAddress())
        .isEqualTo("127.0.0.1");

    var secure = post("/market/login", user, "Origin", "https://127.0.0.1:" + shop.port);
    assertThat(secure.headers().allValues("Set-Cookie"))
        .singleElement()
        .asString()
        .matches("__Host-" + COOKIE + "[\\w-]{20,}; Path=/; Secure; HttpOnly; SameSite=Lax");
    assertThat(send("GET /market/cart", "", "Cookie", "__Host-" + BUYER).statusCode())
        .isEqualTo(200);
    for (String proto : List.of("https", "https, http", "HTTPS,http")) {
      var planted = send("GET /market/cart", "", "Cookie", BUYER, "X-Forwarded-Proto", proto);
      assertThat(location(planted)).as(proto).isEqualTo("/market/login");
    }
    for (String proto : List.of("http", "http, https", "", ",https")) {
      var plain = send("GET /market/cart", "", "Cookie", BUYER, "X-Forwarded-Proto", proto);
      assertThat(plain.statusCode()).as(proto).isEqualTo(200);
    }
  }

  @Test
  void cookieOfAnotherPortOfTheHostIsNoSession() {
    for (String name : List.of("toystore-session", "toystore-session-1")) {
      String other = name + "=" + MARKET.buyer();
      assertThat(location(send("GET /market/cart", "", "Cookie", other)))
          .isEqualTo("/market/login");
      assertThat(send("GET /market/cart", "", "Cookie", other + "; " + BUYER).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void loginEndsTheSessionWhoseCookieItReplaces() {
    var user = newUser();
    String first = cookie(post("/market/register", user));
    String second = cookie(post("/market/login", user, "Cookie", first));
    assertThat(location(send("GET /market/cart", "", "Cookie", first))).isEqualTo("/market/login");

    post("/market/login", with(user, "password", "another password"), "Cookie", second);
    assertThat(get("/market/cart", second)).as("after a failed login").contains("Log out");
    String others = second.replace(COOKIE, "toystore-session-1=");
    post("/market/login", user, "Cookie", others);
    assertThat(get("/market/cart", second)).as("another store's session").contains("Log out");
    assertThat(post("/market/login", user, "Cookie", COOKIE + "dead").statusCode()).isEqualTo(303);
    post("/market/register", newUser(), "Cookie", second);
    assertThat(location(send("GET /market/cart", "", "Cookie", second))).isEqualTo("/market/login");
  }

  private static String cookie(HttpResponse<String> login) {
    return login.headers().allValues("Set-Cookie").stream()
        .filter(it -> it.startsWith(COOKIE))
        .collect(Collectors.joining())
        .replaceFirst(";.*", "");
  }

  @Test
  void cookieDoesNotAuthenticateTheApi() {
    for (String route :
        List.of(
            "GET /api/cart",
            "GET /api/buyers/purchases",
            "GET /api/items/153",
            "POST /api/cart/save",
            "POST /api/buyers/logout")) {
      assertThat(send(route, "", "Cookie", BUYER).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void pagesOfTheShopIgnoreTheSession() {
    var before = send("GET /products/Tux", "", "Accept", "text/html");
    var within = send("GET /products/Tux", "", "Accept", "text/html", "Cookie", BUYER);

    assertThat(within.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(within.body().replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "KEY"))
        .isEqualTo(before.body().replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "KEY"))
        .contains("<a href=\"/market\">Marketplace</a>");
  }

  @ParameterizedTest
  @CsvSource({
    "/market?category=3&keywords=lego,Brick castle",
    "/market/items/{item},Add to cart",
    "/market/cart,€25.00",
    "/market/checkout,Pay €25.00</button>",
    "/market/purchases,UTC</time>"
  })
  void pagesOfABuyerAreNeverStored(String path, String text) {
    var page = send("GET " + path.replace("{item}", "" + MARKET.item()), "", "Cookie", BUYER);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("Brick castle", text, "Log out", "Purchases</a>");
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'none'; script-src 'self';")
        .endsWith("frame-ancestors 'none'");
  }

  @Test
  void listsOfItemsShowTheNextPage() {
    String seller = shop.newSeller();
    for (int i = 0; i < 25; i++) {
      addKite(seller, "\"toy car\",\"a&b\"");
    }
    assertThat(get("/market?category=4&keywords=a%26b+toy", BUYER))
        .contains("href=\"/market?category=4&amp;keywords=a%26b%20toy&amp;after=");
    assertThat(get("/market?category=4&keywords=red,+a%26b", BUYER)).contains("<bdi>Kite</bdi>");
    assertThat(get("/market/selling", COOKIE + seller)).contains("href=\"/market/selling?after=");
    assertThat(send("GET /market?category=x", "", "Cookie", BUYER).statusCode()).isEqualTo(400);
    assertThat(get("/market?category=3&keywords=a,b,c,d,e,f", BUYER))
        .contains("keywords must be at most 5 words, got 6.");
  }

  @Test
  void searchWithoutACategoryAsksForAll() {
    String words = PageForms.encode(Map.of("keywords", "Kašpárek בובה"));
    submit("/market/selling", SELLER, with(NEW_ITEM, "keywords", "KAŠPÁREK"));

    for (String query : List.of("category=", "category=+", "keywords=castle")) {
      assertThat(get("/market?" + query + "&keywords=castle", BUYER)).contains("Brick castle");
    }
    assertThat(get("/market?category=&" + words, BUYER))
        .contains(
            "<bdi>Kite</bdi>",
            "value=\"Kašpárek בובה\"",
            "<option value=\"\">All categories</option>",
            "<option value=\"3\">Building sets</option>");
    assertThat(send("GET /market?category=-1", "", "Cookie", BUYER).statusCode()).isEqualTo(400);
  }

  @Test
  void pageWithoutASearchNeedsNoCatalog() {
    var page = send("GET /market?keywords=", "", "Cookie", BUYER);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("All categories").doesNotContain("No items match");
    assertThat(shop.faults.sent()).isEmpty();
  }

  @Test
  void searchWithoutAMatchSaysSo() {
    String longWord = "Kašpárkovo"; // longer than any keyword
    var page =
        send(
            "GET /market?category=&" + PageForms.encode(Map.of("keywords", longWord)),
            "",
            "Cookie",
            BUYER);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("No items match your search.", longWord);
  }

  /// Items that came over the API may have a category without a name.
  @Test
  void chosenCategoryStaysChosenAlsoWithoutAName() {
    assertThat(send("GET /market?category=3", "", "Cookie", BUYER).body())
        .contains("<option value=\"3\" selected=\"selected\">Building sets</option>");
    assertThat(send("GET /market?category=2147483647", "", "Cookie", BUYER).body())
        .contains(
            "<option value=\"2147483647\" selected=\"selected\">Category 2147483647</option>");
    assertThat(get(ITEM, BUYER)).contains("<dt>Category</dt><dd>Building sets</dd>");
    assertThat(get("/market/selling", SELLER)).contains("Building sets, used, 1 sold");
  }

  private static Stream<String> routesOfOneRole() {
    return routes()
        .filter(it -> it.matches(".*/(selling|cart|checkout|purchases)\\b.*|POST .*/items/.*"));
  }

  @ParameterizedTest
  @MethodSource("routesOfOneRole")
  void pageOfTheOtherRoleIsRefused(String route) {
    boolean selling = route.contains("/selling");
    String cookie = selling ? BUYER : SELLER;
    String form = "key=k&csrf=" + csrf(cookie);
    var refused = send(route, form, "Cookie", cookie, "Accept", "text/html");

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body())
        .contains(
            "log in with your other account: this page is for "
                + (selling ? "sellers." : "buyers."));
    assertThat(shop.faults.sent()).isEmpty();
  }

  @Test
  void sellerListsAddsRepricesAndRemoves() {
    String seller = COOKIE + shop.newSeller();
    assertThat(get("/market/selling", SELLER)).contains("Brick castle", "1 up, 0 down", "€12.50");

    for (int i = 0; i < 2; i++) {
      var added = submit("/market/selling", seller, NEW_ITEM);
      assertThat(location(added)).isEqualTo("/market/selling");
    }
    String page = get("/market/selling", seller);
    assertThat(page).containsOnlyOnce("<bdi>Kite</bdi></a>").contains("€7.50", "3 in stock");
    String item =
        "/market/selling/" + page.replaceFirst("(?s).*/market/selling/(\\d+)/price.*", "$1");

    var price = Map.of("price", "0.99", "expectedPrice", "7.5");
    assertThat(submit(item + "/price", seller, price).statusCode()).isEqualTo(303);
    assertThat(get("/market/selling", seller)).contains("€0.99");
    assertThat(submit(item + "/price", seller, price).statusCode()).isEqualTo(409);

    var one = Map.of("quantity", "1");
    assertThat(submit(item + "/remove", seller, with(one, "seen", "3")).statusCode())
        .isEqualTo(303);
    assertThat(get("/market/selling", seller)).contains("2 in stock");
    assertThat(submit(item + "/remove", seller, with(one, "seen", "3")).statusCode())
        .isEqualTo(409);
    assertThat(submit(item + "/remove", seller, one).statusCode()).isEqualTo(400);

    var wrong = with(with(NEW_ITEM, "price", "1,50"), "name", "<b>Kite</b>");
    var refused = submit("/market/selling", seller, wrong);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains(
            "price must be a number from 0.01 to 1000000000.00 with at most two decimals",
            "value=\"&lt;b&gt;Kite&lt;/b&gt;\"");
    assertThat(key(refused.body())).isNotEqualTo("k1");
    assertThat(submit("/market/selling", seller, with(NEW_ITEM, "category", "")).body())
        .contains("category must be an integer from 0 to 2147483647");
  }

  @Test
  void formSentTwiceIsDoneOnce() {
    String token = shop.newBuyer();
    String buyer = COOKIE + token;
    for (int i = 0; i < 2; i++) {
      var added = submit(ITEM, buyer, Map.of("quantity", "2"));
      assertThat(location(added)).isEqualTo("/market/cart");
      assertThat(notice(added)).isEqualTo("ADDED_TO_CART");
      assertThat(added.headers().allValues("Idempotency-Key")).containsExactly("k1");
      assertThat(get("/market/cart", buyer)).contains("2 × €12.50");
    }
    TestMarket.addToCart(shop, token, addKite(MARKET.seller(), ""), 1);
    var card = with(CARD, "cart", field(get("/market/checkout", buyer), "cart"));
    submit("/market/cart/" + MARKET.item() + "/remove", buyer, Map.of("quantity", "2"));
    card = with(CARD, "cart", field(get("/market/checkout", buyer), "cart"));
    for (int i = 0; i < 2; i++) {
      assertThat(location(submit("/market/checkout", buyer, card))).isEqualTo("/market/purchases");
      assertThat(get("/market/purchases", buyer))
          .contains("Items purchased: <strong id=\"items-purchased\">1</strong>");
    }
    var feedback = "/market/purchases/" + MARKET.item() + "/feedback";
    var unknown = submit(feedback, BUYER, Map.of("feedback", "great"));
    assertThat(unknown.statusCode()).isEqualTo(422);
    assertThat(unknown.body()).contains("feedback must be &quot;up&quot; or &quot;down&quot;");

    var user = newUser();
    assertThat(location(post("/market/register", user))).isEqualTo("/market");
    assertThat(location(post("/market/register", user))).isEqualTo("/market");
    var taken = post("/market/register", with(user, "key", user.get("key") + "2"));
    assertThat(taken.body()).contains("This username is taken.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PRICE_CHANGED|409|A price has changed since you put the item into your cart. Nothing was charged.|false",
        "PURCHASE_RETURNED|409|so this purchase was undone. Nothing was charged.|false",
        "CART_CHANGED|409|Your cart has changed since you opened the page. Nothing was charged.|false",
        "OVERLOADED|503|nothing was done. Please try again.|true",
        "OUTCOME_UNKNOWN|504|Please send the form again: it will not be done twice.|true"
      })
  void failedPurchaseKeepsItsKeyIfTheOutcomeIsOpenAndNeverShowsTheCard(
      String reason, int status, String text, boolean sameKey) {
    shop.faults.fail(PurchaseServiceGrpc.getPurchaseMethod(), ErrorReason.valueOf(reason));

    var page = submit("/market/checkout", BUYER, CARD);

    assertThat(page.statusCode()).isEqualTo(status);
    assertThat(page.body())
        .contains("<title>Error: Check out", text, "role=\"alert\" tabindex=\"-1\" autofocus")
        .doesNotContain(NUMBER, "4111111111111111", "Holda", "\"987\"", "11/31");
    assertThat(page.body())
        .contains(
            "Pay €25.00", "value=\"" + MARKET.item() + ":2@1250\"", "autocomplete=\"cc-number\"");
    assertThat(key(page.body()).equals("k1")).isEqualTo(sameKey);
  }

  @Test
  void purchasesAreShownNewestFirstWithTheirTotals() {
    String token = shop.newBuyer();
    String buyer = COOKIE + token;
    long kite = addKite(MARKET.seller(), "");
    for (int i = 0; i < 25; i++) {
      TestMarket.addToCart(shop, token, kite, i == 24 ? 2 : 1);
      var seen = Map.of("cart", kite + ":" + (i == 24 ? 2 : 1) + "@750", "key", "purchase " + i);
      var form = new HashMap<>(CARD);
      form.putAll(seen);
      assertThat(submit("/market/checkout", buyer, form).statusCode()).isEqualTo(303);
    }

    String page = get("/market/purchases", buyer);
    assertThat(page)
        .containsSubsequence("2 × €7.50 = €15.00", "Total <span>€15.00</span>", "1 × €7.50")
        .containsPattern("paid by card, payment <span>[\\w-]+</span>")
        .contains("Items purchased: <strong id=\"items-purchased\">26</strong>");
    String older = page.replaceFirst("(?s).*href=\"([^\"]*)\">Older purchases.*", "$1");
    assertThat(get(older, buyer)).contains("1 × €7.50").doesNotContain("2 × ", "Older purchases");
  }

  /// Returns the id of a new item.
  private long addKite(String seller, String keywords) {
    String item =
        format(
            "{\"name\":\"Kite\",\"category\":4,\"keywords\":[%s],\"condition\":\"new\",\"price\":7.5,\"quantity\":30}",
            keywords);
    return shop.as(seller, "POST", "/api/sellers/items", item).json().required("item_id").asLong();
  }

  @Test
  void newAccountIsLoggedInAndItsNumberIsShown() {
    var registered = post("/market/register", newUser());

    assertThat(location(registered)).isEqualTo("/market");
    assertThat(notice(registered)).isEqualTo("WELCOME");
    assertThat(get("/market", cookie(registered))).containsPattern(">You are buyer \\d+<");
  }

  @Test
  void feedbackBeforeTheCaptureIsRefused() {
    shop.faults.answer(
        PurchaseServiceGrpc.getHasPurchasedMethod(),
        HasPurchasedResponse.newBuilder().setPending(true).build());
    var page =
        submit("/market/purchases/" + MARKET.item() + "/feedback", BUYER, Map.of("feedback", "up"));

    assertThat(page.statusCode()).isEqualTo(409);
    assertThat(page.body()).contains("The payment for this item is not complete yet.");
  }

  /// A `title` and an `option` hold text only.
  @Test
  void textOfUsersIsIsolatedInEveryTemplate() throws IOException {
    Pattern shown = Pattern.compile("<([\\w:]+)[^>]*? th:text=\"([^\"]*)\"");
    Pattern ofUsers = Pattern.compile("[.{](name|symbol|keywords|category|q|username)\\b|\\{it}");
    var isolated = new ArrayList<String>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/resources/page"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".html")).toList()) {
        String template =
            Files.readString(file)
                .replace("item.keywords.isEmpty()", "")
                .replace("nameOf(item.category)", ""); // the shop's own text
        for (MatchResult it : shown.matcher(template).results().toList()) {
          if (ofUsers.matcher(it.group(2)).find() && !it.group(1).equals("option")) {
            assertThat(it.group(1)).as("%s: %s", file, it.group()).isEqualTo("bdi");
            assertThat(it.group(2)).as("%s: %s", file, it.group()).matches("\\$\\{[\\w.]+}");
            isolated.add(it.group());
          }
        }
      }
    }
    assertThat(isolated).hasSizeGreaterThanOrEqualTo(20);
  }

  @Test
  void purchaseCarriesTheCartThatTheBuyerSaw() {
    var other = submit("/market/checkout", BUYER, with(CARD, "cart", MARKET.item() + ":1@1250"));
    assertThat(other.statusCode()).isEqualTo(409);
    assertThat(other.body()).contains("Your cart has changed since you opened the page.");
    for (String cart : List.of("", "153", "153:2@1250,", "153:-2@1250", "€25.00")) {
      assertThat(submit("/market/checkout", BUYER, with(CARD, "cart", cart)).statusCode())
          .as(cart)
          .isEqualTo(400);
    }
  }

  @Test
  void tooManyLoginsSayWhenToTryAgain() {
    shop.faults.fail(
        AccountServiceGrpc.getLoginMethod(), ErrorReason.TOO_MANY_LOGINS, Duration.ofSeconds(30));

    var page = post("/market/login", newUser());

    assertThat(page.statusCode()).isEqualTo(429);
    assertThat(page.headers().firstValue("Retry-After")).hasValue("30");
    assertThat(page.body()).contains("Please try again in 30 seconds.");
  }

  @Test
  void logoutDeletesTheCookieEvenIfTheServiceIsAway() {
    for (boolean away : List.of(false, true)) {
      String buyer = COOKIE + shop.newBuyer();
      if (away) {
        shop.faults.fail(AccountServiceGrpc.getLogoutMethod(), ErrorReason.NOT_DONE);
      }
      var page = submit("/market/logout", buyer, Map.of());
      assertThat(location(page)).isEqualTo("/market/login");
      assertThat(notice(page)).isEqualTo("LOGGED_OUT");
      assertThat(page.headers().firstValue("Set-Cookie").orElse("")).contains("Max-Age=0");
      assertThat(send("GET /market", "", "Cookie", buyer).statusCode()).isEqualTo(away ? 200 : 303);
    }
  }

  @Test
  void exchangeShowsDepthTradesAndTheAccountsOrders() {
    String symbol = MARKET.symbol();
    long trade = shop.trades().trade(symbol, 40);
    String path = "/exchange?symbol=" + symbol;
    var page = send("GET " + path, "", "Cookie", BUYER);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("script-src 'self'", "connect-src 'self'");
    assertThat(page.body())
        .contains(
            "data-feed=\"/exchange/feed?symbol=" + symbol + "&amp;after=" + trade + "\"",
            "<td>100</td><td>7</td><td>1</td>",
            "<td>125</td><td>999959</td><td>1</td>",
            "<td>125</td><td>40</td><td><time datetime=\"20",
            "99200.5 (and 700 reserved)",
            "buy 8 <bdi>" + symbol + "</bdi> at 100",
            "order " + MARKET.order() + ": 1 executed, 7 open",
            "action=\"" + ACCOUNT + "/orders/" + MARKET.order() + "/cancel\"",
            "<title id=\"prices-title\">The last 2 trades</title>",
            "Price from 100 to 125, last 125; at most 40 units in a trade",
            "Prices from 100 to 125.")
        .containsPattern("<script defer src=\"/assets/exchange-[0-9a-f]+\\.js\">");
    assertThat(get("/exchange", SELLER)).contains("<h2 id=\"market-title\">");
    assertThat(get(path + "&account=" + MARKET.account() + "&orders=" + MARKET.order(), BUYER))
        .doesNotContain("order " + MARKET.order() + ": ", "Older orders");
    assertThat(get("/exchange?symbol=NONE", BUYER))
        .contains("Nobody has received shares of <bdi>NONE</bdi> yet.")
        .doesNotContain("<figure");
  }

  @Test
  void formsOfTheExchangeCarryTheirKeyAndAmounts() {
    String buyer = COOKIE + shop.newBuyer();
    var balance = Map.of("balance", "1000.00000001");
    String opened = location(submit("/exchange/accounts", buyer, balance));
    assertThat(opened).matches("/exchange\\?account=\\d+");
    assertThat(location(submit("/exchange/accounts", buyer, balance))).isEqualTo(opened);
    assertThat(get(opened, buyer)).contains("1000.00000001");
    String account = "/exchange/accounts/" + opened.replaceFirst(".*=", "");
    String shown = opened + "&symbol=" + MARKET.symbol();

    var shares = Map.of("symbol", MARKET.symbol(), "shares", " 2.5 ");
    assertThat(location(submit(account + "/shares", buyer, shares))).isEqualTo(shown);
    assertThat(get(shown, buyer)).contains("2.5 shares");

    for (int i = 0; i < 2; i++) {
      var order = with(LIMIT_ORDER, "limit", "1.5");
      assertThat(location(submit(account + "/orders", buyer, order))).isEqualTo(shown);
    }
    assertThat(get(shown, buyer)).containsOnlyOnce("buy 0.5 <bdi>").contains("at 1.5");
    String cancel = get(shown, buyer).replaceFirst("(?s).*action=\"([^\"]*/cancel)\".*", "$1");
    var canceled = submit(cancel, buyer, Map.of());
    assertThat(location(canceled)).isEqualTo(shown);
    assertThat(notice(canceled)).isEqualTo("ORDER_CANCELED");
  }

  @ParameterizedTest
  @CsvSource({
    "limit,1e3,limit must be an amount from 0.0001",
    "shares,0,shares must be an amount from 0.0001",
    "side,hold,side must be buy or sell",
    "symbol,A-B,symbol must be a string of 1 to 32 letters and digits"
  })
  void refusedOrderIsShownAgainWithItsFields(String field, String value, String text) {
    var wrong = with(LIMIT_ORDER, field, value);
    var refused = submit(ACCOUNT + "/orders", BUYER, wrong);

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains("<title>Error: Exchange", text, "role=\"alert\" tabindex=\"-1\" autofocus");
    assertThat(key(refused.body())).isNotEqualTo("k1");
    if (!field.equals("shares")) {
      assertThat(refused.body()).contains("value=\"0.5\"");
    }
  }

  @Test
  void feedOfThePageNeedsTheCookieAndFeedOfTheApiTheToken() throws Exception {
    try (var feed =
        new FeedConnection(
            shop.port, "/exchange/feed?symbol=" + MARKET.symbol(), "Cookie", BUYER)) {
      assertThat(feed.response.statusCode()).isEqualTo(200);
      assertThat(feed.next()).startsWith("event:depth");
    }
    assertThat(send("GET /api/exchange/feed", "", "Cookie", BUYER).statusCode()).isEqualTo(401);
  }

  private String get(String path, String cookie) {
    return send("GET " + path.replace("{item}", "" + MARKET.item()), "", "Cookie", cookie).body();
  }

  /// Sends a form of a session, with its CSRF token and, unless it has one, key `k1`.
  private HttpResponse<String> submit(String path, String cookie, Map<String, String> fields) {
    var all = with(fields, "csrf", csrf(cookie));
    all.putIfAbsent("key", "k1");
    return post(path, all, "Cookie", cookie);
  }

  private HttpResponse<String> post(String path, Map<String, String> fields, String... headers) {
    return shop.send("POST", path, PageForms.encode(fields), headers);
  }

  private HttpResponse<String> send(String route, String body, String... headers) {
    String[] parts = route.split(" ", 2);
    return shop.send(parts[0], parts[1], body, headers);
  }

  /// The token in the forms of a page that needs no service but the one for sessions.
  private String csrf(String cookie) {
    return field(send("GET /market", "", "Cookie", cookie).body(), "csrf");
  }

  private static String key(String page) {
    return field(page, "key");
  }
}
