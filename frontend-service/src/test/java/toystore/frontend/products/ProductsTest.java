package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.frontend.RunningFrontend.data;
import static toystore.frontend.RunningFrontend.error;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.frontend.FakedFrontend;
import toystore.frontend.RunningFrontend;
import toystore.platform.error.ErrorReason;

class ProductsTest {
  private static final String TUX = "{\"name\":\"Tux\",\"price\":25.99,\"quantity\":80}";
  private static final String WHALE =
      "{\"name\":\"Whale\",\"price\":12.0,\"quantity\":94,\"category\":\"Sea\"}";
  private static final String ELEPHANT =
      "{\"name\":\"Elephant\",\"price\":29.5,\"quantity\":87,\"category\":\"Land\"}";

  private final FakedFrontend shop = FakedFrontend.open();

  @ParameterizedTest
  @ValueSource(
      strings = {"/products/Tux", "/products/Tux/", "/products/%54ux", "/products/Tux?x=y"})
  void productIsReturnedUnderEachOfItsPaths(String path) {
    assertThat(shop.get(path)).isEqualTo(data(200, TUX));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/products/Dodo", "/products/tux", "/products/50%25", "/products/a%0Ab"})
  void unknownProductReturns404(String path) {
    assertThat(shop.get(path)).isEqualTo(error(404, "PRODUCT_NOT_FOUND", "product not found"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/stocks/Dodo",
        "/stocks?stockname=Dodo",
        "/stocks?stockname=a%2Fb",
        "/stocks/Tux"
      })
  void unknownStockReturns404(String path) {
    assertThat(shop.get(path)).isEqualTo(error(404, "STOCK_NOT_FOUND", "stock not found"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/stocks/BöseCo",
        "/stocks/B%C3%B6seCo/",
        "/stocks?stockname=B%C3%B6seCo",
        "/stocks/?stockname=B%C3%B6seCo&limit=x"
      })
  void stockIsReturnedUnderEachOfItsPaths(String path) {
    shop.catalog.putStock("BöseCo", 1000, 7, 500);

    assertThat(shop.get(path.replace("ö", "%C3%B6"))).isEqualTo(data(200, stock("BöseCo")));
  }

  @Test
  void stocksAreListedInPagesInNameOrder() {
    shop.catalog.putStock("BoarCo", 1000, 7, 500);
    shop.catalog.putStock("GameStart", 1000, 7, 500);

    assertThat(shop.get("/stocks"))
        .isEqualTo(shop.get("/stocks/?name=Tux&after=&limit="))
        .isEqualTo(data(200, "{\"items\":[" + stock("BoarCo") + "," + stock("GameStart") + "]}"));
    assertThat(shop.get("/stocks?limit=1"))
        .isEqualTo(data(200, "{\"items\":[" + stock("BoarCo") + "],\"next\":\"BoarCo\"}"));
    assertThat(shop.get("/stocks?limit=1&after=BoarCo"))
        .isEqualTo(data(200, "{\"items\":[" + stock("GameStart") + "]}"));
    assertThat(shop.get("/stocks?limit=0"))
        .isEqualTo(error(400, "INVALID", "limit must be an integer from 1 to 200, got 0"));
  }

  private static String stock(String name) {
    return format(
        "{\"name\":\"%s\",\"price\":10.0,\"quantity\":7,\"category\":\"Stocks\",\"volume\":0,\"max_volume\":500,\"suspended\":false}",
        name);
  }

  @Test
  void emptyStockNameReturns400() {
    assertThat(shop.get("/stocks?stockname="))
        .isEqualTo(error(400, "INVALID", "stockname must be a non-empty string, but it is empty"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST|/products|{'name':'Yak','price':1,'quantity':1,'catgory':'Sea'}|catgory|name, price, quantity, category",
        "PATCH|/products/Tux|{'price':3,'quantity':3}|quantity|price, expected_price",
        "POST|/products/Tux/restock|{'quantity':3,'':3}||quantity",
        "POST|/stocks/Tux/resume|{'maxVolume':3}|maxVolume|max_volume"
      })
  void unknownFieldReturns400(
      String method, String path, String body, @Nullable String field, String known) {
    assertThat(shop.asAdministrator(method, path, body.replace('\'', '"')))
        .isEqualTo(
            error(
                400,
                "INVALID",
                format(
                    "unknown field \\\"%s\\\"; known fields are %s",
                    field == null ? "" : field, known)));
    assertThat(shop.get("/products/Tux")).isEqualTo(data(200, TUX));
  }

  @Test
  void productsAreListedInPagesInNameOrder() {
    assertThat(shop.get("/products?limit=2"))
        .isEqualTo(
            data(
                200,
                "{\"items\":["
                    + ELEPHANT
                    + ",{\"name\":\"Schneemann ☃ Ж\",\"price\":1.0,\"quantity\":5,"
                    + "\"category\":\"Winter\"}],\"next\":\"Schneemann ☃ Ж\"}"));
    assertThat(shop.get("/products/?limit=2&after=Tux"))
        .isEqualTo(
            data(
                200,
                "{\"items\":["
                    + WHALE
                    + ",{\"name\":\"back\\\\slash;x\",\"price\":0.01,\"quantity\":1}]}"));
    assertThat(shop.get("/products?category=Sea&q=&after=&limit="))
        .isEqualTo(data(200, "{\"items\":[" + WHALE + "]}"));
    assertThat(shop.get("/products?q=Tu")).isEqualTo(data(200, "{\"items\":[" + TUX + "]}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "201", "-1", "x", "1.5", "99999999999999999999"})
  void limitOutOfRangeReturns400(String limit) {
    assertThat(shop.get("/products?limit=" + limit))
        .isEqualTo(error(400, "INVALID", "limit must be an integer from 1 to 200, got " + limit));
  }

  @Test
  void administratorAddsChangesRestocksAndRemovesAProduct() {
    String body = "{\"name\":\"Yak\",\"price\":7,\"quantity\":3,\"category\":\"Land\"}";
    String yak = "{\"name\":\"Yak\",\"price\":%s,\"quantity\":%d,\"category\":\"Land\"}";

    assertThat(shop.asAdministrator("POST", "/products", body))
        .isEqualTo(data(201, String.format(Locale.ROOT, yak, "7.0", 3)));
    assertThat(shop.asAdministrator("POST", "/products", body))
        .isEqualTo(error(409, "NAME_TAKEN", "Yak is taken"));
    assertThat(shop.asAdministrator("PATCH", "/products/Yak", "{\"price\":8.25}"))
        .isEqualTo(data(200, String.format(Locale.ROOT, yak, "8.25", 3)));
    assertThat(shop.asAdministrator("POST", "/products/Yak/restock/", "{\"quantity\":4}"))
        .isEqualTo(data(200, String.format(Locale.ROOT, yak, "8.25", 7)));
    assertThat(shop.asAdministrator("DELETE", "/products/Yak", ""))
        .isEqualTo(data(200, String.format(Locale.ROOT, yak, "8.25", 7)));
    assertThat(shop.asAdministrator("DELETE", "/products/Yak", ""))
        .isEqualTo(error(404, "PRODUCT_NOT_FOUND", "product not found"));
    assertThat(shop.get("/products/Yak"))
        .isEqualTo(error(404, "PRODUCT_NOT_FOUND", "product not found"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "POST|/products|{'name':'Yak','price':7,'quantity':3}",
        "POST|/products|no JSON",
        "DELETE|/products/Dodo|",
        "PATCH|/products/Dodo|{'price':'x'}",
        "POST|/products/Dodo/restock|[]",
        "GET|/orders|"
      })
  void administratorPathsReturn401Or403WithoutTheToken(String method, String path, String body) {
    String json = body == null ? "" : body.replace('\'', '"');
    var without = shop.send(method, path, json);
    var withAnothers = shop.send(method, path, json, "Authorization", "Bearer another");
    var withoutBearer =
        shop.send(method, path, json, "Authorization", "Basic " + RunningFrontend.TOKEN);

    assertThat(RunningFrontend.reply(without))
        .isEqualTo(RunningFrontend.reply(withoutBearer))
        .isEqualTo(error(401, "NO_TOKEN", "the administrator's bearer token is required"));
    assertThat(without.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(RunningFrontend.reply(withAnothers))
        .isEqualTo(error(403, "OTHER_TOKEN", "the bearer token is not the administrator's token"));
  }

  @ParameterizedTest
  @CsvSource({
    "a/b, 'name contains SOLIDUS (U+002F) at position 2; a slash, backslash, percent sign or semicolon is not allowed'",
    "50%, 'name contains PERCENT SIGN (U+0025) at position 3; a slash, backslash, percent sign or semicolon is not allowed'",
    "\\u0000, 'name contains NULL (U+0000) at position 1; control, format, private-use, unassigned and invisible characters are not allowed'",
    "x\\u00a0, 'name contains NO-BREAK SPACE (U+00A0) at position 2; white space at the beginning or end is not allowed'"
  })
  void invalidProductNameReturns400(String name, String message) {
    var reply = add(name);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("\"message\":\"" + message + "\"");
  }

  private RunningFrontend.Reply add(String name) {
    return shop.asAdministrator(
        "POST", "/products", "{\"name\":\"" + name + "\",\"price\":1,\"quantity\":1}");
  }

  @Test
  void queryReturns503WithRetryAfterIfTheCatalogIsDown() {
    shop.catalog.failFor("Tux", ErrorReason.OUTCOME_UNKNOWN, "lost");

    assertThat(shop.get("/products/Tux"))
        .isEqualTo(
            error(
                503,
                "NOT_DONE",
                "a backend service is unavailable; the request was not processed; retry later"));
  }
}
