package toystore.frontend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;
import static toystore.frontend.RunningFrontend.error;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.clients.RawClient;
import toystore.frontend.LoggedWarnings;
import toystore.frontend.RunningFrontend;

/// HTTP behaviour of all paths. Raw sockets are used where an HTTP client cannot send the request.
class EdgeTest {
  private static final String TUX = "{\"name\":\"Tux\",\"quantity\":1}";
  private static final String ORDERED = "\\{\"data\":\\{\"order_number\":\\d+}}$";

  private final RunningFrontend shop = RunningFrontend.open();

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "nonsense", "application/json;charset=utf-16"})
  void bodyIsParsedAsJsonForAnyContentType(String type) {
    assertThat(shop.post("/orders", TUX, "Content-Type", type).body()).matches(ORDERED);
  }

  @Test
  void everyMethodParsesItsBodyForAnyContentType() {
    String form = "application/x-www-form-urlencoded";
    String toy = "/products/" + RunningFrontend.encoded(shop.newProduct("1", 1, ""));

    assertThat(shop.asAdministrator("PATCH", toy, "{\"price\":3}", "Content-Type", form).status())
        .isEqualTo(200);
    assertThat(shop.asAdministrator("DELETE", toy, "a=b", "Content-Type", form).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/product/Tux",
    "POST,/nowhere",
    "GET,/products/a/b",
    "GET,/error",
    "GET,/actuator/health",
    "GET,/WEB-INF/web.xml",
    "GET,/webjars/htmx.org/2.0.8/dist/htmx.min.js",
    "PUT,/index.html"
  })
  void unknownPathReturns404(String method, String path) {
    var reply = RunningFrontend.reply(shop.send(method, path, ""));

    assertThat(reply)
        .isIn(
            error(404, "PATH_NOT_FOUND", "no such path"),
            error(404, "PATH_NOT_FOUND", "not found"));
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE,/orders,'GET,POST'",
    "POST,/stocks/Tux,GET",
    "POST,/products/Tux/,'DELETE,GET,PATCH'",
    "GET,/products/Tux/restock,POST",
    "BREW,/orders,'GET,POST'",
    "GET,/buy,POST"
  })
  void unsupportedMethodReturns405WithAllow(String method, String path, String allowed) {
    var response = shop.send(method, path, "");

    assertThat(RunningFrontend.reply(response))
        .isEqualTo(
            error(405, "METHOD_NOT_ALLOWED", "method " + method + " is not allowed for this path"));
    assertThat(response.headers().firstValue("Allow")).hasValue(allowed);
  }

  /// There are no matrix parameters, and nothing is removed from a path but its trailing slash.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/products/Tux;v=1",
        "/;v=1/products/Tux",
        "/products/Tux%3Bv=1",
        "/products//Tux",
        "/products/Tux//",
        "/products/./Tux",
        "/x/../products/Tux",
        "/products/Tux%20",
        "/products/tux",
        "/health;v=1"
      })
  void pathIsTakenLiterally(String path) {
    for (String accept : List.of("*/*", "text/html")) {
      assertThat(shop.send("GET", path, "", "Accept", accept).statusCode()).isEqualTo(404);
    }
    assertThat(shop.send("POST", "/orders;v=1", TUX).statusCode()).isEqualTo(404);
    assertThat(shop.faults.sent()).doesNotContain("PlaceOrder");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/products/Tux",
    "HEAD,/products/Tux",
    "OPTIONS,/orders",
    "GET,/nowhere",
    "POST,/api/buyers/login"
  })
  void requestWithAContentEncodingReturns415(String method, String path) {
    for (String coding : List.of("gzip", "br", "identity", "nonsense", "")) {
      var refused = shop.send(method, path, TUX, "Content-Encoding", coding);

      assertThat(refused.statusCode()).as(coding).isEqualTo(415);
      assertThat(refused.headers().firstValue("Accept-Encoding")).hasValue("identity");
      if (!method.equals("HEAD")) {
        assertThat(refused.body())
            .contains("\"request must have no Content-Encoding\",\"reason\":\"CONTENT_ENCODING\"");
      }
    }
    assertThat(shop.faults.sent()).doesNotContain("PlaceOrder");
    assertThat(shop.get("/products/Tux").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /products/Tux HTTP/1.1",
        "GET /api/cart HTTP/1.1",
        "GET / HTTP/1.1\r\nAccept: text/html",
        "POST /orders HTTP/1.1",
        "GET /products/Tux;v=1 HTTP/1.1",
        "GET /{x} HTTP/1.1",
        "GET /products/Tux HTTP/9.9",
        "TRACE / HTTP/1.1"
      })
  void noAnswerMayBeGuessedToHaveAnotherType(String requestLine) throws IOException {
    assertThat(exchange(requestLine)).containsOnlyOnce("\r\nX-Content-Type-Options: nosniff\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Accept: ;",
        "Accept: text/html;q=",
        "Accept: \"",
        "Accept-Language: ;;q=x, \u00ff",
        "Authorization: Bearer \u00e9\u0080",
        "Cache-Control: ,,=;\"",
        "Content-Type: ;;",
        "Content-Type: application/json;charset=nonsense",
        "Cookie: =;;toystore-session",
        "Cookie: toystore-session=\"\\\u00ff",
        "Forwarded: ;=",
        "If-Modified-Since: x",
        "If-None-Match: \"",
        "Last-Event-ID: 1e9",
        "Range: bytes=9-1,x",
        "X-Forwarded-Proto: ,",
        "traceparent: 00-zz-\u00ff-",
        "tracestate: =,=,\u00ff"
      })
  void unusualHeaderIsIgnoredOrRefusedAndLogsNothing(String header) throws IOException {
    try (var warnings = new LoggedWarnings()) {
      for (String path :
          List.of("/", "/products/Tux", "/api/cart", "/market", "/find", "/openapi.json")) {
        for (String accept : List.of("*/*", "text/html")) {
          assertThat(exchange("GET " + path + " HTTP/1.1", "Accept: " + accept, header))
              .as(path)
              .matches("(?s)HTTP/1\\.1 [234].*");
        }
      }
      assertThat(warnings.lines()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/orders,'GET,HEAD,OPTIONS,POST'",
    "/orders/1,'GET,HEAD,OPTIONS'",
    "/products/Tux,'DELETE,GET,HEAD,OPTIONS,PATCH'",
    "/products/Tux/restock,'OPTIONS,POST'"
  })
  void optionsReturnsTheMethodsThatExist(String path, String allowed) {
    var response = shop.send("OPTIONS", path, "");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEmpty();
    assertThat(response.headers().firstValue("Allow").orElse("").split(","))
        .containsExactlyInAnyOrder(allowed.split(","));
  }

  /// The client resets its connection while the catalog prepares an answer that does not fit into
  /// the buffers.
  @Test
  void clientThatHangsUpIsLoggedInOneDebugLine() throws Exception {
    var gone = new CompletableFuture<Void>();
    shop.faults.delay(CatalogServiceGrpc.getListProductsMethod(), gone);
    var root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    var handler = (Logger) LoggerFactory.getLogger("toystore.frontend.http.ApiExceptionHandler");
    var events = new ListAppender<ILoggingEvent>();
    events.list = new CopyOnWriteArrayList<>();
    events.start();
    root.addAppender(events);
    handler.setLevel(Level.DEBUG);
    try {
      try (var socket = new Socket("127.0.0.1", shop.port)) {
        socket.setSoLinger(true, 0); // close() resets the connection
        socket.getOutputStream().write(get("/products?limit=200").getBytes(UTF_8));
        await(() -> shop.faults.sent().contains("ListProducts"));
      }
      gone.complete(null);

      await(() -> !messages(events).isEmpty());
      assertThat(messages(events)).singleElement().asString().startsWith("DEBUG the client closed");
    } finally {
      handler.setLevel(null);
      root.detachAppender(events);
    }
  }

  /// Messages about the hang-up, and all warnings and errors.
  private static List<String> messages(ListAppender<ILoggingEvent> events) {
    return events.list.stream()
        .filter(it ->
            it.getLevel().isGreaterOrEqual(Level.WARN)
                || it.getLoggerName().endsWith("ApiExceptionHandler"))
        .map(it ->
            it.getLevel()
                + " "
                + it.getFormattedMessage()
                + (it.getThrowableProxy() == null ? "" : " with a stack trace"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /products/a%2Fb HTTP/1.1|400",
        "GET /products/%zz HTTP/1.1|400",
        "GET /products/%00 HTTP/1.1|400",
        "GET products HTTP/1.1|400",
        "GET /products/Tux HTTP/9.9|505",
        "GET /products/{x} HTTP/1.1|400",
        "GET /api/{x} HTTP/1.1|400",
        "G@T /products/Tux HTTP/1.1|400",
        "POST /orders%2F HTTP/1.1|400",
        "TRACE /products/Tux HTTP/1.1|405",
        "GET /products?q=%ff HTTP/1.1|400"
      })
  void malformedRequestLineReturnsAnEnvelope(String requestLine, int status) throws IOException {
    String answer = exchange(requestLine, "Content-Length: 0");

    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    assertThat(answer).contains("Content-Type: application/json");
    assertThat(answer).contains("\r\n\r\n{\"error\":{\"code\":" + status + ",\"message\":\"");
    assertThat(answer.contains("Idempotency-Key: ")).isEqualTo(requestLine.startsWith("POST"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /products/Tux HTTP/1.1\r\n\r\n",
        "GET /products/Tux HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n",
        "GET /products/Tux HTTP/1.1\r\nHost: localhost\r\nBad Header: b\r\n\r\n",
        "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        "POST /orders HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
      })
  void malformedHeadersReturnAnEnvelope(String request) throws IOException {
    assertThat(RawClient.exchange(shop.port, request))
        .startsWith("HTTP/1.1 400 ")
        .contains("\r\n\r\n{\"error\":{\"code\":400,\"message\":\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/cart HTTP/1.1\r\n\r\n",
        "POST /api/purchases HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST /api/purchases HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "TRACE /api/cart HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      })
  void requestUnderApiThatTomcatRefusesGetsAProblemDetail(String request) throws IOException {
    assertThat(RawClient.exchange(shop.port, request))
        .contains("Content-Type: application/problem+json\r\n")
        .contains("\r\n\r\n{\"type\":\"about:blank\",\"title\":\"");
  }

  @Test
  void headerOf100KilobytesIsRejected() throws IOException {
    assertThat(exchange("GET /api/cart HTTP/1.1", "X: " + "x".repeat(100_000)))
        .startsWith("HTTP/1.1 4")
        .contains("Content-Type: application/problem+json\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "/products/Dodo|application/json, application/problem+json|404|Not Found|product not found|PRODUCT_NOT_FOUND",
        "/nowhere|application/problem+json|404|Not Found|no such path|PATH_NOT_FOUND",
        "/api/nowhere|none|404|Not Found|no such path|PATH_NOT_FOUND",
        "/api/%zz|none|400|Bad Request|bad request|INVALID",
        "/%61pi/nowhere|none|404|Not Found|no such path|PATH_NOT_FOUND",
        "/api/items/1;v=1|none|404|Not Found|no such path|PATH_NOT_FOUND"
      })
  void errorIsAProblemDetailUnderApiOrIfAcceptPrefersIt(
      String path, @Nullable String accept, int status, String title, String detail, String reason)
      throws IOException {
    assertThat(
            exchange("GET " + path + " HTTP/1.1", "Accept: " + (accept == null ? "*/*" : accept)))
        .startsWith("HTTP/1.1 " + status)
        .contains("Content-Type: application/problem+json\r\n")
        .endsWith(
            format(
                "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\",\"reason\":\"%s\"}",
                title, status, detail, reason));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/products/Dodo|application/json, application/problem+json;q=0.5",
        "/products/Dodo|application/problem+json;q=0",
        "/products/Dodo|*/*",
        "/apiary|application/json, text/html",
        "/products/Dodo|application/problem+json;q=nonsense"
      })
  void errorIsAnEnvelopeByDefault(String path, String accept) {
    var response = shop.send("GET", path, "", "Accept", accept);

    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(response.body()).startsWith("{\"error\":{\"code\":404,");
  }

  private static final List<List<String>> FOREIGN =
      List.of(
          List.of("Sec-Fetch-Site", "cross-site"),
          List.of("Sec-Fetch-Site", "same-site"),
          List.of("Origin", "http://evil.example"),
          List.of("Origin", "null"),
          List.of("Origin", "http://127.0.0.1"),
          List.of("Origin", "https://127.0.0.1:1"),
          List.of("Origin", "https://toys-8080.app.github.dev"));

  /// A form of another site can send `text/plain` without asking the server first.
  @ParameterizedTest
  @FieldSource("FOREIGN")
  void changeSentByAnotherSiteReturns403AndChangesNothing(List<String> foreign) {
    String[] headers = foreign.toArray(String[]::new);
    String[] form = Arrays.copyOf(headers, headers.length + 2);
    form[headers.length] = "Content-Type";
    form[headers.length + 1] = "text/plain";
    var refused = error(403, "CROSS_SITE", "cross-site requests are not allowed");

    var buy = shop.send("POST", "/orders", TUX, form);
    assertThat(RunningFrontend.reply(buy)).isEqualTo(refused);
    assertThat(buy.headers().firstValue("Idempotency-Key")).isPresent();
    assertThat(shop.asAdministrator("PATCH", "/products/Tux", "{\"price\":3}", headers))
        .isEqualTo(refused);
    assertThat(shop.asAdministrator("DELETE", "/products/Tux", "", headers)).isEqualTo(refused);
    assertThat(shop.asAdministrator("PUT", "/products/Tux", "", headers)).isEqualTo(refused);
    assertThat(shop.faults.sent()).doesNotContain("PlaceOrder");
    assertThat(RunningFrontend.reply(shop.send("GET", "/products/Tux", "", headers)))
        .isEqualTo(shop.get("/products/Tux"));
  }

  @Test
  void changeSentByTheSameOriginOrByAProgramIsAccepted() {
    String here = "http://127.0.0.1:" + shop.port;

    assertThat(shop.post("/orders", TUX, "Origin", here).status()).isEqualTo(200);
    assertThat(shop.post("/orders", TUX, "Sec-Fetch-Site", "none").status()).isEqualTo(200);
    assertThat(shop.post("/orders", TUX, "Sec-Fetch-Site", "same-origin", "Origin", here).status())
        .isEqualTo(200);
  }

  /// The proxy of GitHub Codespaces sends localhost as `Host` and `Origin`, the latter also for
  /// pages of its other ports; other proxies send only one of them.
  @Test
  void secFetchSiteCountsBehindAProxyThatChangesHostOrOrigin() {
    for (String origin : List.of("https://localhost", "https://toys-8080.app.github.dev")) {
      assertThat(
              shop.post("/orders", TUX, "Sec-Fetch-Site", "same-origin", "Origin", origin).status())
          .isEqualTo(200);
    }
    String here = "http://127.0.0.1:" + shop.port;
    for (String site : List.of("same-site", "cross-site")) {
      assertThat(shop.post("/orders", TUX, "Sec-Fetch-Site", site, "Origin", here).status())
          .isEqualTo(403);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:443, https://localhost, true",
    "localhost, https://localhost:443, true",
    "localhost:80, http://localhost, true",
    "LocalHost, http://localhost:80, true",
    "localhost., http://localhost, true",
    "localhost:8080, http://LOCALHOST.:8080, true",
    "[::1]:80, http://[::1], true",
    "toys.localhost:80, http://toys.localhost, true",
    "localhost:8080, http://localhost, false",
    "localhost, http://localhost:8443, false",
    "localhost, http://localhost.evil.example, false",
    "localhost, http://evil-localhost, false",
    "localhost, null, false"
  })
  void originIsComparedWithTheHost(String host, String origin, boolean isSame) throws IOException {
    String request =
        format(
            "POST /orders HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
            host, origin, TUX.length(), TUX);

    assertThat(RawClient.exchange(shop.port, request))
        .startsWith(isSame ? "HTTP/1.1 200 " : "HTTP/1.1 403 ");
  }

  /// The client writes UTF-8: `\u0085` is C2 85.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /products/Tux",
        "POST /orders",
        "POST /api/purchases",
        "GET /api/exchange/feed",
        "GET /nowhere"
      })
  void headerOutsideAsciiIsRefusedAndNotLogged(String route) throws IOException {
    try (var warnings = new LoggedWarnings()) {
      for (String header :
          List.of(
              "Cookie",
              "Idempotency-Key",
              "Last-Event-ID",
              "User-Agent",
              "Accept",
              "Origin",
              "traceparent",
              "X-Forwarded-Prefix",
              "Host",
              "Authorization")) {
        for (String value : List.of("\u0085", "\u00ff", "Bearer Kašpárek", "x=דובי🧸")) {
          String host = header.equals("Host") ? "" : "Host: localhost\r\n";
          String head = " HTTP/1.1\r\nConnection: close\r\n" + host;
          assertThat(
                  RawClient.exchange(shop.port, route + head + header + ": " + value + "\r\n\r\n"))
              .as(header)
              .startsWith(header.equals("Authorization") ? "HTTP/1.1 401 " : "HTTP/1.1 400 ");
        }
      }
      assertThat(warnings.lines()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST /market/login", "POST /api/purchases", "GET /api/exchange/feed"})
  void controlCharacterInAHeaderOrInTheNameOfAParameterIsNoFailure(String route)
      throws IOException {
    try (var warnings = new LoggedWarnings()) {
      for (String header : List.of("Idempotency-Key", "Last-Event-ID", "Authorization", "Cookie")) {
        assertThat(exchange(route + "?%07=x HTTP/1.1", header + ": Bearer a\tb"))
            .startsWith("HTTP/1.1 40")
            .doesNotStartWith("HTTP/1.1 404");
      }
      assertThat(warnings.lines()).isEmpty();
    }
  }

  /// DNS rebinding: the name of a web page resolves to 127.0.0.1.
  @ParameterizedTest
  @ValueSource(strings = {"evil.example:8080", "10.0.0.1"})
  void requestForAnotherHostReturns421OnLoopback(String host) throws IOException {
    String head = " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n";
    String order = "Content-Length: " + TUX.length() + "\r\n\r\n" + TUX;
    String message =
        format(
            "Host must be a name or address of this service, got \\\"%s\\\"; setting toystore.frontend.hosts adds names",
            host.replace(":8080", ""));

    assertThat(RawClient.exchange(shop.port, "POST /orders" + head + order))
        .startsWith("HTTP/1.1 421 ")
        .endsWith(error(421, "OTHER_HOST", message).body());
    assertThat(RawClient.exchange(shop.port, "GET /products/Tux" + head + "\r\n"))
        .startsWith("HTTP/1.1 421 ");
    assertThat(RawClient.exchange(shop.managementPort, "GET /audit" + head + "\r\n"))
        .startsWith("HTTP/1.1 421 ")
        .endsWith(error(421, "OTHER_HOST", message).body());
    assertThat(shop.faults.sent()).doesNotContain("PlaceOrder");
  }

  @Test
  void listedHostsAreAcceptedOnAnyAddress() throws IOException {
    try (var listed =
        RunningFrontend.frontend(
            "--toystore.frontend.listen=0.0.0.0",
            "--toystore.frontend.hosts=Shop.example,www.shop.example")) {
      int port = RunningFrontend.port(listed, "local.server.port");
      int management = RunningFrontend.port(listed, "local.management.port");
      for (String host :
          List.of("shop.example", "WWW.shop.example:8080", "10.0.0.1", "[2001:db8::1]")) {
        assertThat(RawClient.exchange(port, openApi(host))).startsWith("HTTP/1.1 200 ");
      }
      assertThat(RawClient.exchange(port, openApi("evil.example"))).startsWith("HTTP/1.1 421 ");
      String health = "GET /health/liveness HTTP/1.1\r\nConnection: close\r\nHost: ";
      assertThat(RawClient.exchange(management, health + "shop.example\r\n\r\n"))
          .startsWith("HTTP/1.1 200 ");
      assertThat(RawClient.exchange(management, health + "10.0.0.1\r\n\r\n"))
          .startsWith("HTTP/1.1 421 ");
    }
  }

  private static String openApi(String host) {
    return "GET /openapi.json HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws IOException {
    try (var client = new RawClient(shop.port)) {
      client.send(post("/orders", TUX) + get("/products/Tux"));

      assertThat(client.answer()).startsWith("HTTP/1.1 200").containsPattern(ORDERED);
      assertThat(client.answer()).startsWith("HTTP/1.1 200").contains("\"name\":\"Tux\"");
    }
  }

  @Test
  void http10RequestIsAnsweredAndClosed() throws IOException {
    assertThat(
            RawClient.exchange(
                shop.port,
                "POST /orders HTTP/1.0\r\nContent-Length: " + TUX.length() + "\r\n\r\n" + TUX))
        .startsWith("HTTP/1.1 200")
        .contains("Content-Length: ")
        .containsPattern(ORDERED);
    assertThat(RawClient.exchange(shop.port, "GET /products/Dodo HTTP/1.0\r\n\r\n"))
        .startsWith("HTTP/1.1 404")
        .endsWith(
            "{\"error\":{\"code\":404,\"message\":\"product not found\",\"reason\":\"PRODUCT_NOT_FOUND\"}}");
  }

  @Test
  void bodyInLaterPacketsIsAccepted() throws Exception {
    String request = post("/orders", TUX);
    int cut = request.length() - TUX.length();
    try (var client = new RawClient(shop.port)) {
      client.send(request.substring(0, cut));
      waitFor(Duration.ofMillis(50));
      client.send(request.substring(cut, cut + 5));
      waitFor(Duration.ofMillis(50));
      client.send(request.substring(cut + 5));

      assertThat(client.answer()).startsWith("HTTP/1.1 200").containsPattern(ORDERED);
      assertThat(client.send(get("/products/Tux")).answer()).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void chunkedBodyIsAccepted() throws IOException {
    try (var client = new RawClient(shop.port)) {
      client.send(
          "POST /orders HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"nam\r\n");
      client.send(format("%x\r\n%s\r\n0\r\n\r\n", TUX.length() - 5, TUX.substring(5)));

      assertThat(client.answer()).startsWith("HTTP/1.1 200").containsPattern(ORDERED);
      assertThat(client.send(get("/products/Tux")).answer()).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void expectContinueIsAnsweredWith100() throws IOException {
    try (var client = new RawClient(shop.port)) {
      client.send(
          "POST /orders HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
              + TUX.length()
              + "\r\n\r\n");

      assertThat(client.answer()).startsWith("HTTP/1.1 100");
      assertThat(client.send(TUX).answer()).startsWith("HTTP/1.1 200").containsPattern(ORDERED);
    }
  }

  @Test
  void keepAliveConnectionServesManyRequests() throws IOException {
    try (var client = new RawClient(shop.port)) {
      for (int i = 0; i < 150; i++) {
        assertThat(client.send(get("/products/Tux")).answer()).startsWith("HTTP/1.1 200");
      }
      assertThat(client.send(get("/products/Dodo")).answer()).startsWith("HTTP/1.1 404");
      assertThat(client.send(get("/products/Tux")).answer()).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void stalledBodyReturns408() throws IOException {
    var start = Instant.now();

    String answer =
        RawClient.exchange(
            shop.port, "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 29\r\n\r\n{");

    assertThat(answer)
        .startsWith("HTTP/1.1 408")
        .contains("Idempotency-Key: ", "Connection: close")
        .endsWith(
            "{\"error\":{\"code\":408,\"message\":\"request body did not arrive in time; at least 100 bytes per second are required\",\"reason\":\"BODY_TOO_SLOW\"}}");
    assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofMillis(980));
  }

  /// Sends bytes slowly, but often enough that no single read times out.
  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 1000", "Transfer-Encoding: chunked"})
  void slowBodyReturns408(String framing) throws Exception {
    var start = Instant.now();
    try (var client = new RawClient(shop.port)) {
      client.send("POST /orders HTTP/1.1\r\nHost: localhost\r\n" + framing + "\r\n\r\n");
      for (int said = 0; !client.isAnswered(); said++) {
        assertThat(said).as("packets sent, and no answer").isLessThan(100);
        client.send("1\r\n \r\n");
        waitFor(Duration.ofMillis(90));
      }
      assertThat(client.answer()).startsWith("HTTP/1.1 408");
    }
    assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofMillis(980));
  }

  @Test
  void bodyOf64KilobytesIsAcceptedAndOneByteMoreReturns413() throws IOException {
    String padded = TUX + " ".repeat(65_536 - TUX.length());
    try (var client = new RawClient(shop.port)) {
      assertThat(client.send(post("/orders", padded)).answer()).containsPattern(ORDERED);
    }

    assertThat(RawClient.exchange(shop.port, post("/orders", padded + " ")))
        .startsWith("HTTP/1.1 413")
        .contains("Idempotency-Key: ", "Connection: close")
        .endsWith(
            "{\"error\":{\"code\":413,\"message\":\"request body must be at most 65536 bytes\",\"reason\":\"BODY_TOO_LARGE\"}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST /orders", "GET /products/Tux", "PATCH /products/Tux"})
  void clientThatSends100MegabytesStillReceivesThe413(String request) throws IOException {
    try (var client = new RawClient(shop.port)) {
      client.send(request + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n");
      for (int i = 0; i < 100; i++) {
        client.send(new byte[1_000_000]);
      }

      assertThat(client.answer()).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void endlessChunkedBodyReturns413() throws IOException {
    String chunk = "10000\r\n" + " ".repeat(65_536) + "\r\n";
    try (var client = new RawClient(shop.port)) {
      client.send("POST /orders HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < 40; i++) {
        client.send(chunk);
      }

      assertThat(client.answer()).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void bodyOfAGetIsIgnored() throws IOException {
    try (var client = new RawClient(shop.port)) {
      client.send(
          "GET /products/Tux HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"
              + get("/products/Tux"));

      assertThat(client.answer()).startsWith("HTTP/1.1 200");
      assertThat(client.answer()).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void bodyThatIsNotUtf8Returns400() throws IOException {
    for (byte[] bad :
        new byte[][] {
          {(byte) 0xff}, {(byte) 0xc0, (byte) 0x80}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}
        }) {
      try (var client = new RawClient(shop.port)) {
        client
            .send(
                format(
                    "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n{\"name\":\"",
                    24 + bad.length))
            .send(bad)
            .send("\",\"quantity\":1}");

        assertThat(client.answer())
            .startsWith("HTTP/1.1 400")
            .endsWith("request body is not valid UTF-8\",\"reason\":\"INVALID\"}}");
      }
    }
  }

  /// OpenApiTest compares the answers of the API.
  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/products/Tux", "/stocks/FishCo", "/find", "/orders", "/market/login"})
  void headOfAPageReturnsTheHeadersOfGet(String path) {
    var get = shop.send("GET", path, "", "Accept", "text/html");
    var head = shop.send("HEAD", path, "", "Accept", "text/html");

    assertThat(head.statusCode()).isEqualTo(200).isEqualTo(get.statusCode());
    assertThat(head.body()).isEmpty();
    for (String header : List.of("Content-Type", "Content-Length", "Content-Security-Policy")) {
      assertThat(head.headers().firstValue(header))
          .isPresent()
          .isEqualTo(get.headers().firstValue(header));
    }
  }

  @Test
  void idempotencyKeyMustHaveOneTo255PrintableCharacters() throws IOException {
    String message = "Idempotency-Key must be 1 to 255 printable ASCII characters";

    assertThat(shop.post("/orders", TUX, "Idempotency-Key", "k".repeat(255)).status())
        .isEqualTo(200);
    assertThat(shop.post("/orders", TUX, "Idempotency-Key", "k".repeat(256)))
        .isEqualTo(error(400, "INVALID", message));
    assertThat(shop.post("/orders", TUX, "Idempotency-Key", ""))
        .isEqualTo(error(400, "INVALID", message));
    assertThat(shop.post("/orders", TUX, "Idempotency-Key", "a", "Idempotency-Key", "b"))
        .isEqualTo(error(400, "INVALID", "Idempotency-Key must be given once, got 2 values"));
    assertThat(exchange("POST /orders HTTP/1.1", "Idempotency-Key: ключ", "Content-Length: 0"))
        .startsWith("HTTP/1.1 400")
        .contains("header Idempotency-Key must contain only ASCII characters");
  }

  /// Sends a request without a body.
  private String exchange(String requestLine, String... headers) throws IOException {
    var head = new StringBuilder(requestLine + "\r\nHost: localhost\r\nConnection: close\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return RawClient.exchange(shop.port, head + "\r\n");
  }

  private static String post(String path, String body) {
    return format(
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s",
        path, body.length(), body);
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  /// Pauses between two packets. The pause itself is under test.
  private static void waitFor(Duration pause) throws InterruptedException {
    new CountDownLatch(1).await(pause.toMillis(), TimeUnit.MILLISECONDS);
  }
}
