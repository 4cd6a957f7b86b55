package toystore.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.util.HtmlUtils;
import toystore.clients.StoreHttpClient.Reply;

/// What a page showed is what its form does, or nothing: something else changes the values between
/// the page and its form.
class ShownValuesTest {
  private static final String NAME = "Crème brûlée 🧸";

  private static StoreFixture store;

  @BeforeAll
  static void start() throws IOException {
    store = SharedStore.open().store();
  }

  @Test
  void buyButtonChargesItsPriceOrNothing() throws IOException {
    add(NAME + " 1", "23.99", 80);
    String page = page("/products/" + encoded(NAME + " 1"));
    assertThat(page).contains("€23.99");
    reprice(NAME + " 1", "2399.0");
    Map<String, String> form = Map.of("key", field(page, "key"), "name", NAME + " 1");

    Reply refused = submit("/buy", with(form, "price", field(page, "price")));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(HtmlUtils.htmlUnescape(refused.body()))
        .contains("\"Crème brûlée 🧸 1\" costs 2399.00, expected 23.99", "€2,399.00");
    assertThat(stock(NAME + " 1")).isEqualTo(80);
    var accepted = Map.of("key", field(refused.body(), "key"), "name", NAME + " 1");
    Reply bought = submit("/buy", with(accepted, "price", field(refused.body(), "price")));
    assertThat(bought.status()).isEqualTo(303);
    assertThat(page(bought.header("Location").getFirst())).contains("€2,399.00");
  }

  @Test
  void basketChargesItsTotalOrNothingAndKeepsWhatAnotherTabAdded() throws IOException {
    add(NAME + " 2", "25.99", 80);
    add("Kašpárek", "1.0", 80);
    String cookie = addToBasket(NAME + " 2", 2, "");
    String page = page("/basket", "Cookie", cookie);
    assertThat(page).contains("Order all for €51.98");
    reprice(NAME + " 2", "99.99");
    String added = addToBasket("Kašpárek", 1, cookie);

    Reply refused = orderBasket(page, added);

    assertThat(refused.status()).isEqualTo(409);
    assertThat(HtmlUtils.htmlUnescape(refused.body()))
        .contains("costs 99.99, expected 25.99", "the price was €25.99", "Order all for €199.98");
    assertThat(stock(NAME + " 2")).isEqualTo(80);
    Reply ordered = orderBasket(refused.body(), added);
    assertThat(ordered.status()).isEqualTo(303);
    assertThat(page("/basket", "Cookie", cookie(ordered)))
        .contains("<bdi>Kašpárek</bdi>")
        .doesNotContain(NAME);
    assertThat(stock(NAME + " 2")).isEqualTo(78);
  }

  @Test
  void administratorOverwritesOnlyWhatWasShown() throws IOException {
    add(NAME + " 3", "12.0", 76);
    String session = cookie(submit("/admin/login", Map.of("token", store.administratorsToken())));
    String products = page("/admin?q=" + encoded(NAME + " 3"), "Cookie", session);
    String csv = "name,price,quantity\nBär 🧸,1,1\n" + NAME + " 3,12,100\n";
    Map<String, String> file = Map.of("csrf", field(products, "csrf"), "csv", csv);
    Reply preview = submit("/admin/import", file, "Cookie", session);
    assertThat(preview.body()).contains("quantity 76 → 100", "Import 2 products");
    String five = "{\"name\":\"" + NAME + " 3\",\"quantity\":5,\"price\":12.0}";
    store.http().post("/orders", five, "Accept", "*/*");

    Reply stale =
        submit(
            "/admin/import/apply",
            with(file, "seen", field(preview.body(), "seen")),
            "Cookie",
            session);

    assertThat(stale.status()).isEqualTo(409);
    assertThat(stale.body())
        .contains("expected quantity 76 → 100, got quantity 71 → 100", "Import 2 products");
    assertThat(stock(NAME + " 3")).isEqualTo(71);
    assertThat(store.http().get("/products/" + encoded("Bär 🧸")).status()).isEqualTo(404);
    Reply imported =
        submit(
            "/admin/import/apply",
            with(file, "seen", field(stale.body(), "seen")),
            "Cookie",
            session);
    assertThat(imported.status()).as(imported.body()).isEqualTo(303);
    assertThat(stock(NAME + " 3")).isEqualTo(100);

    reprice(NAME + " 3", "13.0");
    Map<String, String> price =
        Map.of(
            "csrf",
            field(products, "csrf"),
            "name",
            NAME + " 3",
            "q",
            NAME + " 3",
            "after",
            "",
            "expectedPrice",
            field(products, "expectedPrice"),
            "price",
            "11.50");
    Reply refused = submit("/admin/products/price", price, "Cookie", session);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(HtmlUtils.htmlUnescape(refused.body()))
        .contains("costs 13.00, expected 12.00", "value=\"11.50\"");
    assertThat(field(refused.body(), "expectedPrice")).isEqualTo("13.0");
    Reply rest =
        store.asAdministrator(
            "PATCH",
            "/products/" + encoded(NAME + " 3"),
            "{\"price\":11.5,\"expected_price\":12.0}");
    assertThat(rest.json().at("/error/reason").stringValue()).isEqualTo("PRODUCT_CHANGED");
  }

  /// A request without a price has the hash that it had before there were prices in requests: its
  /// stored answers stay valid.
  @Test
  void expectedPriceIsPartOfTheRequestAndItsRefusalIsKept() throws IOException {
    add(NAME + " 4", "5.0", 80);
    String plain = "{\"name\":\"" + NAME + " 4\",\"quantity\":1}";
    String priced = plain.replace("}", ",\"price\":4.99}");
    assertThat(order(priced, "k 1").json().at("/error/reason").stringValue())
        .isEqualTo("PRICE_CHANGED");
    reprice(NAME + " 4", "4.99");
    Reply repeated = order(priced, "k 1");
    assertThat(repeated.status()).isEqualTo(409);
    assertThat(repeated.header("Idempotency-Replayed")).containsExactly("true");
    assertThat(order(priced, "k 2").status()).isEqualTo(200);
    assertThat(order(plain, "k 2").status()).isEqualTo(422);
    assertThat(stock(NAME + " 4")).isEqualTo(79);
  }

  private static Reply order(String body, String key) throws IOException {
    return store.http().post("/orders", body, "Idempotency-Key", key);
  }

  private static void add(String name, String price, int quantity) throws IOException {
    Reply added =
        store.postAsAdministrator(
            "/products",
            format(
                "{\"name\":\"%s\",\"price\":%s,\"quantity\":%d,\"category\":\"Été\"}",
                name, price, quantity));
    assertThat(added.status()).as(added.body()).isEqualTo(201);
  }

  private static void reprice(String name, String price) throws IOException {
    Reply priced =
        store.asAdministrator("PATCH", "/products/" + encoded(name), "{\"price\":" + price + "}");
    assertThat(priced.status()).as(priced.body()).isEqualTo(200);
  }

  private static long stock(String name) throws IOException {
    return store.http().get("/products/" + encoded(name)).json().at("/data/quantity").longValue();
  }

  private static String addToBasket(String name, int quantity, String cookie) throws IOException {
    Map<String, String> form = Map.of("name", name, "quantity", Integer.toString(quantity));
    return cookie(submit("/basket", form, "Cookie", cookie));
  }

  private static Reply orderBasket(String page, String cookie) throws IOException {
    return submit(
        "/basket/order",
        Map.of("key", field(page, "key"), "basket", field(page, "basket")),
        "Cookie",
        cookie);
  }

  private static String page(String path, String... headers) throws IOException {
    Reply page = store.http().get(path, html(headers));
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    return page.body();
  }

  private static Reply submit(String path, Map<String, String> fields, String... headers)
      throws IOException {
    String form =
        fields.entrySet().stream()
            .map(it -> it.getKey() + '=' + URLEncoder.encode(it.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
    return store.http().post(path, form, html(headers));
  }

  private static String[] html(String... headers) {
    var all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "Accept";
    all[headers.length + 1] = "text/html";
    return all;
  }

  private static Map<String, String> with(Map<String, String> form, String name, String value) {
    var all = new TreeMap<>(form);
    all.put(name, value);
    return all;
  }

  private static String cookie(Reply reply) {
    return reply.header("Set-Cookie").getFirst().split(";", 2)[0];
  }

  private static String field(String page, String name) {
    var field = Pattern.compile("name=\"" + name + "\" value=\"([^\"]*)\"").matcher(page);
    assertThat(field.find()).as(page).isTrue();
    return HtmlUtils.htmlUnescape(field.group(1));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
