package toystore.frontend.page;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.frontend.page.PageForms.field;
import static toystore.frontend.page.PageForms.location;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.frontend.RunningFrontend;
import toystore.order.v1.OrderServiceGrpc;
import toystore.platform.error.ErrorReason;

/// Tests the basket with the cookie that a browser would send.
class BasketTest {
  private final RunningFrontend shop = RunningFrontend.open();
  private final String toy = shop.newProduct("25.99", 80, "Baskets");
  private final String other = shop.newProduct("1", 80, "Baskets");
  private String cookie = "";

  @Test
  void formSentTwiceOrdersOnce() {
    add(toy, 2);
    add("Whale", 1);
    String page = basket();

    var first = order(page);
    assertThat(location(first)).matches("/find\\?number=\\d+");
    add("Elephant", 1);
    var again = order(page);

    assertThat(location(again)).isEqualTo(location(first));
    assertThat(again.headers().allValues("Idempotency-Key")).containsExactly(field(page, "key"));
    assertThat(shop.product(toy).body()).contains("\"quantity\":78");
    assertThat(basket()).as("chosen after the order").contains("Elephant").doesNotContain("Whale");
  }

  @Test
  void toyWhosePriceWasNotShownIsNotOrdered() {
    var refused = send("POST", "/basket/order", "key=k&basket=" + base64("2 " + toy));

    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body())
        .contains("the price of &quot;Kašpárek &amp;", "was not shown", "Order all for €51.98");
    assertThat(shop.product(toy).body()).contains("\"quantity\":80");
  }

  @Test
  void onlyWhatWasOrderedLeavesTheBasket() {
    add(toy, 2);
    add("Whale", 1);
    String page = basket();
    add(toy, 1); // in another tab
    add(other, 1);

    order(page);
    assertThat(basket())
        .contains("1 × €25.99 = €25.99", "1 × €1.00", "(2)")
        .doesNotContain("Whale");
    order(page);
    assertThat(basket()).as("the same order, sent again").contains("1 × €25.99", "(2)");
    add("Whale", 1);
    order(page);
    assertThat(basket()).as("added after the order").contains("Whale", "(3)");
    assertThat(shop.product(toy).body()).contains("\"quantity\":78");
  }

  @Test
  void basketWhoseAnswerWasLostIsTakenOutByTheRepeat() {
    add("Tux", 2);
    String page = basket();
    String before = cookie;
    order(page);
    cookie = before;

    order(page);

    assertThat(basket()).contains("Your basket is empty.");
  }

  @ParameterizedTest
  @CsvSource({"NOT_DONE,503,nothing was bought", "OUTCOME_UNKNOWN,504,may or may not"})
  void openOutcomeOffersOnlyToRepeatTheSameOrder(String reason, int status, String words) {
    add("Tux", 2);
    String page = basket();
    shop.faults.fail(OrderServiceGrpc.getPlaceOrderMethod(), ErrorReason.valueOf(reason));
    var failed = order(page);

    assertThat(failed.statusCode()).isEqualTo(status);
    assertThat(failed.body()).contains(words, "Try again").doesNotContain("/basket/change");
    assertThat(field(failed.body(), "key")).isEqualTo(field(page, "key"));
    assertThat(field(failed.body(), "basket")).isEqualTo(field(page, "basket"));
    assertThat(location(order(failed.body()))).matches("/find\\?number=\\d+");
  }

  @Test
  void productThatIsNoLongerSoldIsShownAndCanBeRemoved() {
    add("Tux", 1);
    add("Dodo", 1);
    String page = basket();

    assertThat(page).contains("1 × not on sale at the moment", ">Order all<");
    assertThat(order(page).body()).contains("a toy in your basket is no longer sold");
    send("POST", "/basket/remove", "name=Dodo");
    assertThat(basket()).contains("Order all for €25.99").doesNotContain("Dodo");
  }

  @Test
  void basketHasABound() {
    for (int i = 0; i < 50; i++) {
      add("Toy " + i, 1);
    }
    var full = send("POST", "/basket", "name=Tux&quantity=1");

    assertThat(full.statusCode()).isEqualTo(409);
    assertThat(full.body()).contains("your basket is full").doesNotContain("<bdi>Tux</bdi>");
    add("Toy 7", Integer.MAX_VALUE);
    assertThat(basket()).contains("value=\"2147483647\"");
    cookie = "";
    for (int i = 0; i < 5; i++) {
      add("Ж".repeat(99) + i, 1);
    }
    assertThat(send("POST", "/basket", "name=" + encoded("Ж".repeat(100)) + "&quantity=1").body())
        .contains("your basket is full");
    assertThat(cookie.length()).as("four stores on one host, in 8 kB").isLessThan(1_600);
  }

  /// The names of cookies contain the ports of their stores.
  @Test
  void fourFullBasketsOfOneHostFitAndMoreAreAnsweredWithAPageThatDeletesThisOne() {
    String full = "=" + "x".repeat(1_500);
    cookie = "toystore-basket-1" + full;
    for (int port = 2; port <= 4; port++) {
      cookie += "; toystore-basket-" + port + full;
    }
    assertThat(basket()).contains("Your basket is empty.");

    String large = "=" + "x".repeat(3_000); // of an earlier version
    cookie = "toystore-basket-1" + large + "; toystore-basket-2" + large + "; c" + large;
    var refused = shop.send("GET", "/", "", "Accept", "text/html", "Cookie", cookie);

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
    assertThat(refused.body()).contains("your basket was emptied", "<a href=\"\">");
    assertThat(refused.headers().allValues("Set-Cookie"))
        .anySatisfy(it ->
            assertThat(it)
                .startsWith("toystore-basket-" + shop.port + "=;")
                .contains("Path=/;", "Max-Age=0"))
        .anySatisfy(it -> assertThat(it).startsWith("__Host-toystore-basket"));
    assertThat(shop.send("GET", "/products/Tux", "", "Cookie", cookie).body())
        .contains("\"reason\":\"INVALID\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "%%%", "AAAA", "0 Tux", "-1 Tux", "99999999999 Tux", "1 a/b", "1 "})
  void forgedCookieIsAnEmptyBasketAndAForgedFormIsRefused(String text) {
    String basket = text.contains(" ") ? base64(text) : text;
    cookie = format("toystore-basket-%d=%s", shop.port, basket);

    assertThat(basket()).contains("Your basket is empty.");
    assertThat(send("POST", "/basket/order", "key=k&basket=" + encoded(basket)).statusCode())
        .isBetween(400, 404);
    assertThat(shop.faults.sent()).doesNotContain("PlaceOrder");
  }

  @ParameterizedTest
  @CsvSource({
    "/basket,name=Tux&quantity=0",
    "/basket,name=Tux&quantity=1.5",
    "/basket,name=Tux&quantity=%D9%A3",
    "/basket,name=Tux&quantity=%2B7",
    "/basket/change,name=Tux&quantity=007",
    "/buy,key=k&name=Tux&quantity=%D9%A3",
    "/basket,quantity=1",
    "/basket/change,name=Tux&quantity=",
    "/basket/remove,",
    "/basket/order,key=k&basket=",
    "/basket/order,basket=MSBUdXg"
  })
  void incompleteFormReturns400(String path, String form) {
    assertThat(send("POST", path, form == null ? "" : form).statusCode()).isEqualTo(400);
  }

  @Test
  void cookieIsForThisSiteOnlyAndFormsOfOtherSitesAreRefused() {
    var added = send("POST", "/basket", "name=Tux&quantity=1");

    assertThat(added.headers().firstValue("Set-Cookie").orElseThrow())
        .contains("toystore-basket-" + shop.port, "HttpOnly", "SameSite=Lax", "Max-Age=604800");
    assertThat(
            send("POST", "/basket", "name=Tux&quantity=1", "Origin", "http://evil.example")
                .statusCode())
        .isEqualTo(403);
  }

  private void add(String name, int quantity) {
    var added = send("POST", "/basket", "name=" + encoded(name) + "&quantity=" + quantity);
    assertThat(added.statusCode()).isEqualTo(303);
    assertThat(added.headers().firstValue("Location")).hasValue("/basket");
  }

  private String basket() {
    var page = send("GET", "/basket", "");
    assertThat(page.statusCode()).isEqualTo(200);
    return page.body();
  }

  private HttpResponse<String> order(String page) {
    String form = "key=" + field(page, "key") + "&basket=" + field(page, "basket");
    return send("POST", "/basket/order", form);
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers) {
    var all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Accept", "text/html", "Cookie", cookie));
    var response = shop.send(method, path, body, all.toArray(String[]::new));
    response
        .headers()
        .firstValue("Set-Cookie")
        .ifPresent(it -> cookie = it.replaceFirst(";.*", ""));
    return response;
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
