package toystore.frontend.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.frontend.RunningFrontend.data;
import static toystore.frontend.RunningFrontend.encoded;

import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.resource.CachingResourceResolver;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.frontend.RunningFrontend;
import toystore.order.v1.OrderServiceGrpc;
import toystore.platform.error.ErrorReason;

/// Tests the HTML of the pages. Tests in a real browser are in `e2e`.
class PageTest {
  private static final String BROWSER =
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
  private static final String LINKS =
      "{\"products\":\"/products\",\"stocks\":\"/stocks\",\"openapi\":\"/openapi.json\"}";

  private static final MethodDescriptor<?, ?> PLACE_ORDER = OrderServiceGrpc.getPlaceOrderMethod();

  private final RunningFrontend shop = RunningFrontend.open();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/*",
        "application/json",
        "text/html;q=0.5, application/json",
        "text/html;q=0, */*",
        "text/html, image/gif, image/jpeg, */*; q=0.2", // HttpURLConnection before JDK 25
        "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", // before JDK 9
        "nonsense"
      })
  void homeReturnsLinksIfAcceptDoesNotPreferHtml(String accept) {
    var response = shop.send("GET", "/", "", "Accept", accept);

    assertThat(RunningFrontend.reply(response)).isEqualTo(data(200, LINKS));
    assertThat(response.headers().firstValue("Vary")).hasValue("Accept, HX-Request");
  }

  @ParameterizedTest
  @ValueSource(strings = {BROWSER, "text/html", "text/*", "text/html, application/json;q=0.9"})
  void homeReturnsThePageIfAcceptPrefersHtml(String accept) {
    var response = shop.send("GET", "/", "", "Accept", accept);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .startsWith("<!DOCTYPE html>")
        .contains("><bdi>Bird</bdi></a></h2>", "€39.99");
    assertThat(response.headers().firstValue("Vary")).hasValue("Accept, HX-Request");
  }

  @Test
  void pageAllowsOnlyFilesOfTheSameOrigin() {
    var headers = shop.send("GET", "/", "", "Accept", BROWSER).headers();

    assertThat(headers.firstValue("Content-Security-Policy"))
        .hasValue(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors"
                + " 'none'");
    assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(headers.firstValue("Referrer-Policy")).hasValue("same-origin");
    assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
    assertThat(headers.firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
  }

  @Test
  void assetsAreCachedForeverAndOtherPathsReturn404() {
    String page = page("/");
    List<String> assets =
        Pattern.compile("/assets/[^\"#]+")
            .matcher(page)
            .results()
            .map(found -> found.group())
            .distinct()
            .toList();

    assertThat(assets.stream().map(it -> it.replaceAll(".*/|-[0-9a-f]{32}", "")))
        .containsExactlyInAnyOrder(
            "icon.svg", "drawings.svg", "shop.css", "htmx.min.js", "shop.js");
    for (String asset : assets) {
      var response = shop.send("GET", asset, "");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("Cache-Control").orElse(""))
          .contains("max-age=31536000", "immutable");
      assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(shop.get(asset.replaceFirst("-[0-9a-f]{32}", "-" + "0".repeat(32))))
          .isEqualTo(RunningFrontend.error(404, "PATH_NOT_FOUND", "no such path"));
    }
    assertThat(shop.get("/assets/page/card.html").status()).isEqualTo(404);
  }

  /// One file has any number of paths.
  @Test
  void pathsOfAssetsAreNotCached() {
    var mapping = shop.frontend.getBean("resourceHandlerMapping", SimpleUrlHandlerMapping.class);
    var files = (ResourceHttpRequestHandler) requireNonNull(mapping.getUrlMap().get("/assets/**"));
    assertThat(files.getResourceResolvers())
        .doesNotHaveAnyElementsOfTypes(CachingResourceResolver.class);
  }

  @Test
  void searchFindsToysByWordsAndCategoryInPages() {
    String category = "Wheels & " + UUID.randomUUID();
    for (int i = 0; i < 50; i++) {
      shop.newProduct("1", 1, category);
    }
    String first = page("/?category=" + encoded(category));
    String second = page(link(first, "next"));
    String third = page(link(second, "next"));

    assertThat(first).contains("50 results, page 1 of 3").doesNotContain("rel=\"prev\"");
    assertThat(third).contains("50 results, page 3 of 3").doesNotContain("rel=\"next\"");
    assertThat(List.of(cards(first), cards(second), cards(third))).containsExactly(24, 24, 2);
    assertThat(link(third, "prev")).isEqualTo(link(first, "next"));
    assertThat(page("/?q=Tux"))
        .contains("><bdi>Tux</bdi></a></h2>", ">1 result<")
        .doesNotContain(">Whale<");
    assertThat(page("/?q=Nothing+at+all")).contains("0 results", "No toys match your search.");
    assertThat(link(page("/?category=Puzzles&page=99"), "prev")).endsWith("&page=1");
    assertThat(shop.send("GET", "/?page=x", "", "Accept", BROWSER).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/products/Dodo,404,The shop has no such page.",
    "GET,/nowhere,404,The shop has no such page.",
    "GET,/orders/999999,404,There is no order 999999.",
    "GET,/orders/x,404,There is no order x.",
    "GET,/buy,405,This address cannot be opened as a page.",
    "DELETE,/orders,405,This address cannot be opened as a page.",
    "POST,/products,401,for the shop&#39;s administrator only.",
    "GET,/products/Tux?quantity=0,400,quantity must be an integer from 1 to 2147483647"
  })
  void errorIsAPageWithAWayBackIfAcceptPrefersHtml(
      String method, String path, int status, String text) {
    var response = shop.send(method, path, "", "Accept", BROWSER);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
    assertThat(response.headers().firstValue("Allow").isPresent()).isEqualTo(status == 405);
    assertThat(response.body())
        .contains("role=\"alert\"", text, "<a class=\"button quiet\" href=\"/\">");
    assertThat(shop.send(method, path, "", "Accept", "*/*").headers().firstValue("Content-Type"))
        .hasValue("application/json");
  }

  @Test
  void stockHasAChartAndATableOfItsTrades() {
    String stock = shop.newStock("12", 100, 1_000_000);
    String path = "/stocks/" + encoded(stock);
    assertThat(page(path)).doesNotContain("<svg viewBox=\"0 0 600 200\"");
    buy(key(page(path)), stock, Map.of("quantity", "4", "type", "buy"));
    shop.asAdministrator("PATCH", "/products/" + encoded(stock), "{\"price\":15}");
    buy(key(page(path)), stock, Map.of("quantity", "8", "type", "sell"));

    assertThat(page(path))
        .contains("<title id=\"prices-title\">The last 2 trades</title>")
        .contains("Price from €12.00 to €15.00, last €15.00; at most 8 units in a trade")
        .contains("<polyline points=\"0.0,128.0 300.0,128.0 300.0,8.0 600.0,8.0\"/>")
        .containsPattern("<td>\\d+, sold</td><td>8</td><td>€15.00</td>")
        .containsPattern("<td>\\d+, bought</td><td>4</td>");
    assertThat(page("/products/Tux")).doesNotContain("Latest trades");
    shop.faults.fail(CatalogServiceGrpc.getListStockTradesMethod(), ErrorReason.OVERLOADED);
    assertThat(page(path)).contains("value=\"buy\"").doesNotContain("Latest trades");
  }

  @Test
  void suspendedStockHasADisabledButton() {
    String stock = shop.newStock("12", 100, 5);
    String key = key(page("/products/" + encoded(stock)));
    var refused = buy(key, stock, Map.of("quantity", "6", "type", "buy"));

    assertThat(refused.body()).contains("Sorry, trading in this stock is suspended");
    assertThat(page("/products/" + encoded(stock)))
        .contains("Trading is suspended.", "disabled=\"disabled\"")
        .doesNotContain("value=\"sell\"", "name=\"quantity\"");
  }

  @Test
  void retryOfAnOpenTradeKeepsItsQuantityAndType() {
    shop.faults.fail(PLACE_ORDER, ErrorReason.OVERLOADED);

    var card = buy("k9", "FishCo", Map.of("quantity", "4", "type", "sell"), "HX-Request", "true");

    assertThat(card.statusCode()).isEqualTo(503);
    assertThat(card.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(card.body())
        .contains("value=\"4\"", "readonly=\"readonly\"", "name=\"type\" value=\"sell\"")
        .doesNotContain("value=\"buy\"");
  }

  @Test
  void everyCategoryOfTheShippedCatalogHasADrawing() throws IOException {
    String drawings = shop.get(asset(page("/"), "drawings")).body();
    try (var lines = Files.lines(Path.of("../catalog-service/src/main/resources/catalog.csv"))) {
      var categories =
          lines
              .skip(1)
              .map(line -> line.replaceFirst(",\\d*$", "").replaceFirst(".*,", ""))
              .distinct()
              .toList();
      assertThat(categories).hasSizeGreaterThan(15);
      for (String category : categories) {
        String id = category.toLowerCase(Locale.ROOT).replace(' ', '-');
        assertThat(drawings).contains("<symbol id=\"" + id + "\"");
        var found = shop.get("/products?limit=1&category=" + encoded(category)).json();
        String name = found.at("/data/items/0/name").asString();
        assertThat(page("/products/" + encoded(name))).contains("#" + id + "\"");
      }
    }
  }

  @Test
  void formSentTwiceBuysOnce() {
    String toy = shop.newProduct("25.99", 80, "");
    String key = key(page("/products/" + encoded(toy)));

    var first = buy(key, toy);
    var again = buy(key, toy);

    assertThat(first.statusCode()).isEqualTo(303);
    assertThat(first.headers().allValues("Idempotency-Key")).containsExactly(key);
    assertThat(PageForms.location(again)).isEqualTo(PageForms.location(first));
    assertThat(shop.product(toy).body()).contains("\"quantity\":79");
    assertThat(page(PageForms.location(first)))
        .contains("<bdi>" + toy.replace("&", "&amp;") + "</bdi>", "€25.99");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OUT_OF_STOCK|409|Sorry: trouble.|false",
        "SUSPENDED|409|Sorry: trouble.|false",
        "PRODUCT_NOT_FOUND|404|This product is no longer sold.|false",
        "KEY_REUSED|422|This form was already used for a different order.|false",
        "OVERLOADED|503|The shop cannot sell right now, and nothing was bought.|true",
        "NOT_DONE|503|The shop cannot sell right now, and nothing was bought.|true",
        "OUTCOME_UNKNOWN|504|may or may not have been placed.|true",
        "INTERNAL_ERROR|500|Something went wrong on our side|true"
      })
  void failedBuyShowsATextAndKeepsItsKeyIfTheOutcomeIsOpen(
      String reason, int status, String words, boolean sameKey) {
    String key = key(page("/?q=Tux"));
    shop.faults.fail(PLACE_ORDER, ErrorReason.valueOf(reason));
    var whole = buy(key, "Tux");
    shop.faults.fail(PLACE_ORDER, ErrorReason.valueOf(reason));
    var card = buy(key, "Tux", "HX-Request", "true");

    assertThat(whole.statusCode()).isEqualTo(status);
    assertThat(card.statusCode()).isEqualTo(status);
    assertThat(whole.body()).contains("<h1>", words, "Back to the toys");
    assertThat(card.body().strip()).startsWith("<li class=\"toy\"").contains(words);
    assertThat(whole.body().contains("value=\"" + key + "\"")).isEqualTo(sameKey);
    assertThat(card.body().contains("Try again")).isEqualTo(sameKey);
  }

  /// With another price, it would be another order with the same key.
  @Test
  void retryAfterALostAnswerExpectsThePriceOfTheFirstAttempt() {
    String toy = shop.newProduct("25.99", 80, "");
    String path = "/products/" + encoded(toy);
    String page = page(path);
    var shown = Map.of("price", PageForms.field(page, "price"));
    shop.asAdministrator("PATCH", path, "{\"price\":99.99}");
    shop.faults.fail(PLACE_ORDER, ErrorReason.OUTCOME_UNKNOWN);

    var failed = buy(key(page), toy, shown);

    assertThat(failed.body()).contains("Try again", "€25.99</span>").doesNotContain("€99.99");
    assertThat(PageForms.field(failed.body(), "price")).isEqualTo("25.99");
    assertThat(key(failed.body())).isEqualTo(key(page));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "key=k",
        "key=&name=Tux",
        "key=k&key=k&name=Tux",
        "key=%zz&name=Tux",
        "key=k%00&name=Tux"
      })
  void incompleteFormReturns400(String form) {
    assertThat(shop.post("/buy", form).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"999999", "x", "-1", "99999999999999999999", "%3Cb%3E"})
  void unknownOrderPageReturns404(String number) {
    var response = shop.send("GET", "/find?number=" + number, "");

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).contains("There is no order ").doesNotContain("<b>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/find", "/find?number=", "/find?number=+", "/orders"})
  void findWithoutANumberAsksForOne(String path) {
    assertThat(page(path)).contains("Number of your order or trade").doesNotContain("alert");
  }

  private String page(String path) {
    var response = shop.send("GET", path, "", "Accept", BROWSER);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  private HttpResponse<String> buy(String key, String name, String... headers) {
    return buy(key, name, Map.of(), headers);
  }

  private HttpResponse<String> buy(
      String key, String name, Map<String, String> more, String... headers) {
    var fields = new HashMap<>(more);
    fields.putAll(Map.of("key", key, "name", name));
    return shop.send("POST", "/buy", PageForms.encode(fields), headers);
  }

  private static String key(String page) {
    return PageForms.field(page, "key");
  }

  private static int cards(String page) {
    return page.split("<li class=\"toy", -1).length - 1;
  }

  private static String link(String page, String relation) {
    Matcher link = Pattern.compile("rel=\"" + relation + "\" href=\"([^\"]*)\"").matcher(page);
    assertThat(link.find()).isTrue();
    return link.group(1).replace("&amp;", "&");
  }

  private static String asset(String page, String name) {
    Matcher asset = Pattern.compile("/assets/" + name + "[^\"#]*").matcher(page);
    assertThat(asset.find()).isTrue();
    return asset.group();
  }
}
