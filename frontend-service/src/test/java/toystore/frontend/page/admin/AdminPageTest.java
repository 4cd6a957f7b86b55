package toystore.frontend.page.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.frontend.RunningFrontend.encoded;
import static toystore.frontend.page.PageForms.location;
import static toystore.frontend.page.PageForms.notice;
import static toystore.frontend.page.PageForms.with;

import com.google.protobuf.util.Timestamps;
import io.grpc.MethodDescriptor;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ListChangesResponse;
import toystore.catalog.v1.RecordedChange;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditResponse;
import toystore.common.v1.AuditServiceGrpc;
import toystore.frontend.LoggedWarnings;
import toystore.frontend.RunningFrontend;
import toystore.frontend.page.PageForms;
import toystore.platform.error.ErrorReason;

/// The administrator's pages. A test in a real browser is in `e2e`.
class AdminPageTest {
  private static final String COOKIE = "toystore-admin-" + RunningFrontend.open().port + "=";
  private static final String SESSION = logIn();
  private static final MethodDescriptor<?, AuditResponse> AUDIT = AuditServiceGrpc.getAuditMethod();
  private static final AuditCheck.Builder CHECK = AuditCheck.newBuilder().setName("stock");

  private final RunningFrontend shop = RunningFrontend.open();
  private final String toy = shop.newProduct("25.99", 80, "");
  private final String shown = "<bdi>" + toy.replace("&", "&amp;") + "</bdi>";

  private String stateOfTheToy() {
    return shop.product(toy).body();
  }

  /// Returns the cookie of a session.
  private static String logIn() {
    var login =
        RunningFrontend.open().send("POST", "/admin/login", "token=" + RunningFrontend.TOKEN);
    return login.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
  }

  private static Stream<String> routes() {
    return RunningFrontend.routes(RunningFrontend.open().frontend)
        .filter(it -> it.contains(" /admin") && !it.endsWith("/login"));
  }

  private static Stream<String> forms() {
    return routes().filter(it -> it.startsWith("POST "));
  }

  @ParameterizedTest
  @MethodSource("routes")
  void pageWithoutASessionRedirectsToTheLogin(String route) {
    String signed = SESSION.substring(0, SESSION.length() - 1) + "_";
    for (String cookie : List.of("x=y", COOKIE + "dead", signed, COOKIE + RunningFrontend.TOKEN)) {
      var refused =
          send(route, "name=" + encoded(toy) + "&quantity=1&key=k&price=1", "Cookie", cookie);
      assertThat(refused.statusCode()).isEqualTo(303);
      assertThat(refused.headers().firstValue("Location")).hasValue("/admin/login");
      boolean hadCookie = !cookie.equals("x=y");
      assertThat(
              refused.headers().allValues("Set-Cookie").stream()
                  .anyMatch(it -> it.startsWith(COOKIE + "; Path=/; Max-Age=0;")))
          .isEqualTo(hadCookie);
      String notice = route.startsWith("POST ") ? "NOT_LOGGED_IN" : "SESSION_ENDED";
      assertThat(notice(refused)).isEqualTo(hadCookie || route.startsWith("POST ") ? notice : "");
    }
    assertThat(stateOfTheToy()).contains("\"price\":25.99,\"quantity\":80");
  }

  @ParameterizedTest
  @MethodSource("forms")
  void formWithoutTheTokenOfItsSessionOrFromAnotherSiteIsRefused(String route) {
    String form = "name=" + encoded(toy) + "&quantity=1&key=k&price=1&csv=x&seen=0&csrf=";
    for (String csrf : List.of("", "x", csrf(logIn()))) {
      var refused = send(route, form + csrf, "Cookie", SESSION);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("This form belongs to another session");
    }
    for (String to : List.of(route, "POST /admin/login")) {
      String valid = form + csrf(SESSION) + "&token=" + RunningFrontend.TOKEN;
      for (String[] foreign :
          List.of(
              new String[] {"Origin", "http://evil.example"},
              new String[] {"Sec-Fetch-Site", "cross-site"})) {
        var refused = send(to, valid, "Cookie", SESSION, foreign[0], foreign[1]);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
      }
    }
    assertThat(stateOfTheToy()).contains("\"price\":25.99,\"quantity\":80");
  }

  @Test
  void loginSetsAStrictCookieThatIsNotTheToken() {
    var login = post("/admin/login", Map.of("token", RunningFrontend.TOKEN));

    assertThat(login.statusCode()).isEqualTo(303);
    assertThat(login.headers().firstValue("Location")).hasValue("/admin");
    assertThat(login.headers().allValues("Set-Cookie"))
        .singleElement()
        .asString()
        .startsWith(COOKIE)
        .endsWith("; Path=/; HttpOnly; SameSite=Strict")
        .doesNotContain(RunningFrontend.TOKEN);
    String cookie = login.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    var page = send("GET /admin", "", "Cookie", cookie);
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(page.body()).doesNotContain(RunningFrontend.TOKEN);

    String value = cookie.substring(COOKIE.length());
    assertThat(send("GET /orders", "", "Authorization", "Bearer " + value).statusCode())
        .as("no token of the API")
        .isEqualTo(403);
    assertThat(send("GET /orders", "", "Cookie", cookie).statusCode()).isEqualTo(401);
  }

  @Test
  void wrongTokenIsRefusedAndNeitherShownNorLogged() {
    try (var warnings = new LoggedWarnings()) {
      for (String wrong : List.of("", "guessed-token", RunningFrontend.TOKEN + "x")) {
        var refused = post("/admin/login", Map.of("token", wrong));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(refused.body())
            .contains("This is not the administrator&#39;s token.")
            .doesNotContain("guessed-token", RunningFrontend.TOKEN);
      }
      assertThat(warnings.lines()).isEmpty();
    }
  }

  @Test
  void tokenInTheUrlIsRefused() {
    for (String form : List.of("", "token=wrong")) {
      var refused = send("POST /admin/login?token=" + RunningFrontend.TOKEN, form);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
    }
  }

  @Test
  void logoutEndsTheSessionForEveryCopyOfTheCookie() {
    String cookie = logIn();
    String other = logIn();

    var left = submit("/admin/logout", cookie, Map.of());

    assertThat(location(left)).isEqualTo("/admin/login");
    assertThat(notice(left)).isEqualTo("LOGGED_OUT");
    assertThat(location(send("GET /admin", "", "Cookie", cookie))).isEqualTo("/admin/login");
    assertThat(send("GET /admin", "", "Cookie", other).statusCode())
        .as("another session")
        .isEqualTo(200);
  }

  /// A cookie's name contains the port.
  private static String at(int port, String cookie) {
    return "toystore-admin-" + port + "=" + cookie.substring(COOKIE.length());
  }

  @Test
  void changesAreFilteredAndRestocksAreOneLine() {
    var restock =
        RecordedChange.newBuilder()
            .setNumber(1)
            .setChangedBy("store, restock-interval")
            .setChangedAt(Timestamps.fromSeconds(86_400))
            .setRestocks(3)
            .setFirstChangedAt(Timestamps.EPOCH);
    shop.faults.answer(
        CatalogAdminServiceGrpc.getListChangesMethod(),
        ListChangesResponse.newBuilder().addChanges(restock).build());
    assertThat(changes(""))
        .contains("Automatic restock × 3", ">1 January 1970 at 00:00 UTC<")
        .contains(">2 January 1970 at 00:00 UTC<");
    for (int i = 0; i < 51; i++) {
      shop.asAdministrator("PATCH", "/products/" + encoded(toy), "{\"price\":" + (i + 1) + "}");
    }
    assertThat(changes("?product=" + encoded(toy)))
        .contains(shown, "price 50.00 → 51.00")
        .containsPattern("before=\\d+&amp;product=Ka%C5%A1p%C3%A1rek%20%26");
    assertThat(changes("?product=" + encoded("Crème & קוביה")))
        .contains("There are no such changes", "value=\"Crème &amp; קוביה\"");
  }

  private String changes(String query) {
    return page("/admin/changes" + query);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a, page 10.0.0.1|name contains COMMA (U+002C) at position 2; a comma is not allowed",
        "a\u202Eb|name contains RIGHT-TO-LEFT OVERRIDE (U+202E) at position 2",
        "012345678901234567890123456789012345678901234567890|name must have 0 to 50 characters, got 51"
      })
  void wrongNameIsRefusedAndKept(String name, String message) {
    var refused = post("/admin/login", Map.of("token", RunningFrontend.TOKEN, "name", name));

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(refused.body())
        .contains(message, "value=\"" + name + "\"")
        .doesNotContain(RunningFrontend.TOKEN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin",
        "/admin/import",
        "/admin/orders",
        "/admin/stocks",
        "/admin/symbols",
        "/admin/audit",
        "/admin/changes"
      })
  void everyFormHasOneToken(String path) {
    suspendedStock();
    String page = page(path);

    assertThat(
            Pattern.compile("(?s)<form [^>]*method=\"post\".*?</form>")
                .matcher(page)
                .results()
                .map(MatchResult::group))
        .isNotEmpty()
        .allSatisfy(form -> assertThat(form).containsOnlyOnce("name=\"csrf\""));
    assertThat(page)
        .containsOnlyOnce("aria-current=\"page\"")
        .contains("<a href=\"" + path + "\" aria-current=\"page\">")
        .doesNotContain("<script>", "style=\"");
  }

  /// Returns the name of a stock whose volume of 100 cannot grow.
  private String suspendedStock() {
    String stock = shop.newStock("15", 200, 100);
    for (int quantity : new int[] {100, 1}) {
      String trade = "{\"name\":\"%s\",\"quantity\":%d,\"type\":\"buy\"}";
      shop.post("/orders", format(trade, stock, quantity));
    }
    return stock;
  }

  @Test
  void productIsAddedFoundPricedRestockedOnceAndRemoved() {
    var product = Map.of("name", "Yo-yo", "price", "4.5", "quantity", "7", "category", "Outdoor");
    var added = submit("/admin/products", SESSION, product);
    assertThat(location(added)).isEqualTo("/admin?q=Yo-yo&after=");
    assertThat(notice(added)).isEqualTo("PRODUCT_ADDED");
    assertThat(submit("/admin/products", SESSION, product).statusCode()).isEqualTo(303);
    assertThat(page("/admin?q=Yo-yo"))
        .contains("Yo-yo", "€4.50", "7 in stock", "Outdoor", "value=\"4.50\"")
        .containsSubsequence("<h2>Add a product</h2>", "<ul class=\"toys")
        .doesNotContain("Whale");

    var shown = Map.of("name", "Yo-yo", "q", "Yo", "after", "A");
    var priced = submit("/admin/products/price", SESSION, with(shown, "price", "5.25"));
    assertThat(location(priced)).isEqualTo("/admin?q=Yo&after=A");
    for (int i = 0; i < 2; i++) { // one key
      var restocked = submit("/admin/products/restock", SESSION, with(shown, "quantity", "3"));
      assertThat(notice(restocked)).isEqualTo("PRODUCT_RESTOCKED");
    }
    assertThat(shop.get("/products/Yo-yo").body()).contains("\"price\":5.25,\"quantity\":10");

    assertThat(notice(submit("/admin/products/remove", SESSION, shown)))
        .isEqualTo("PRODUCT_REMOVED");
    assertThat(shop.get("/products/Yo-yo").status()).isEqualTo(404);
    var gone = submit("/admin/products/remove", SESSION, shown);
    assertThat(gone.statusCode()).isEqualTo(404);
    assertThat(gone.body()).contains("There is no such product, or it is no longer sold.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Crème & Co", "Kašpárek", "דובי 🧸", "1+1 = 2?", "Tux#1"})
  void redirectKeepsTheTextOfASearchAndOfANewName(String text) {
    var product = Map.of("name", text, "price", "4.5", "quantity", "7");
    var added = submit("/admin/products", SESSION, product);
    assertThat(added.statusCode()).isEqualTo(303);
    assertThat(query(added)).containsEntry("q", text);
    assertThat(page(location(added))).contains("<bdi>" + text.replace("&", "&amp;") + "</bdi>");

    var shown = Map.of("name", text, "q", text, "after", text);
    for (var form :
        List.of(
            Map.entry("price", with(shown, "price", "5.25")),
            Map.entry("restock", with(shown, "quantity", "3")),
            Map.entry("remove", shown))) {
      var done = submit("/admin/products/" + form.getKey(), SESSION, form.getValue());
      assertThat(done.statusCode()).isEqualTo(303);
      assertThat(query(done)).isEqualTo(Map.of("q", text, "after", text));
    }
    assertThat(shop.get("/products/" + URLEncoder.encode(text, UTF_8)).status()).isEqualTo(404);
  }

  private static Map<String, String> query(HttpResponse<String> redirect) {
    return Stream.of(URI.create(location(redirect)).getRawQuery().split("&"))
        .map(it -> it.split("=", 2))
        .collect(Collectors.toMap(it -> it[0], it -> URLDecoder.decode(it[1], UTF_8)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name=Tux|409|a product named &quot;Tux&quot; already exists",
        "name=a/b|400|slash",
        "price=1e3|400|price must be a number from 0.01 to 1000000000.00",
        "quantity=٣|400|quantity must be an integer from 1 to 2147483647, got &quot;٣&quot;",
        "quantity=|400|quantity must be an integer from 1 to 2147483647"
      })
  void refusedNewProductKeepsItsFields(String field, int status, String message) {
    var fields = new TreeMap<>(Map.of("name", "Yo-yo", "price", "4.5", "quantity", "7"));
    fields.put(field.split("=")[0], field.substring(field.indexOf('=') + 1));

    var refused = submit("/admin/products", SESSION, with(fields, "category", "Lost & found"));

    assertThat(refused.statusCode()).isEqualTo(status);
    assertThat(refused.body())
        .contains(message, "role=\"alert\"", "value=\"Lost &amp; found\"")
        .contains("<title>Error: Products");
  }

  @Test
  void pagesOfProductsFollowEachOther() {
    String first = page("/admin");

    Matched next = Matched.of(first, "rel=\"next\" href=\"([^\"]*)\"");
    String second = send("GET " + next.group().replace("&amp;", "&"), "", "Cookie", SESSION).body();

    assertThat(first).contains(">Ant Farm<").doesNotContain("First page", ">Dominoes<");
    assertThat(second).contains("First page").doesNotContain(">Ant Farm<");
  }

  private record Matched(String group) {
    static Matched of(String text, String pattern) {
      var found = Pattern.compile(pattern).matcher(text);
      assertThat(found.find()).as(text).isTrue();
      return new Matched(found.group(1));
    }
  }

  @Test
  void importShowsDifferencesAndAppliesThemOnce() {
    String same = shop.newProduct("1", 1, "");
    String csv = format("name,price,quantity\n%s,30,80\n%s,1,1\n", toy, same);
    var preview = submit("/admin/import", SESSION, Map.of("csv", csv));
    assertThat(preview.statusCode()).isEqualTo(200);
    assertThat(preview.body())
        .contains("1 product differs", shown, "price 25.99 → 30.00", "Import 1 product</button>")
        .doesNotContain("<bdi>" + same.replace("&", "&amp;"));
    assertThat(stateOfTheToy()).contains("25.99");

    String seen = toy + "\tprice 25.99 → 30.00";
    assertThat(PageForms.field(preview.body(), "seen")).isEqualTo(seen.replace("&", "&amp;"));

    var apply = Map.of("csv", csv, "seen", seen);
    var imported = submit("/admin/import/apply", SESSION, apply);
    assertThat(location(imported)).isEqualTo("/admin/changes");
    assertThat(notice(imported)).isEqualTo("PRODUCTS_IMPORTED");
    assertThat(stateOfTheToy()).contains("\"price\":30.0");
    assertThat(changes("")).contains("administrator, page 127.0.0.1", "price 25.99 → 30.00");

    var again = submit("/admin/import/apply", SESSION, apply);
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("Nothing was changed, because", "No differences");
  }

  @Test
  void importTakesTwoMegabytesAndAPageRefusesMore() {
    String line = "%s,30,1\n";
    var lines = new StringBuilder("name,price,quantity\n");
    for (int i = 0; lines.length() < 100_000; i++) {
      lines.append(format(line, "x".repeat(90) + i));
    }
    String large = lines.toString();
    String form = "csrf=" + csrf(SESSION) + "&csv=";
    String full = form + large + "x".repeat(2_097_152 - form.length() - large.length());
    var headers = new String[] {"Cookie", SESSION, "Accept", "text/html"};

    var refused = send("POST /admin/import", full, headers);
    assertThat(refused.statusCode()).as("its last line is no CSV").isNotEqualTo(413);
    assertThat(send("POST /admin/import", form + large, headers).body()).contains("30.00");

    var tooLarge = send("POST /admin/import", full + "x", headers);
    assertThat(tooLarge.statusCode()).isEqualTo(413);
    assertThat(tooLarge.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
    assertThat(tooLarge.body()).contains("nothing was done", "2097152 bytes");
    assertThat(send("POST /admin/import/apply", full + "x", headers).statusCode())
        .as("differences follow the text")
        .isEqualTo(400);
    headers[1] = COOKIE + "dead";
    assertThat(send("POST /admin/import", form + large, headers).body())
        .as("only an administrator's body is kept")
        .contains("65536 bytes", "log in");
    headers[1] = SESSION;
    assertThat(send("POST /admin/products", form + large, headers).statusCode()).isEqualTo(413);
  }

  @Test
  void lateDifferencesSayThatNothingWasDone() {
    shop.faults.fail(CatalogAdminServiceGrpc.getImportProductsMethod(), ErrorReason.TOO_LATE);

    var late = submit("/admin/import", SESSION, Map.of("csv", "name,price\nTux,30\n"));

    assertThat(late.statusCode()).isEqualTo(503);
    assertThat(late.body()).contains("nothing was done", "Tux,30");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "", "9999999999"})
  void importOfAnUnknownNumberOfDifferencesIsRefused(String seen) {
    var refused =
        submit(
            "/admin/import/apply",
            SESSION,
            Map.of("csv", "name,price,quantity\n" + toy + ",30,80", "seen", seen));

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(stateOfTheToy()).contains("25.99");
  }

  @Test
  void ordersAreListedNewestFirstInPages() {
    int last = 0;
    for (int i = 0; i < 51; i++) {
      String order = format("{\"name\":\"%s\",\"quantity\":1}", toy);
      last = shop.post("/orders", order).json().at("/data/order_number").asInt();
    }
    String page = page("/admin/orders");

    assertThat(page)
        .contains("1 × ", shown, "€25.99", "/admin/orders?from=" + (last - 50))
        .containsSubsequence(
            "Order " + last + "<", "Order " + (last - 1) + "<", "Order " + (last - 49) + "<")
        .doesNotContain("Order " + (last - 50) + "<");
    assertThat(page("/admin/orders?from=0"))
        .contains("<h2>Order 0")
        .doesNotContain("<h2>Order 1", "rel=\"next\"");
    assertThat(page("/admin/orders?from=" + (last - 7)))
        .containsSubsequence("Order " + (last - 7) + "<", "Order " + (last - 8) + "<")
        .doesNotContain("Order " + (last - 6) + "<");
    assertThat(send("GET /admin/orders?from=x", "", "Cookie", SESSION).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({"'',0,100", "250,100,250"})
  void suspensionIsLiftedOnce(String maxVolume, long volume, long max) {
    String stock = suspendedStock();
    String page = "GET /admin/stocks?after=" + encoded(stock.replace("Co", ""));
    String before = send(page, "", "Cookie", SESSION).body();
    assertThat(before)
        .containsSubsequence("<bdi>" + stock, "traded 100 of at most 100", "suspended");
    var lift =
        Map.of(
            "name", stock,
            "maxVolume", maxVolume,
            "expectedVolume", PageForms.field(before, "expectedVolume"));

    assertThat(notice(submit("/admin/stocks/resume", SESSION, lift))).isEqualTo("TRADING_RESUMED");
    assertThat(send(page, "", "Cookie", SESSION).body())
        .containsSubsequence("<bdi>" + stock, "traded " + volume + " of at most " + max);

    var again = submit("/admin/stocks/resume", SESSION, with(lift, "key", "again" + maxVolume));
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("Nothing was changed");
  }

  @Test
  void invalidMaximumVolumeIsRefused() {
    var refused =
        submit("/admin/stocks/resume", SESSION, Map.of("name", "FishCo", "maxVolume", "0"));

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("max_volume must be an integer from 1 to 9000000000000000");
    var form = Map.of("name", "FishCo", "maxVolume", "", "expectedVolume", "٣x");
    assertThat(submit("/admin/stocks/resume", SESSION, form).statusCode()).isEqualTo(400);
  }

  @Test
  void auditRunsOnDemandAndSaysWhatHolds() {
    assertThat(audit("")).doesNotContain("All checks hold");
    assertThat(audit("?run=new")).contains("All checks hold", "catalog: ", "exchange: ");
    shop.faults.answer(AUDIT, AuditResponse.newBuilder().addChecks(CHECK.setOk(false)).build());
    assertThat(audit("?run=full")).contains("Some checks do not hold", "✗ does not hold");
    shop.faults.answer(AUDIT, AuditResponse.newBuilder().addChecks(CHECK.clearOk()).build());
    assertThat(audit("?run=full")).contains("Some checks could not be made", "? not checked");
  }

  private String audit(String query) {
    return page("/admin/audit" + query);
  }

  @Test
  void symbolsHaveTheirDepthAndTrades() {
    String symbol = shop.trades().newSymbol();
    shop.trades().trade(symbol, 1);
    assertThat(page("/admin/symbols")).contains("/admin/symbols?symbol=NEW1");
    assertThat(page("/admin/symbols?symbol=" + symbol))
        .contains("Bids", "Asks", "Latest trades", "All symbols");
    assertThat(send("GET /admin/symbols?symbol=%3Cb", "", "Cookie", SESSION).statusCode())
        .isEqualTo(404);
  }

  /// Sends a form of a session, with its CSRF token and, unless it has one, a key.
  private HttpResponse<String> submit(String path, String cookie, Map<String, String> fields) {
    var all = new TreeMap<>(fields);
    all.put("csrf", csrf(cookie));
    all.putIfAbsent("key", path + fields.hashCode());
    return post(path, all, "Cookie", cookie);
  }

  private HttpResponse<String> post(String path, Map<String, String> fields, String... headers) {
    return shop.send("POST", path, PageForms.encode(fields), headers);
  }

  private HttpResponse<String> send(String route, String body, String... headers) {
    String[] parts = route.split(" ", 2);
    return shop.send(parts[0], parts[1], body, headers);
  }

  private String page(String path) {
    return send("GET " + path, "", "Cookie", SESSION).body();
  }

  private String csrf(String cookie) {
    return PageForms.field(send("GET /admin/import", "", "Cookie", cookie).body(), "csrf");
  }
}
