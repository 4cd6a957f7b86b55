package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.frontend.RunningFrontend.data;
import static toystore.frontend.RunningFrontend.error;

import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.frontend.RunningFrontend;
import toystore.platform.error.ErrorReason;

class ProductsTest {
  private final RunningFrontend shop = RunningFrontend.open();

  @ParameterizedTest
  @ValueSource(
      strings = {"/products/Tux", "/products/Tux/", "/products/%54ux", "/products/Tux?x=y"})
  void productIsReturnedUnderEachOfItsPaths(String path) {
    assertThat(shop.get(path)).isEqualTo(shop.get("/products/Tux"));
    assertThat(shop.get(path).body())
        .matches(
            "\\{\"data\":\\{\"name\":\"Tux\",\"price\":25.99,\"quantity\":\\d+,\"category\":\"Plush animals\"}}");
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

  @Test
  void stockIsReturnedUnderEachOfItsPaths() {
    String name = shop.newStock("10", 7, 500);
    String encoded = RunningFrontend.encoded(name);
    for (String path :
        List.of("/stocks/", "/products/", "/stocks?stockname=", "/stocks/?limit=x&stockname=")) {
      assertThat(shop.get(path + encoded))
          .isEqualTo(
              data(
                  200,
                  format(
                      "{\"name\":\"%s\",\"price\":10.0,\"quantity\":7,\"category\":\"Stocks\",\"volume\":0,\"max_volume\":500,\"suspended\":false}",
                      name)));
    }
  }

  @Test
  void stocksAreListedInPagesInNameOrder() {
    assertThat(shop.get("/stocks")).isEqualTo(shop.get("/stocks/?name=Tux&after=&limit="));
    String boar = shop.get("/stocks/BoarCo").json().required("data").toString();
    assertThat(shop.get("/stocks?limit=1"))
        .isEqualTo(data(200, "{\"items\":[" + boar + "],\"next\":\"BoarCo\"}"));
    assertThat(shop.get("/stocks?limit=1&after=BoarCo").json().at("/data/items/0"))
        .isEqualTo(shop.get("/stocks").json().at("/data/items/1"));
    assertThat(shop.get("/stocks").body()).doesNotContain("\"Tux\"").endsWith("]}}");
    assertThat(shop.get("/stocks?limit=0"))
        .isEqualTo(error(400, "INVALID", "limit must be an integer from 1 to 200, got 0"));
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
    assertThat(shop.faults.sent()).isEmpty();
  }

  @Test
  void productsAreListedInPagesInNameOrder() {
    String category = "Листы-" + UUID.randomUUID();
    var names = new TreeSet<String>();
    for (int i = 0; i < 3; i++) {
      names.add(shop.newProduct("0.01", 5, category));
    }
    String path = "/products/?category=" + RunningFrontend.encoded(category) + "&q=&limit=";

    assertThat(shop.get(path + 2))
        .isEqualTo(
            data(
                200,
                format(
                    "{\"items\":[%s,%s],\"next\":\"%s\"}",
                    product(names.first()),
                    product(names.higher(names.first())),
                    names.higher(names.first()))));
    String after = RunningFrontend.encoded(names.higher(names.first()));
    assertThat(shop.get(path + "2&after=" + after))
        .isEqualTo(data(200, "{\"items\":[" + product(names.last()) + "]}"));
    assertThat(shop.get("/products?q=ele").body()).contains("\"Elephant\"").endsWith("]}}");
  }

  private String product(String name) {
    return shop.product(name).json().required("data").toString();
  }

  @Test
  void administratorAddsChangesRestocksAndRemovesAProduct() {
    String body = "{\"name\":\"Yak\",\"price\":7,\"quantity\":3,\"category\":\"Land\"}";
    String yak = "{\"name\":\"Yak\",\"price\":%s,\"quantity\":%d,\"category\":\"Land\"}";

    assertThat(shop.asAdministrator("POST", "/products", body))
        .isEqualTo(data(201, format(yak, "7.0", 3)));
    assertThat(shop.asAdministrator("POST", "/products", body))
        .isEqualTo(error(409, "NAME_TAKEN", "a product named \\\"Yak\\\" already exists"));
    assertThat(shop.asAdministrator("PATCH", "/products/Yak", "{\"price\":8.25}"))
        .isEqualTo(data(200, format(yak, "8.25", 3)));
    assertThat(shop.asAdministrator("POST", "/products/Yak/restock/", "{\"quantity\":4}"))
        .isEqualTo(data(200, format(yak, "8.25", 7)));
    assertThat(shop.asAdministrator("DELETE", "/products/Yak", ""))
        .isEqualTo(data(200, format(yak, "8.25", 7)));
    assertThat(shop.asAdministrator("DELETE", "/products/Yak", ""))
        .isEqualTo(error(404, "PRODUCT_NOT_FOUND", "product not found"));
    assertThat(shop.get("/products/Yak"))
        .isEqualTo(error(404, "PRODUCT_NOT_FOUND", "product not found"));
  }

  /// SecurityConfigurationTest has all paths.
  @Test
  void administratorPathsReturn401Or403WithoutTheToken() {
    var without = shop.send("POST", "/products", "no JSON");

    assertThat(RunningFrontend.reply(without))
        .isEqualTo(shop.post("/products", "[]", "Authorization", "Basic " + RunningFrontend.TOKEN))
        .isEqualTo(error(401, "NO_TOKEN", "the administrator's bearer token is required"));
    assertThat(without.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(shop.as("another", "DELETE", "/products/Dodo", ""))
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
    shop.faults.fail(CatalogServiceGrpc.getGetProductMethod(), ErrorReason.OUTCOME_UNKNOWN);

    assertThat(
            RunningFrontend.reply(
                shop.send("GET", "/products/Tux", "", "Cache-Control", "no-cache")))
        .isEqualTo(
            error(
                503,
                "NOT_DONE",
                "a backend service is unavailable; the request was not processed; retry later"));
  }
}
