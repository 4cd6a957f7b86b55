package toystore.frontend.page.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static toystore.frontend.page.PageForms.field;
import static toystore.frontend.page.PageForms.location;
import static toystore.frontend.page.PageForms.notice;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.account.v1.GiveFeedbackRequest;
import toystore.account.v1.LoginRequest;
import toystore.account.v1.LogoutRequest;
import toystore.catalog.v1.AddItemRequest;
import toystore.catalog.v1.RemoveUnitsRequest;
import toystore.catalog.v1.SearchItemsRequest;
import toystore.catalog.v1.UpdateItemPriceRequest;
import toystore.exchange.v1.AddSharesRequest;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.ListOrdersRequest;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.frontend.FakeMarketplaceServices;
import toystore.frontend.FakedFrontend;
import toystore.frontend.LoggedWarnings;
import toystore.frontend.RunningFrontend;
import toystore.frontend.exchange.FeedConnection;
import toystore.frontend.page.PageForms;
import toystore.order.v1.ListPurchasesRequest;
import toystore.order.v1.PurchaseRequest;
import toystore.platform.error.ErrorReason;

/// The pages of the marketplace and the exchange with fake services: cookies, CSRF tokens, keys,
/// error texts. Tests in a real browser are in `e2e`.
class MarketPageTest {
  private static final String PORT = "-" + FakedFrontend.open().port;
  private static final String COOKIE = "toystore-session" + PORT + "=";
  private static final String NOTICE = "toystore-notice" + PORT + "=";
  private static final String BUYER = COOKIE + FakeMarketplaceServices.BUYER_TOKEN;
  private static final String SELLER = COOKIE + FakeMarketplaceServices.SELLER_TOKEN;
  private static final String NUMBER = "4000 0000 0000 0002";
  private static final Map<String, String> CARD =
      Map.of(
          "cart", "153:2@1250",
          "card-holder", "Holda Bear",
          "card-number", NUMBER,
          "card-expiry", "11/31",
          "card-code", "987");
  private static final Map<String, String> LIMIT_ORDER =
      Map.of("symbol", "ACME", "side", "sell", "shares", "300.5", "limit", "125");
  private static final Map<String, String> ACCOUNT =
      Map.of("role", "buyer", "username", "ann", "password", "hunter2hunter2", "key", "k1");

  private final FakedFrontend shop = FakedFrontend.open();

  private static Stream<String> routes() {
    return RunningFrontend.routes(FakedFrontend.open().frontend)
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
    Object before = lastOfASession();

    var nobody = send(route, "");
    assertThat(nobody.statusCode()).isEqualTo(303);
    assertThat(nobody.headers().firstValue("Location")).hasValue("/market/login");
    boolean isForm = route.startsWith("POST ");
    assertThat(notice(nobody)).isEqualTo(isForm ? "not-logged-in" : "");

    var ended = send(route, "", "Cookie", COOKIE + "dead");
    assertThat(ended.statusCode()).isEqualTo(303);
    assertThat(ended.headers().firstValue("Location")).hasValue("/market/login");
    assertThat(notice(ended)).isEqualTo(isForm ? "not-logged-in" : "session-ended");
    assertThat(ended.headers().firstValue("Set-Cookie").orElse(""))
        .startsWith(COOKIE + "; Path=/; Max-Age=0;")
        .endsWith("HttpOnly; SameSite=Lax");
    assertThat(last()).isSameAs(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/market/login|session-ended|Your session has ended. Please log in again.",
        "/market/login|not-logged-in|You are not logged in any more, so nothing was done. Please log in and try again.",
        "/market/selling|item-added|The item is on sale.",
        "/exchange|order-placed|Your order was placed."
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
    Object before = lastOfASession();

    for (String form : List.of("key=k", "key=k&csrf=", "key=k&csrf=x", "key=k&csrf=" + others)) {
      var refused = send(route, form, "Cookie", BUYER);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body())
          .contains("This form belongs to another session, which has ended, so nothing was done.");
    }
    assertThat(last()).isSameAs(before);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void formFromAnotherSiteIsRefused(String route) {
    String form = "key=k&csrf=" + csrf(BUYER);
    Object before = lastOfASession();

    for (String route2 : List.of(route, "POST /market/login", "POST /market/register")) {
      assertThat(send(route2, form, "Cookie", BUYER, "Origin", "http://evil.example").statusCode())
          .isEqualTo(403);
      assertThat(send(route2, form, "Cookie", BUYER, "Sec-Fetch-Site", "cross-site").statusCode())
          .isEqualTo(403);
    }
    assertThat(last()).isSameAs(before);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void malformedFormIsRefusedAndLogsNothing(String route) {
    String valid = "key=k&csrf=" + csrf(BUYER);
    try (var warnings = new LoggedWarnings()) {
      for (String malformed :
          List.of("name=%ff", "name=%ED%A0%80", "name=%zz", "name=%", "key=k", "%ff=1")) {
        for (String route2 : List.of(route, "POST /market/login", "POST /market/register")) {
          var refused = send(route2, valid + "&" + malformed, "Cookie", BUYER);
          assertThat(refused.statusCode()).as(route2 + " " + malformed).isEqualTo(400);
        }
      }
      for (String unusual :
          List.of("name=%00", "price=1e2147483647", "quantity=" + "9".repeat(60_000), "&&=&")) {
        assertThat(send(route, valid + "&" + unusual, "Cookie", BUYER).statusCode())
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
        "/market/items/153",
        "/market/cart",
        "/market/checkout",
        "/market/purchases",
        "/market/selling",
        "/exchange"
      })
  void everyFormHasOneTokenAndOneKey(String path) {
    String cookie = path.equals("/market/selling") ? SELLER : BUYER;
    String page = send("GET " + path, "", "Cookie", cookie).body();

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
    assertThat(send("GET /market/cart", "", "Cookie", BUYER).body())
        .doesNotContain(FakeMarketplaceServices.BUYER_TOKEN);
    assertThat(
            shop.send("GET", "/api/cart", "", "Authorization", "Bearer " + csrf(BUYER))
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void loginSetsACookieForPagesOnly() {
    var login = post("/market/login", ACCOUNT);

    assertThat(login.statusCode()).isEqualTo(303);
    assertThat(login.headers().firstValue("Location")).hasValue("/market");
    assertThat(login.headers().allValues("Set-Cookie"))
        .containsExactly(COOKIE + "example-token; Path=/; HttpOnly; SameSite=Lax");
    assertThat(login.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(last(LoginRequest.class).getClientAddress()).isEqualTo("127.0.0.1");

    var secure = post("/market/login", ACCOUNT, "Origin", "https://127.0.0.1:" + shop.port);
    assertThat(secure.headers().allValues("Set-Cookie"))
        .containsExactly(
            "__Host-" + COOKIE + "example-token; Path=/; Secure; HttpOnly; SameSite=Lax");
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
      String other = name + "=" + FakeMarketplaceServices.BUYER_TOKEN;
      assertThat(location(send("GET /market/cart", "", "Cookie", other)))
          .isEqualTo("/market/login");
      assertThat(send("GET /market/cart", "", "Cookie", other + "; " + BUYER).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void loginEndsTheSessionWhoseCookieItReplaces() {
    post("/market/login", ACCOUNT, "Cookie", BUYER);
    assertThat(last(LogoutRequest.class).getToken()).isEqualTo(FakeMarketplaceServices.BUYER_TOKEN);
    post("/market/register", ACCOUNT, "Cookie", SELLER);
    assertThat(last(LogoutRequest.class).getToken())
        .isEqualTo(FakeMarketplaceServices.SELLER_TOKEN);

    post("/market/login", ACCOUNT, "Cookie", COOKIE + "dead");
    assertThat(last()).as("nothing to end").isInstanceOf(LoginRequest.class);
    String other = "toystore-session-1=" + FakeMarketplaceServices.BUYER_TOKEN;
    post("/market/login", ACCOUNT, "Cookie", other);
    assertThat(last()).as("another store's session").isInstanceOf(LoginRequest.class);
    shop.market.fail(ErrorReason.WRONG_PASSWORD, "wrong");
    post("/market/login", ACCOUNT, "Cookie", BUYER);
    assertThat(last()).as("after a failed login").isInstanceOf(LoginRequest.class);
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
    "/market/items/153,Add to cart",
    "/market/cart,€25.00",
    "/market/checkout,Pay €25.00</button>",
    "/market/purchases,15 January 2027 at 08:00 UTC"
  })
  void pagesOfABuyerAreNeverStored(String path, String text) {
    var page = send("GET " + path, "", "Cookie", BUYER);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("Brick castle", text, "Log out", "Purchases</a>");
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'none'; script-src 'self';")
        .endsWith("frame-ancestors 'none'");
  }

  @Test
  void searchShowsTheNextPage() {
    assertThat(send("GET /market?category=3&keywords=a%26b+c", "", "Cookie", BUYER).body())
        .contains("href=\"/market?category=3&amp;keywords=a%26b%20c&amp;after=page-2\"");
    assertThat(last())
        .as("no ratings were read")
        .asInstanceOf(type(SearchItemsRequest.class))
        .returns(List.of("a&b", "c"), SearchItemsRequest::getKeywordsList);
    send("GET /market?category=3&keywords=toy+car,+red", "", "Cookie", BUYER);
    assertThat(last())
        .as("a keyword may contain a space")
        .asInstanceOf(type(SearchItemsRequest.class))
        .returns(List.of("toy car", "red"), SearchItemsRequest::getKeywordsList);
    assertThat(send("GET /market?category=x", "", "Cookie", BUYER).statusCode()).isEqualTo(400);
    assertThat(send("GET /market?category=3&keywords=a,b,c,d,e,f", "", "Cookie", BUYER).body())
        .contains("keywords must be at most 5 words, got 6.");
  }

  @Test
  void searchWithoutACategoryAsksForAll() {
    for (String query : List.of("category=", "category=+", "keywords=a")) {
      send("GET /market?" + query, "", "Cookie", BUYER);
      assertThat(last(SearchItemsRequest.class).getCategory()).as(query).isEqualTo(-1);
    }
    String words = "/market?category=&" + PageForms.encode(Map.of("keywords", "Kašpárek בובה"));
    String page = send("GET " + words, "", "Cookie", BUYER).body();
    assertThat(last(SearchItemsRequest.class).getKeywordsList())
        .containsExactly("Kašpárek", "בובה");
    assertThat(page)
        .contains(
            "value=\"Kašpárek בובה\"",
            "<option value=\"\">All categories</option>",
            "<option value=\"3\">Building sets</option>",
            "href=\"/market?category=&amp;keywords=Ka%C5%A1p%C3%A1rek%20%D7%91%D7%95%D7%91%D7%94&amp;after=page-2\"");
    assertThat(send("GET /market?category=-1", "", "Cookie", BUYER).statusCode()).isEqualTo(400);
  }

  @Test
  void pageWithoutASearchNeedsNoCatalog() {
    Object before = lastOfASession();

    var page = send("GET /market?keywords=", "", "Cookie", BUYER);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("All categories").doesNotContain("No items match");
    assertThat(last()).isSameAs(before);
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
    assertThat(last(SearchItemsRequest.class).getCategory()).isEqualTo(Integer.MAX_VALUE);
    assertThat(send("GET /market/items/153", "", "Cookie", BUYER).body())
        .contains("<dt>Category</dt><dd>Building sets</dd>");
    assertThat(send("GET /market/selling", "", "Cookie", SELLER).body())
        .contains("Building sets, used, 3 sold");
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
    Object before = lastOfASession();

    var refused = send(route, form, "Cookie", cookie, "Accept", "text/html");

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body())
        .contains(
            "log in with your other account: this page is for "
                + (selling ? "sellers." : "buyers."));
    assertThat(last()).isSameAs(before);
  }

  @Test
  void sellerListsAddsRepricesAndRemoves() {
    assertThat(send("GET /market/selling", "", "Cookie", SELLER).body())
        .contains("Brick castle", "2 up, 1 down", "€12.50", "after=153");

    var item =
        Map.of(
            "name",
            "Kite",
            "category",
            "4",
            "keywords",
            "air, sky",
            "condition",
            "new",
            "price",
            "7.5",
            "quantity",
            "3");
    assertThat(location(submit("/market/selling", SELLER, item))).isEqualTo("/market/selling");
    var added = last(AddItemRequest.class);
    assertThat(shop.market.lastKey().value()).isEqualTo("k1");
    assertThat(added.getItem().getPriceCents()).isEqualTo(750);
    assertThat(added.getItem().getKeywordsList()).containsExactly("air", "sky");

    var price = Map.of("price", "0.99", "expectedPrice", "12.5");
    submit("/market/selling/153/price", SELLER, price);
    assertThat(last(UpdateItemPriceRequest.class).getPriceCents()).isEqualTo(99);
    assertThat(last(UpdateItemPriceRequest.class).getExpectedPriceCents()).isEqualTo(1250);
    shop.market.fail(ErrorReason.PRODUCT_CHANGED, "\"Kite\" costs 13.00, expected 12.50");
    assertThat(submit("/market/selling/153/price", SELLER, price).statusCode()).isEqualTo(409);
    shop.market.reset();

    submit("/market/selling/153/remove", SELLER, Map.of("quantity", "1", "seen", "5"));
    var remove = last(RemoveUnitsRequest.class);
    assertThat(remove.getQuantity()).isEqualTo(1);
    assertThat(remove.getExpectedStock()).isEqualTo(5);
    var unseen = submit("/market/selling/153/remove", SELLER, Map.of("quantity", "1"));
    assertThat(unseen.statusCode()).isEqualTo(400);
    shop.market.fail(ErrorReason.STOCK_CHANGED, "detail");
    assertThat(
            submit("/market/selling/153/remove", SELLER, Map.of("quantity", "1", "seen", "5"))
                .statusCode())
        .isEqualTo(409);
    shop.market.reset();

    var wrong = new HashMap<>(item);
    wrong.put("price", "1,50");
    wrong.put("name", "<b>Kite</b>");
    var refused = submit("/market/selling", SELLER, wrong);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains(
            "price must be a number from 0.01 to 1000000000.00 with at most two decimals",
            "value=\"&lt;b&gt;Kite&lt;/b&gt;\"");
    assertThat(key(refused.body())).isNotEqualTo("k1");
  }

  @Test
  void formsCarryTheirKey() {
    var added = submit("/market/items/153", BUYER, Map.of("quantity", "2"));
    assertThat(location(added)).isEqualTo("/market/cart");
    assertThat(notice(added)).isEqualTo("added-to-cart");
    assertThat(added.headers().allValues("Idempotency-Key")).containsExactly("k1");
    assertThat(shop.market.lastKey().value()).isEqualTo("k1");

    submit("/market/purchases/153/feedback", BUYER, Map.of("feedback", "down"));
    var feedback = last(GiveFeedbackRequest.class);
    assertThat(shop.market.lastKey().scope()).isEqualTo("POST /api/items/153/feedback buyer 1");
    assertThat(shop.market.lastKey().value()).isEqualTo("k1");
    assertThat(feedback.getUp()).isFalse();
    var unknown = submit("/market/purchases/153/feedback", BUYER, Map.of("feedback", "great"));
    assertThat(unknown.statusCode()).isEqualTo(422);
    assertThat(unknown.body()).contains("feedback must be &quot;up&quot; or &quot;down&quot;");

    assertThat(location(submit("/market/checkout", BUYER, CARD))).isEqualTo("/market/purchases");
    var purchase = last(PurchaseRequest.class);
    assertThat(shop.market.lastKey().value()).isEqualTo("k1");
    assertThat(purchase.getCard().getNumber()).isEqualTo("4000000000000002");

    post("/market/register", ACCOUNT);
    assertThat(last()).isInstanceOf(LoginRequest.class);
    shop.market.fail(ErrorReason.USERNAME_TAKEN, "taken");
    post("/market/register", ACCOUNT);
    assertThat(shop.market.lastKey().value()).isEqualTo("k1");
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
    shop.market.failPurchases(ErrorReason.valueOf(reason), "detail");

    var page = submit("/market/checkout", BUYER, CARD);

    assertThat(page.statusCode()).isEqualTo(status);
    assertThat(page.body())
        .contains("<title>Error: Check out", text, "role=\"alert\" tabindex=\"-1\" autofocus")
        .doesNotContain(NUMBER, "4000000000000002", "Holda", "\"987\"", "11/31");
    assertThat(page.body())
        .contains("Pay €25.00", "name=\"cart\" value=\"153:2@1250\"", "autocomplete=\"cc-number\"");
    assertThat(key(page.body()).equals("k1")).isEqualTo(sameKey);
  }

  @Test
  void purchasesAreShownNewestFirstWithTheirTotals() {
    String page = send("GET /market/purchases?after=9", "", "Cookie", BUYER).body();

    assertThat(page)
        .contains(
            "2 × €12.50 = €25.00",
            "Total <span>€1,234.50</span>",
            "Receipt 3",
            "paid by card, payment <span>0199-payment</span>",
            "Items purchased: <strong id=\"items-purchased\">7</strong>",
            "href=\"/market/purchases?after=1\">Older purchases");
    var asked = last(ListPurchasesRequest.class);
    assertThat(asked.getNewestFirst()).isTrue();
    assertThat(asked.getAfter()).isEqualTo(9);
  }

  @Test
  void newAccountIsLoggedInAndItsNumberIsShown() {
    var registered = post("/market/register", ACCOUNT);

    assertThat(location(registered)).isEqualTo("/market");
    assertThat(String.join(" ", registered.headers().allValues("Set-Cookie")))
        .contains("toystore-notice", "=welcome;");
    assertThat(send("GET /market", "", "Cookie", BUYER).body()).contains(">You are buyer 1<");
  }

  @Test
  void feedbackBeforeTheCaptureIsRefused() {
    shop.market.delayPayments();
    var page = submit("/market/purchases/153/feedback", BUYER, Map.of("feedback", "up"));

    assertThat(page.statusCode()).isEqualTo(409);
    assertThat(page.body()).contains("The payment for this item is not complete yet.");
    assertThat(last()).isNotInstanceOf(GiveFeedbackRequest.class);
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
    submit("/market/checkout", BUYER, CARD);
    var line = last(PurchaseRequest.class).getSeen().getLines(0);
    assertThat(List.of(line.getItemId(), line.getQuantity(), line.getPriceCents()))
        .containsExactly(153L, 2L, 1250L);

    for (String cart : List.of("", "153", "153:2@1250,", "153:-2@1250", "€25.00")) {
      var unseen = new HashMap<>(CARD);
      unseen.put("cart", cart);
      assertThat(submit("/market/checkout", BUYER, unseen).statusCode()).as(cart).isEqualTo(400);
    }
  }

  @Test
  void tooManyLoginsSayWhenToTryAgain() {
    shop.market.fail(ErrorReason.TOO_MANY_LOGINS, "too many", Duration.ofSeconds(30));

    var page = post("/market/login", ACCOUNT);

    assertThat(page.statusCode()).isEqualTo(429);
    assertThat(page.headers().firstValue("Retry-After")).hasValue("30");
    assertThat(page.body()).contains("Please try again in 30 seconds.");
  }

  @Test
  void logoutDeletesTheCookieEvenIfTheServiceIsAway() {
    for (boolean away : List.of(false, true)) {
      if (away) {
        shop.market.fail(ErrorReason.NOT_DONE, "away");
      }
      var page = submit("/market/logout", BUYER, Map.of());
      assertThat(location(page)).isEqualTo("/market/login");
      assertThat(notice(page)).isEqualTo("logged-out");
      assertThat(page.headers().firstValue("Set-Cookie").orElse("")).contains("Max-Age=0");
    }
  }

  @Test
  void exchangeShowsDepthTradesAndTheAccountsOrders() {
    shop.exchange.trade("ACME", 40);
    var page = send("GET /exchange?symbol=ACME", "", "Cookie", BUYER);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("script-src 'self'", "connect-src 'self'");
    assertThat(page.body())
        .contains(
            "data-feed=\"/exchange/feed?symbol=ACME&amp;after=1\"",
            "<td>125</td><td>200</td><td>1</td>",
            "<td>128.0001</td><td>0.0001</td><td>2000000</td>",
            "<td>125</td><td>40</td><td><time datetime=\"2027-01-15T08:00:00Z\">08:00:00</time>",
            "1000.5 (and 12500 reserved)",
            "0.5 shares (and 100 reserved)",
            "buy 300 <bdi>ACME</bdi> at 125",
            "order 12: 200 executed, 100 open",
            "action=\"/exchange/accounts/7/orders/12/cancel\"")
        .contains(
            "<title id=\"prices-title\">The only trade</title>",
            "Price from 125 to 125, last 125; at most 40 units in a trade",
            "Prices from 125 to 128.0001.")
        .containsPattern("<script defer src=\"/assets/exchange-[0-9a-f]+\\.js\">");
    assertThat(send("GET /exchange", "", "Cookie", SELLER).body()).contains("value=\"ACME\"");
    var later =
        send("GET /exchange?symbol=A%26B&account=7&positions=ACME&orders=12", "", "Cookie", BUYER);
    assertThat(later.body()).contains("order 11: ").doesNotContain("order 12: ", "Older orders");
    assertThat(shop.exchange.lastRequest(ListOrdersRequest.class).getBeforeOrderId()).isEqualTo(12);
    assertThat(send("GET /exchange?symbol=NONE", "", "Cookie", BUYER).body())
        .contains("Nobody has received shares of <bdi>NONE</bdi> yet.")
        .doesNotContain("<figure");
  }

  @Test
  void formsOfTheExchangeCarryTheirKeyAndAmounts() {
    assertThat(location(submit("/exchange/accounts", BUYER, Map.of("balance", "0.00000001"))))
        .isEqualTo("/exchange?account=7");
    assertThat(shop.exchange.lastRequest(CreateAccountRequest.class).getBalanceE8()).isOne();
    assertThat(shop.exchange.lastToken())
        .isEqualTo("Bearer " + FakeMarketplaceServices.BUYER_TOKEN);

    var shares = Map.of("symbol", "ACME", "shares", " 2.5 ");
    assertThat(location(submit("/exchange/accounts/7/shares", BUYER, shares)))
        .isEqualTo("/exchange?account=7&symbol=ACME");
    assertThat(shop.exchange.lastRequest(AddSharesRequest.class).getSharesE4()).isEqualTo(25_000);

    assertThat(location(submit("/exchange/accounts/7/orders", SELLER, LIMIT_ORDER)))
        .isEqualTo("/exchange?account=7&symbol=ACME");
    var placed = shop.exchange.lastRequest(PlaceOrderRequest.class);
    assertThat(placed.getKey().getScope()).isEqualTo("POST /api/exchange/accounts/7/orders");
    assertThat(placed.getKey().getValue()).isEqualTo("k1");
    assertThat(placed.getLimitE4()).isEqualTo(1_250_000);

    var canceled = submit("/exchange/accounts/7/orders/12/cancel", BUYER, Map.of());
    assertThat(location(canceled)).isEqualTo("/exchange?account=7&symbol=ACME");
    assertThat(notice(canceled)).isEqualTo("order-canceled");
  }

  @ParameterizedTest
  @CsvSource({
    "limit,1e3,limit must be an amount from 0.0001",
    "shares,0,shares must be an amount from 0.0001",
    "side,hold,side must be buy or sell",
    "symbol,A-B,symbol must be a string of 1 to 32 letters and digits"
  })
  void refusedOrderIsShownAgainWithItsFields(String field, String value, String text) {
    var wrong = new HashMap<>(LIMIT_ORDER);
    wrong.put(field, value);
    var refused = submit("/exchange/accounts/7/orders", BUYER, wrong);

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains("<title>Error: Exchange", text, "role=\"alert\" tabindex=\"-1\" autofocus");
    assertThat(key(refused.body())).isNotEqualTo("k1");
    if (!field.equals("shares")) {
      assertThat(refused.body()).contains("value=\"300.5\"");
    }
  }

  @Test
  void feedOfThePageNeedsTheCookieAndFeedOfTheApiTheToken() throws Exception {
    try (var feed = new FeedConnection(shop.port, "/exchange/feed?symbol=ACME", "Cookie", BUYER)) {
      assertThat(feed.response.statusCode()).isEqualTo(200);
      assertThat(feed.next()).startsWith("event:depth");
    }
    assertThat(send("GET /api/exchange/feed", "", "Cookie", BUYER).statusCode()).isEqualTo(401);
  }

  private Object last() {
    return last(Object.class);
  }

  private <T> T last(Class<T> type) {
    return shop.market.lastRequest(type);
  }

  private Object lastOfASession() {
    send("GET /market/cart", "", "Cookie", BUYER);
    return last();
  }

  /// Sends a form of a session, with its CSRF token and key `k1`.
  private HttpResponse<String> submit(String path, String cookie, Map<String, String> fields) {
    var all = new HashMap<>(fields);
    all.put("csrf", csrf(cookie));
    all.put("key", "k1");
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
