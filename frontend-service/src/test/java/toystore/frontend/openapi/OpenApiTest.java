package toystore.frontend.openapi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import toystore.clients.RawClient;
import toystore.frontend.OpenApi;
import toystore.frontend.RunningFrontend;
import toystore.frontend.TestMarket;
import toystore.platform.error.ErrorReason;

/// Compares `/openapi.json` with the controllers: each mapping, status and example.
/// `.ci/schemathesis` compares the schemas of the bodies with what is accepted.
class OpenApiTest {
  /// HTML pages, which are not part of the API.
  private static final Set<String> PAGES =
      Set.of("GET /find", "POST /buy", "GET /assets/{hash}/{file}");

  /// Statuses that only a bug can cause.
  private static final Set<String> UNPROVOKED =
      Set.of("GET / 500", "GET /openapi.json 500", "GET /health 500");

  private static final Map<String, ErrorReason> REASONS =
      Map.of(
          "404", ErrorReason.PRODUCT_NOT_FOUND,
          "409", ErrorReason.STOCK_LIMIT,
          "422", ErrorReason.KEY_REUSED,
          "500", ErrorReason.INTERNAL_ERROR,
          "503", ErrorReason.OVERLOADED,
          "504", ErrorReason.TOO_LATE);

  private static final Map<String, ErrorReason> MARKET_REASONS =
      Map.of(
          "401", ErrorReason.WRONG_PASSWORD,
          "402", ErrorReason.CARD_DECLINED,
          "404", ErrorReason.ITEM_NOT_FOUND,
          "409", ErrorReason.PRICE_CHANGED,
          "422", ErrorReason.KEY_REUSED,
          "429", ErrorReason.TOO_MANY_LOGINS,
          "500", ErrorReason.INTERNAL_ERROR,
          "503", ErrorReason.OVERLOADED,
          "504", ErrorReason.TOO_LATE);

  private static final OpenApi API = OpenApi.of(RunningFrontend.open());

  private static final String ETAG =
      RunningFrontend.open()
          .send("GET", "/openapi.json", "")
          .headers()
          .firstValue("ETag")
          .orElseThrow();

  /// Statuses that are decided before the path is, by [toystore.frontend.http] tests for all paths.
  private static final Set<String> OF_EVERY_REQUEST = Set.of("400", "408", "413", "415", "421");

  /// The operation for which they are tested, except 408. [#errorExampleIsTheAnswerOfTheStore] has
  /// those of the store.
  private static final String SAMPLE = "POST /api/cart/items";

  private static final TestMarket MARKET = TestMarket.open(RunningFrontend.open());
  private static final String USER = "bob-" + MARKET.item();

  private final RunningFrontend shop = RunningFrontend.open();

  /// Whose items, accounts and orders the requests name instead of the examples'.
  private TestMarket market = MARKET;

  /// Numbers of the orders that the examples place, by the names of the examples.
  private static final Map<String, Integer> ORDERS = new HashMap<>();

  @Test
  void documentIsOpenApi31WithTheVersionOfTheBuild() {
    assertThat(API.root().get("openapi").stringValue()).startsWith("3.1.");
    assertThat(API.root().get("info").get("version").stringValue()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(API.root().get("servers").get(0).get("url").stringValue()).isEqualTo("/");
    assertThat(API.root().at("/info/license/identifier").stringValue()).isEqualTo("Apache-2.0");
    assertThat(API.operations().map(it -> it.node().get("operationId").stringValue()))
        .doesNotHaveDuplicates();
  }

  @Test
  void documentDescribesExactlyTheMappedOperations() {
    var mappings = RunningFrontend.routes(shop.frontend).collect(Collectors.toSet());
    mappings.removeAll(PAGES);
    mappings.removeIf(it -> it.matches("\\w+ /(admin|basket|exchange|market)\\b.*"));

    assertThat(API.operations().map(Object::toString))
        .containsExactlyInAnyOrderElementsOf(mappings);
  }

  /// Code generators drop properties beside `oneOf` and `allOf`, and invent a name for each object
  /// that is not a named schema.
  @Test
  void schemasAreFlatAndNamed() {
    var unsuitable = new ArrayList<String>();
    findUnsuitable("", API.root(), unsuitable);
    assertThat(unsuitable).isEmpty();
  }

  private static void findUnsuitable(String path, JsonNode node, List<String> unsuitable) {
    boolean named = path.matches("/components/schemas/[A-Za-z]+(/then)?");
    for (String keyword : List.of("oneOf", "anyOf", "allOf", "properties")) {
      if (node.has(keyword) && !(named && keyword.equals("properties"))) {
        unsuitable.add(path + "/" + keyword);
      }
    }
    node.propertyStream()
        .filter(it -> !it.getKey().startsWith("example"))
        .forEach(it -> findUnsuitable(path + "/" + it.getKey(), it.getValue(), unsuitable));
    int[] index = {0};
    node.valueStream()
        .filter(it -> node.isArray())
        .forEach(it -> findUnsuitable(path + "/" + index[0]++, it, unsuitable));
  }

  @Test
  void everyOperationSaysWhoMayCallIt() {
    assertThat(API.operations().map(it -> it.node().path("security").toString()))
        .allMatch(
            Set.of(
                    "[]",
                    "[{\"administrator\":[]}]",
                    "[{\"buyer\":[]}]",
                    "[{\"seller\":[]}]",
                    "[{\"buyer\":[]},{\"seller\":[]}]",
                    "[{\"buyer\":[]},{\"seller\":[]},{\"administrator\":[]}]")
                ::contains);
    assertThat(API.root().at("/components/securitySchemes").valueStream())
        .hasSize(3)
        .allMatch(it -> it.get("scheme").stringValue().equals("bearer"));
    assertThat(
            API.operations()
                .filter(OpenApi.Operation::isOfMarketplace)
                .filter(it -> !it.isSecured())
                .map(it -> it.path()))
        .containsExactlyInAnyOrder(
            "/api/buyers/register",
            "/api/buyers/login",
            "/api/sellers/register",
            "/api/sellers/login");
  }

  @Test
  void documentIsNotSentAgainToAClientThatHasIt() {
    var first = shop.send("GET", "/openapi.json", "");
    String etag = first.headers().firstValue("ETag").orElseThrow();

    for (String known : List.of(etag, "W/" + etag, "\"other\", " + etag)) {
      var second = shop.send("GET", "/openapi.json", "", "If-None-Match", known);
      assertThat(RunningFrontend.reply(second)).isEqualTo(new RunningFrontend.Reply(304, ""));
      assertThat(second.headers().firstValue("ETag")).hasValue(etag);
      assertThat(second.headers().firstValue("Cache-Control")).hasValue("no-cache");
    }
    var changed = shop.send("GET", "/openapi.json", "", "If-None-Match", "\"other\"");
    assertThat(RunningFrontend.reply(changed)).isEqualTo(RunningFrontend.reply(first));
  }

  static Stream<Arguments> everyStatus() {
    return API.operations()
        .flatMap(operation ->
            operation
                .statuses()
                .filter(status -> !status.startsWith("2"))
                .filter(status -> !UNPROVOKED.contains(operation + " " + status))
                .filter(status -> !Set.of("408", "421").contains(status))
                .filter(status ->
                    !OF_EVERY_REQUEST.contains(status) || SAMPLE.equals(operation.toString()))
                .map(status -> Arguments.of(operation, status)));
  }

  /// Sends the document's examples under conditions that cause the status.
  /// [#exampleIsLikeTheAnswerOfTheStore] has the successes.
  @ParameterizedTest
  @MethodSource("everyStatus")
  void everyDescribedStatusIsReturned(OpenApi.Operation operation, String status) {
    Request request = request(operation, status);
    var reasons = operation.isOfMarketplace() ? MARKET_REASONS : REASONS;
    boolean sessionIsChecked = status.equals("401") && operation.isSecured();
    if (reasons.containsKey(status) && !sessionIsChecked) {
      shop.faults.failAll(reasons.get(status));
    }

    check(operation, status, send(request));
  }

  @Test
  void everyOperationDescribesTheStatusesOfEveryRequest() {
    assertThat(API.operations())
        .allSatisfy(it -> assertThat(it.statuses()).contains("400", "413", "415", "421"))
        .filteredOn(OpenApi.Operation::hasBody)
        .allSatisfy(it -> assertThat(it.statuses()).contains("408"));
  }

  private static void check(
      OpenApi.Operation operation, String status, HttpResponse<String> response) {
    assertThat("" + response.statusCode()).as(response.body()).isEqualTo(status);
    JsonNode described = API.response(operation, status);
    if (described.has("content")) {
      assertThat(response.headers().firstValue("Content-Type"))
          .hasValue(OpenApi.mediaType(described));
      assertThat(API.validate(OpenApi.bodySchema(described), OpenApi.json(response.body())))
          .as(response.body())
          .isEmpty();
    } else {
      assertThat(response.body()).isEmpty();
    }
    if (described.has("headers")) {
      described
          .get("headers")
          .propertyStream()
          .forEach(
              header -> checkHeader(header.getKey(), API.resolved(header.getValue()), response));
    }
    if (operation.method().equals("POST")) {
      assertThat(response.headers().firstValue("Idempotency-Key")).isPresent();
    }
  }

  private static void checkHeader(String name, JsonNode described, HttpResponse<String> response) {
    Optional<String> value = response.headers().firstValue(name);
    assertThat(value.isPresent() || !described.has("required")).as(name).isTrue();
    boolean number = described.get("schema").path("type").asString("").equals("integer");
    value
        .map(it -> number ? OpenApi.json(it) : StringNode.valueOf(it))
        .ifPresent(it ->
            assertThat(API.validate(described.get("schema"), it)).as(name + ": " + it).isEmpty());
  }

  @Test
  void everyExampleMatchesItsSchema() {
    var errors = new ArrayList<String>();
    API.operations()
        .forEach(operation -> {
          var described = new ArrayList<>(API.parameters(operation));
          described.add(OpenApi.requestBody(operation));
          operation
              .statuses()
              .forEach(status -> described.add(OpenApi.body(API.response(operation, status))));
          for (JsonNode it : described) {
            for (JsonNode example : OpenApi.examples(it).values()) {
              API.validate(it.get("schema"), example)
                  .forEach(error -> errors.add(operation + ": " + error));
            }
          }
        });
    assertThat(errors).isEmpty();
  }

  static Stream<Arguments> successExamples() {
    return API.operations()
        .filter(it -> !Set.of("/openapi.json", "/api/exchange/feed").contains(it.path()))
        .flatMap(operation -> {
          var names = OpenApi.examples(OpenApi.body(API.success(operation))).keySet();
          assertThat(names).as("examples of " + operation).isNotEmpty();
          return names.stream().map(name -> Arguments.of(operation, name));
        });
  }

  /// The example of an answer has the fields and the message of the store's answer to the example
  /// of the request. If they have names, the names are equal.
  @ParameterizedTest
  @MethodSource("successExamples")
  void exampleIsLikeTheAnswerOfTheStore(OpenApi.Operation operation, String name) {
    if (operation.isOfMarketplace() && !operation.method().equals("GET")) {
      market = TestMarket.open(shop);
    }
    String status = operation.statuses().filter(it -> it.startsWith("2")).findFirst().orElseThrow();

    var response = send(request(operation, status, name));

    check(operation, status, response);
    assertThat(shape(OpenApi.json(response.body())))
        .isEqualTo(shape(requireNonNull(example(OpenApi.body(API.success(operation)), name))));
  }

  /// The fields of a value, those of an array's first element, and the messages.
  private static JsonNode shape(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> {
        ObjectNode shape = JsonNodeFactory.instance.objectNode();
        object
            .propertyStream()
            .filter(it -> !it.getKey().equals("next"))
            .forEach(it ->
                shape.set(
                    it.getKey(),
                    it.getKey().equals("message") ? it.getValue() : shape(it.getValue())));
        yield shape;
      }
      case ArrayNode array when !array.isEmpty() ->
          JsonNodeFactory.instance.arrayNode().add(shape(array.get(0)));
      default -> StringNode.valueOf(value.getNodeType().name());
    };
  }

  @BeforeAll
  static void placeTheOrdersOfTheExamples() {
    RunningFrontend.open().post("/orders", "{\"name\":\"Tux\",\"quantity\":1}"); // no example is 0
    var placeOrder = API.operation("placeOrder");
    OpenApi.examples(OpenApi.requestBody(placeOrder))
        .forEach((name, order) -> {
          var placed = RunningFrontend.open().post("/orders", order.toString()).json().get("data");
          ORDERS.put(name, placed.iterator().next().asInt());
        });
  }

  @BeforeAll
  static void registerTheUserOfTheExamples() {
    String credentials = format("{\"username\":\"%s\",\"password\":\"correct horse\"}", USER);
    for (String role : List.of("buyers", "sellers")) {
      RunningFrontend.open().post("/api/" + role + "/register", credentials);
    }
  }

  static Stream<Arguments> errorExamples() {
    String tux = "/products/Tux";
    String order = "{\"name\":\"Tux\",\"quantity\":1}";
    String units = "{\"quantity\":20}";
    return Stream.of(
        refused("BadRequest", null, "POST", "/orders", order.replace("1", "1.5")),
        refused("Unauthorized", null, "POST", tux + "/restock", units),
        refused(
            "Forbidden", null, "POST", tux + "/restock", units, "Authorization", "Bearer other"),
        refused("CrossSite", null, "POST", "/orders", order, "Sec-Fetch-Site", "cross-site"),
        refused("NotFound", null, "GET", "/products/Unicorn", ""),
        refused("TooLarge", null, "POST", "/orders", " ".repeat(65_537)),
        refused("Encoded", null, "POST", "/orders", order, "Content-Encoding", "gzip"),
        refused("Bug", ErrorReason.INTERNAL_ERROR, "GET", tux, ""),
        refused("Away", ErrorReason.NOT_DONE, "POST", "/orders", order),
        refused("Late", ErrorReason.TOO_LATE, "GET", tux, ""),
        refused(
            "Unknown",
            ErrorReason.TOO_LATE,
            "POST",
            "/orders",
            order,
            "Idempotency-Key",
            "birthday-7"));
  }

  private static Arguments refused(
      String name,
      @Nullable ErrorReason reason,
      String method,
      String path,
      String body,
      String... header) {
    var headers = new HashMap<>(FRESH);
    if (header.length > 0) {
      headers.put(header[0], header[1]);
    }
    return Arguments.of(name, reason, new Request(method, path, headers, body));
  }

  @ParameterizedTest
  @MethodSource("errorExamples")
  void errorExampleIsTheAnswerOfTheStore(
      String name, @Nullable ErrorReason reason, Request request) {
    if (reason != null) {
      shop.faults.failAll(reason);
    }
    assertThat(OpenApi.json(send(request).body())).isEqualTo(errorExample(name));
  }

  @Test
  void errorExamplesOfUnusualRequestsAreTheAnswersOfTheStore() throws IOException {
    String head = "POST /orders HTTP/1.1\r\nHost: ";
    try (var foreign = new RawClient(shop.port);
        var slow = new RawClient(shop.port)) {
      assertThat(foreign.send(head + "shop.example\r\nContent-Length: 0\r\n\r\n").answer())
          .endsWith(errorExample("OtherHost").toString());
      assertThat(slow.send(head + "localhost\r\nContent-Length: 1000\r\n\r\n{").answer())
          .endsWith(errorExample("TooSlow").toString());
    }
  }

  /// The backend services word these two. A test of the whole store compares docs/how-to/api.md.
  @Test
  void errorExamplesOfTheBackendServicesAreInTheDocumentation() throws IOException {
    assertThat(Files.readString(Path.of("../docs/how-to/api.md")))
        .contains(errorExample("Conflict").toString(), errorExample("KeyReused").toString());
  }

  private static JsonNode errorExample(String name) {
    JsonNode described = API.root().at("/components/responses/" + name);
    return requireNonNull(OpenApi.examples(OpenApi.body(described)).get(""));
  }

  /// A query that the frontend's cache does not answer.
  private static final Map<String, String> FRESH = Map.of("Cache-Control", "no-cache");

  static Stream<Arguments> idsInPaths() {
    return API.operations()
        .flatMap(operation ->
            API.parameters(operation).stream()
                .filter(it -> it.get("in").stringValue().equals("path"))
                .filter(it -> it.get("schema").toString().matches(".*/(Id|Number)\".*"))
                .map(it -> Arguments.of(operation, it.get("name").stringValue())));
  }

  /// An id that is spelled otherwise is unknown.
  @ParameterizedTest
  @MethodSource("idsInPaths")
  void idHasOneSpelling(OpenApi.Operation operation, String name) {
    Request valid = request(operation, "200");
    String id = pathValue(operation, name, "");
    if (operation.method().equals("GET")) {
      assertThat(send(valid).statusCode()).isEqualTo(200);
    }
    for (String other :
        List.of(
            "0" + id,
            "+" + id,
            id + ".0",
            "%D9%A5",
            id + "e0",
            id + ";v=1",
            "9".repeat(19),
            "9".repeat(400))) {
      String target = path(operation.path().replace("{" + name + "}", other), operation, "");
      assertThat(send(valid.to(target)).statusCode()).as(target).isEqualTo(404);
    }
  }

  /// Except that of the feed, which does not end.
  @Test
  void headReturnsTheHeadersOfEveryGet() {
    for (OpenApi.Operation operation :
        API.operations()
            .filter(it -> it.method().equals("GET") && !it.path().endsWith("/feed"))
            .toList()) {
      Request request = request(operation, "200");
      var get = send(request);
      var head = send(new Request("HEAD", request.target, request.headers, ""));
      assertThat(head.statusCode()).isEqualTo(get.statusCode());
      assertThat(head.body()).isEmpty();
      for (String header : List.of("Content-Type", "Content-Length")) {
        assertThat(head.headers().firstValue(header))
            .as(operation.path())
            .isEqualTo(get.headers().firstValue(header));
      }
    }
  }

  @Test
  void every405HasAllow() {
    for (String path :
        Stream.concat(
                API.operations().map(OpenApi.Operation::path),
                Stream.of("/buy", "/find", "/market/login", "/assets/1/shop.css"))
            .distinct()
            .toList()) {
      for (String method : List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "BREW")) {
        var response = shop.send(method, path.replaceAll("\\{\\w+}", "1"), "");
        assertThat(response.headers().firstValue("Allow").isPresent())
            .as(method + " " + path)
            .isEqualTo(response.statusCode() == 405);
      }
    }
  }

  private Request request(OpenApi.Operation operation, String status) {
    String name =
        OpenApi.examples(OpenApi.body(API.success(operation))).keySet().stream()
            .findFirst()
            .orElse("");
    return request(operation, status, name);
  }

  /// The document's example request with this name, changed as far as the status and what exists
  /// require.
  private Request request(OpenApi.Operation operation, String status, String name) {
    var headers = new HashMap<String, String>();
    boolean otherRole = status.equals("403") && operation.isOfOneRole();
    if (operation.isSecured() && !status.equals("401")) {
      headers.put("Authorization", "Bearer " + token(operation.role(), otherRole));
    }
    if (status.equals("403") && !otherRole) {
      headers.put("Sec-Fetch-Site", "cross-site");
    }
    headers.putAll(FRESH);
    String path = path(operation.path(), operation, name);
    var query = new ArrayList<String>();
    if (operation.equals(API.operation("listOrders"))) {
      query.add("after=" + Math.max(0, requireNonNull(ORDERS.get("order")) - 1));
    }
    for (JsonNode parameter : API.parameters(operation)) {
      JsonNode example = example(parameter, name);
      if (example != null) {
        String parameterName = parameter.get("name").stringValue();
        String encoded = URLEncoder.encode(example.asString(), StandardCharsets.UTF_8);
        switch (parameter.get("in").stringValue()) {
          case "path" -> {} // done
          case "query" -> query.add(parameterName + "=" + encoded);
          default -> headers.put(parameterName, example.asString());
        }
      }
    }
    if (!query.isEmpty()) {
      path += "?" + String.join("&", query);
    }
    JsonNode example = example(OpenApi.requestBody(operation), name);
    String body = example == null ? "" : existing(example.toString(), operation);
    switch (status) {
      case "304" -> headers.put("If-None-Match", ETAG);
      case "400" -> body = "{";
      case "413" -> body = " ".repeat(65_537);
      case "415" -> headers.put("Content-Encoding", "identity");
      default -> {}
    }
    return new Request(operation.method(), path, headers, body);
  }

  /// Sets the parameters of a path.
  private String path(String path, OpenApi.Operation operation, String name) {
    String target = path;
    for (JsonNode parameter : API.parameters(operation)) {
      String variable = "{" + parameter.get("name").stringValue() + "}";
      if (target.contains(variable)) {
        String value = pathValue(operation, parameter.get("name").stringValue(), name);
        target = target.replace(variable, RunningFrontend.encoded(value));
      }
    }
    return target;
  }

  private String pathValue(OpenApi.Operation operation, String parameter, String name) {
    return switch (parameter) {
      case "id" -> "" + (operation.path().endsWith("/rating") ? 1 : market.item());
      case "account" -> "" + market.account();
      case "order" -> "" + market.order();
      case "symbol" -> market.symbol();
      case "number" -> "" + ORDERS.get(name.isEmpty() ? "order" : name);
      default ->
          operation.path().startsWith("/stocks")
              ? shop.newStock("12.5", 500, 1_000_000)
              : shop.newProduct("25.99", 80, "Plush animals");
    };
  }

  /// Replaces what the examples name.
  private String existing(String body, OpenApi.Operation operation) {
    boolean registers = operation.path().endsWith("/register");
    return body.replace("\"item_id\":153", "\"item_id\":" + market.item())
        .replace("\"ACME\"", '"' + market.symbol() + '"')
        .replace("\"Yak\"", "\"Yak-" + UUID.randomUUID() + '"')
        .replaceAll(
            "\"(bob|sue)\"",
            '"' + (registers ? "" + UUID.randomUUID() : USER).replaceFirst("-.*-", "-") + '"');
  }

  private String token(String role, boolean another) {
    return switch (role) {
      case "buyer" -> another ? market.seller() : market.buyer();
      case "seller" -> another ? market.buyer() : market.seller();
      default -> another ? "another" : RunningFrontend.TOKEN;
    };
  }

  /// Returns the example with this name, or the only example.
  private static @Nullable JsonNode example(JsonNode described, String name) {
    var examples = OpenApi.examples(described);
    return examples.getOrDefault(name, examples.get(""));
  }

  private record Request(String method, String target, Map<String, String> headers, String body) {
    Request to(String other) {
      return new Request(method, other, headers, body);
    }
  }

  private HttpResponse<String> send(Request request) {
    String[] headers =
        request.headers.entrySet().stream()
            .flatMap(it -> Stream.of(it.getKey(), it.getValue()))
            .toArray(String[]::new);
    return shop.send(request.method, request.target, request.body, headers);
  }
}
