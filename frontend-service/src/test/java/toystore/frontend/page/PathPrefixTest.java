package toystore.frontend.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.frontend.RunningFrontend;
import toystore.frontend.TestMarket;

/// The pages behind a reverse proxy that removes a path prefix from each request and names it in
/// `X-Forwarded-Prefix`.
class PathPrefixTest {
  private static final String HTML = "text/html";
  private static final String PROXY = "127.0.0.1";
  private static final String CLIENT = "127.0.0.2";

  private static final TestMarket MARKET = TestMarket.open(RunningFrontend.open());
  private static final String TOY = RunningFrontend.open().newProduct("25.99", 80, "Wheels");

  /// The fields of all forms. A form ignores those of another.
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("name", TOY),
          Map.entry("category", "3"),
          Map.entry("condition", "new"),
          Map.entry("price", "25.99"),
          Map.entry("seen", "4"),
          Map.entry("quantity", "1"),
          Map.entry("feedback", "up"),
          Map.entry("role", "buyer"),
          Map.entry("username", "ann-" + MARKET.item()),
          Map.entry("password", "hunter2hunter2"),
          Map.entry("cart", MARKET.item() + ":2@1250"),
          Map.entry("card-holder", "Holda Bear"),
          Map.entry("card-number", "4000000000000002"),
          Map.entry("card-expiry", "11/31"),
          Map.entry("card-code", "987"),
          Map.entry("symbol", MARKET.symbol()),
          Map.entry("side", "sell"),
          Map.entry("shares", "300.5"),
          Map.entry("limit", "125"),
          Map.entry("balance", "5"));

  private static final Pattern URL =
      Pattern.compile("\\b(href|src|action|formaction|hx-get|hx-post|data-feed)=\"([^\"]*)\"");
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]*)\"");

  private static final HttpClient proxy = client(PROXY);
  private static final HttpClient client = client(CLIENT);

  private static ConfigurableApplicationContext frontend;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    frontend =
        RunningFrontend.open()
            .another(
                "--server.forward-headers-strategy=native",
                "--server.tomcat.remoteip.internal-proxies=127\\.0\\.0\\.1");
    port = RunningFrontend.port(frontend, "local.server.port");
  }

  @AfterAll
  static void stop() {
    frontend.close();
  }

  private final RunningFrontend shop = RunningFrontend.open();

  private static HttpClient client(String address) {
    return HttpClient.newBuilder().localAddress(InetAddress.ofLiteral(address)).build();
  }

  private static Stream<String> routes(Predicate<String> chosen) {
    return RunningFrontend.routes(frontend)
        .filter(it -> !it.contains(" /api") && !it.endsWith("/feed"))
        .filter(chosen)
        .map(it -> it.replace("{name}", RunningFrontend.encoded(TOY)))
        .map(it -> it.replace("{account}", "" + MARKET.account()))
        .map(it -> it.replaceAll("\\{order}", "" + MARKET.order()))
        .map(it -> it.replaceAll("\\{\\w+\\}", "" + MARKET.item()))
        .sorted(Comparator.comparing(it -> it.matches(".*/remove")))
        .distinct();
  }

  @Test
  void everyUrlOfEveryPageBeginsWithThePrefix() {
    for (int i = 0; i < 50; i++) {
      shop.newProduct("1", 1, "Prefixes");
      addItem();
    }
    String toy = RunningFrontend.encoded(shop.newProduct("1", 1, "Wheels"));
    shop.as(
        MARKET.buyer(),
        "POST",
        "/api/exchange/accounts/" + MARKET.account() + "/orders",
        "{\"symbol\":\"" + MARKET.symbol() + "\",\"side\":\"buy\",\"shares\":1,\"limit\":1}");
    long trade = shop.trades().trade(MARKET.symbol(), 40);
    List<String> pages =
        Stream.concat(
                routes(it -> it.startsWith("GET ")),
                Stream.of(
                    "GET /products/" + toy,
                    "GET /?category=Prefixes&page=2",
                    "GET /find/?number=0",
                    "GET /market/?category=3&keywords=prefix",
                    "GET /exchange?symbol=" + MARKET.symbol(),
                    "GET /unknown",
                    "DELETE /find"))
            .toList();
    Set<String> urls = new HashSet<>();
    for (String page : pages) {
      for (String cookie : cookies()) {
        urls.addAll(urls(send(page, "", "Cookie", cookie, "Accept", HTML)));
      }
    }

    assertThat(pages).hasSizeGreaterThan(20);
    assertThat(urls).allMatch(PathPrefixTest::isPrefixed);
    assertThat(urls)
        .contains(
            "/toys/",
            "/toys/buy",
            "/toys/products/" + toy,
            "/toys/?q=&amp;category=Prefixes&amp;page=1",
            "/toys/?q=&amp;category=Prefixes&amp;page=3",
            "/toys/market/items/" + MARKET.item(),
            "/toys/market/cart/" + MARKET.item() + "/remove",
            "/toys/exchange/feed?symbol=" + MARKET.symbol() + "&amp;after=" + trade,
            "/toys/admin/products/price",
            "/toys/admin/symbols?symbol=" + MARKET.symbol())
        .anyMatch(it -> it.matches("/toys/exchange/accounts/\\d+/orders/\\d+/cancel"))
        .anyMatch(it -> it.startsWith("/toys/market?category=3&amp;keywords=prefix&amp;after="));
    for (String asset : urls.stream().filter(it -> it.contains("/assets/")).toList()) {
      assertThat(send("GET " + asset.substring("/toys".length()), "").statusCode()).isEqualTo(200);
    }
  }

  private void addItem() {
    shop.as(
        MARKET.seller(),
        "POST",
        "/api/sellers/items",
        "{\"name\":\"Kite\",\"category\":3,\"keywords\":[\"prefix\"],\"condition\":\"new\",\"price\":1,\"quantity\":1}");
  }

  @Test
  void everyRedirectAndCookieBelongsToThePrefix() {
    Set<String> redirects = new HashSet<>();
    List<String> lasting = cookies();
    for (String route : routes(it -> it.startsWith("POST ")).toList()) {
      boolean ends = route.matches(".*/(login|register|logout|checkout|clear|remove)");
      for (String cookie : ends ? cookies(shop.newBuyer(), shop.newSeller()) : lasting) {
        var answer = send(route, form(cookie), "Cookie", cookie, "Accept", HTML);
        redirects.addAll(answer.headers().allValues("Location"));
        assertThat(urls(answer)).as(route).allMatch(PathPrefixTest::isPrefixed);
        assertThat(answer.headers().allValues("Set-Cookie"))
            .as(route)
            .allMatch(it -> it.contains("; Path=/toys;"));
      }
    }

    assertThat(redirects)
        .allMatch(PathPrefixTest::isPrefixed)
        .contains(
            "/toys/market",
            "/toys/market/login",
            "/toys/market/cart",
            "/toys/market/selling",
            "/toys/admin?q=&after=",
            "/toys/admin/login",
            "/toys/exchange?account=" + MARKET.account() + "&symbol=" + MARKET.symbol())
        .anyMatch(it -> it.matches("/toys/find\\?number=\\d+"));
  }

  /// Browsers accept a cookie named `__Host-` for the path `/` only.
  @Test
  void secureCookieOfAPrefixHasANameThatBrowsersAccept() {
    String form = form("none=");
    send("POST /market/register", form);
    var login = send("POST /market/login", form, "X-Forwarded-Proto", "https");
    String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();
    var page =
        send("GET /market", "", "X-Forwarded-Proto", "https", "Cookie", cookie.split(";")[0]);

    assertThat(cookie)
        .matches(
            "__Secure-toystore-session=[\\w-]{20,}; Path=/toys; Secure; HttpOnly; SameSite=Lax");
    assertThat(page.statusCode()).isEqualTo(200);
  }

  @Test
  void pageOfAnErrorBeforeTheControllersHasThePrefixToo() {
    var refused = send("POST /buy", "name=Tux", "Sec-Fetch-Site", "cross-site", "Accept", HTML);

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(urls(refused)).contains("/toys/", "/toys/market").allMatch(it -> isPrefixed(it));
  }

  @Test
  void programsGetThePrefixInLinksAndInTheServerOfTheOpenApiDocument() {
    var document = send("GET /openapi.json", "");
    var plain = shop.send("GET", "/openapi.json", "");

    assertThat(send("GET /", "").body()).contains("\"products\":\"/toys/products\"");
    assertThat(document.body()).contains("\"servers\":[{").contains("\"url\":\"/toys\"");
    assertThat(plain.body()).contains("\"servers\":[{\"url\":\"/\"");
    assertThat(document.headers().firstValue("ETag"))
        .isPresent()
        .isNotEqualTo(plain.headers().firstValue("ETag"));
    String etag = document.headers().firstValue("ETag").orElseThrow();
    assertThat(send("GET /openapi.json", "", "If-None-Match", etag).statusCode()).isEqualTo(304);
    assertThat(send("GET /api/unknown", "").headers().firstValue("Content-Type"))
        .hasValue("application/problem+json");
  }

  @ParameterizedTest
  @CsvSource({"/toys/,/toys", "'/shops, /toys',/shops/toys", "/,''", "'',''"})
  void prefixOfSeveralProxiesIsJoined(String header, String prefix) {
    var page = sendFrom(PROXY, header, "GET /market", "");

    assertThat(page.headers().firstValue("Location")).hasValue(prefix + "/market/login");
  }

  @ParameterizedTest
  @ValueSource(strings = {"//other.host", "toys", "/toys/../x", "/t\"><script>", "/a,//b", "/%2f"})
  void malformedPrefixIsRefused(String header) {
    var page = sendFrom(PROXY, header, "GET /market", "");

    assertThat(page.statusCode()).isEqualTo(400);
    assertThat(page.headers().firstValue("Location")).isEmpty();
    assertThat(page.body()).contains("X-Forwarded-Prefix must be a path such as /toys");
  }

  @Test
  void onlyTrustedProxiesAreBelieved() {
    var trusted = sendFrom(PROXY, "/toys", "GET /market", "");
    var client = sendFrom(CLIENT, "/toys", "GET /market", "");
    var anyone = shop.send("GET", "/market", "", "X-Forwarded-Prefix", "/toys");

    assertThat(trusted.headers().firstValue("Location")).hasValue("/toys/market/login");
    assertThat(client.headers().firstValue("Location")).hasValue("/market/login");
    assertThat(anyone.headers().firstValue("Location")).as("by default").hasValue("/market/login");
  }

  /// No session, one that has ended, a buyer's, a seller's and a new one of the administrator.
  private static List<String> cookies() {
    return cookies(MARKET.buyer(), MARKET.seller());
  }

  private static List<String> cookies(String buyer, String seller) {
    String name = "toystore-session-" + port + "=";
    return List.of(
        "none=",
        name + "ended",
        name + buyer,
        name + seller,
        send("POST /admin/login", "token=" + RunningFrontend.TOKEN)
            .headers()
            .firstValue("Set-Cookie")
            .orElseThrow()
            .split(";")[0]);
  }

  private static boolean isPrefixed(String url) {
    return url.startsWith("#") || url.equals("/toys") || url.startsWith("/toys/");
  }

  private static List<String> urls(HttpResponse<String> answer) {
    List<String> urls = new ArrayList<>(answer.headers().allValues("Location"));
    if (answer.headers().firstValue("Content-Type").orElse("").startsWith(HTML)) {
      URL.matcher(answer.body()).results().map(it -> it.group(2)).forEach(urls::add);
    }
    return urls;
  }

  private static String form(String cookie) {
    String csrf =
        CSRF.matcher(
                send(
                        cookie.startsWith("toystore-admin") ? "GET /admin/import" : "GET /market",
                        "",
                        "Cookie",
                        cookie)
                    .body())
            .results()
            .findFirst()
            .map((MatchResult it) -> it.group(1))
            .orElse("");
    return PageForms.encode(FIELDS) + "&key=key-" + cookie.hashCode() + "&csrf=" + csrf;
  }

  private static HttpResponse<String> send(String route, String body, String... headers) {
    return sendFrom(PROXY, "/toys", route, body, headers);
  }

  /// @param address from which the request comes
  private static HttpResponse<String> sendFrom(
      String address, String prefix, String route, String body, String... headers) {
    String[] parts = route.split(" ", 2);
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + parts[1]))
            .method(parts[0], HttpRequest.BodyPublishers.ofString(body))
            .header("X-Forwarded-Prefix", prefix);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return (address.equals(PROXY) ? proxy : client)
          .send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(route, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
