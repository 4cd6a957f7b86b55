package toystore.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;
import toystore.platform.rpc.ErrorReason;
import toystore.testkit.RawClient;

/// Compares `/openapi.json` with the controllers: each mapping, each status, each limit.
class OpenApiTest {
  /// HTML pages, which are not part of the API.
  private static final Set<String> PAGES =
      Set.of("GET /find", "POST /buy", "GET /assets/{hash}/{file}", "GET /lab");

  /// Statuses that only a bug can cause.
  private static final Set<String> UNPROVOKED = Set.of("GET / 500", "GET /openapi.json 500");

  private static final Map<String, ErrorReason> REASONS =
      Map.of(
          "404", BackendErrors.PRODUCT_NOT_FOUND,
          "409", BackendErrors.STOCK_LIMIT,
          "422", ErrorReason.KEY_REUSED,
          "500", ErrorReason.INTERNAL_ERROR,
          "503", ErrorReason.OVERLOADED,
          "504", ErrorReason.TOO_LATE);

  private static final OpenApi API = OpenApi.of(RunningFrontend.open());

  private final RunningFrontend shop = RunningFrontend.open();

  @Test
  void documentIsOpenApi31WithTheVersionOfTheBuild() {
    assertThat(API.root().get("openapi").stringValue()).startsWith("3.1.");
    assertThat(API.root().get("info").get("version").stringValue()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(API.root().get("servers").get(0).get("url").stringValue()).isEqualTo("/");
    assertThat(API.operations().map(it -> it.node().get("operationId").stringValue()))
        .doesNotHaveDuplicates();
  }

  @Test
  void documentDescribesExactlyTheMappedOperations() {
    var mappings = new TreeSet<String>();
    shop.frontend
        .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .keySet()
        .forEach(mapping ->
            mapping
                .getPatternValues()
                .forEach(path ->
                    mapping
                        .getMethodsCondition()
                        .getMethods()
                        .forEach(method -> mappings.add(method + " " + path))));
    mappings.removeAll(PAGES);

    assertThat(API.operations().map(Object::toString))
        .containsExactlyInAnyOrderElementsOf(mappings);
  }

  static Stream<Arguments> everyStatus() {
    return API.operations()
        .flatMap(operation -> operation.statuses().map(status -> Arguments.of(operation, status)))
        .filter(it -> !UNPROVOKED.contains(it.get()[0] + " " + it.get()[1]));
  }

  /// Sends the document's examples under conditions that cause the status.
  @ParameterizedTest
  @MethodSource("everyStatus")
  void everyDescribedStatusIsReturned(OpenApi.Operation operation, String status)
      throws IOException {
    shop.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}");
    if (REASONS.containsKey(status)) {
      for (String name : List.of("Tux", "Yak", "")) {
        shop.catalog.failFor(name, REASONS.get(status), "trouble");
      }
    }

    RawResponse response = send(request(operation, status));

    assertThat(response.status).as(response.body).isEqualTo(status);
    JsonNode described = API.response(operation, status);
    assertThat(response.headers.get("content-type")).isEqualTo("application/json");
    assertThat(API.validate(OpenApi.bodySchema(described), OpenApi.json(response.body)))
        .as(response.body)
        .isEmpty();
    if (described.has("headers")) {
      described
          .get("headers")
          .propertyStream()
          .forEach(
              header -> checkHeader(header.getKey(), API.resolved(header.getValue()), response));
    }
    if (operation.method().equals("POST")) {
      assertThat(response.headers).containsKey("idempotency-key");
    }
  }

  private static void checkHeader(String name, JsonNode described, RawResponse response) {
    String value = response.headers.get(name.toLowerCase(Locale.ROOT));
    if (value == null) {
      assertThat(described.has("required")).as(name).isFalse();
      return;
    }
    boolean number = described.get("schema").path("type").asString("").equals("integer");
    JsonNode node = number ? OpenApi.json(value) : StringNode.valueOf(value);
    assertThat(API.validate(described.get("schema"), node)).as(name + ": " + value).isEmpty();
  }

  @Test
  void everyExampleMatchesItsSchema() {
    var validate = new ArrayList<String>();
    API.operations()
        .forEach(operation -> {
          var described = new ArrayList<JsonNode>();
          API.parameters(operation).forEach(described::add);
          if (operation.hasBody()) {
            described.add(
                operation.node().get("requestBody").get("content").get("application/json"));
          }
          operation
              .statuses()
              .forEach(status ->
                  described.add(
                      API.response(operation, status).get("content").get("application/json")));
          for (JsonNode it : described) {
            for (JsonNode example : OpenApi.examples(it)) {
              API.validate(it.get("schema"), example)
                  .forEach(fault -> validate.add(operation + ": " + fault));
            }
          }
        });
    assertThat(validate).isEmpty();
  }

  static Stream<Arguments> bodies() {
    String name = "{\"name\":%s,\"price\":1,\"quantity\":1}";
    String price = "{\"price\":%s}";
    String quantity = "{\"quantity\":%s}";
    String category = "{\"name\":\"Yak\",\"price\":1,\"quantity\":1,\"category\":%s}";
    String type = "{\"name\":\"Whale\",\"quantity\":1,\"type\":%s}";
    String order = "{\"name\":\"Whale\",\"quantity\":%s}";
    String lines = "{\"lines\":[%s]}";
    String line = "{\"name\":\"Whale\",\"quantity\":1}";
    return Stream.of(
            bodies("addProduct", name, text(1), text(100), text(101), "\"\"", "null", "7"),
            bodies("addProduct", name, "\"a/b\"", "\"50%\"", "\"a\\u0000\"", "\"a\\u007f\""),
            bodies("addProduct", name, "\"Schneemann ☃ Ж 🧸\"", "\"" + "🧸".repeat(100) + "\""),
            bodies("addProduct", category, text(50), text(51), "null", "\"\"", "5"),
            bodies("addProduct", "%s", "{}", "[]", "7", "{\"name\":\"Yak\",\"price\":1}"),
            bodies("repriceProduct", price, "0.01", "0", "0.001", "0.019", "-1", "\"1\"", "null"),
            bodies("repriceProduct", price, "1000000000", "1000000000.01", "1e2", "12.50"),
            bodies(
                "restockProduct", quantity, "0", "1", "2147483647", "2147483648", "1.5", "\"5\""),
            bodies("resumeTrading", "{\"max_volume\":%s}", "0", "1", "9000000000000000", "1.5"),
            bodies("resumeTrading", "{\"max_volume\":%s}", "9000000000000001", "\"5\"", "null"),
            bodies("resumeTrading", "%s", "{}", "[]", "7"),
            bodies("placeOrder", order, "0", "1", "-1", "1.5", "\"5\"", "null", "2147483648"),
            bodies("placeOrder", type, "\"buy\"", "\"SELL\"", "\"sElL\"", "\"\"", "\"gift\"", "7"),
            bodies("placeOrder", lines, "", line, list(line, 50), list(line, 51), "7", "{}"),
            bodies("placeOrder", "%s", "{\"name\":\"Whale\",\"quantity\":1,\"lines\":[]}", "{}"),
            bodies("placeOrder", "%s", "{\"lines\":[" + line + "],\"name\":null}", "[]", "null"),
            bodies("placeOrder", "%s", "{\"name\":\"Whale\",\"quantity\":1,\"colour\":[1.5,{}]}"))
        .flatMap(it -> it);
  }

  /// The schema and the service accept and reject the same bodies.
  @ParameterizedTest
  @MethodSource("bodies")
  void bodyIsAcceptedIfAndOnlyIfItMatchesTheSchema(String operationId, String body)
      throws IOException {
    var operation = API.operation(operationId);
    JsonNode schema = OpenApi.bodySchema(operation.node().get("requestBody"));

    RawResponse response = send(request(operation, "200").with(body));

    assertThat(response.status.equals("400"))
        .as(response.body)
        .isEqualTo(!API.validate(schema, OpenApi.json(body)).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "listProducts,limit,1",
    "listProducts,limit,200",
    "listProducts,limit,0",
    "listProducts,limit,201",
    "listProducts,limit,-1",
    "listOrders,limit,200",
    "listOrders,limit,201",
    "listOrders,after,0",
    "listOrders,after,-1",
    "listOrders,after,9223372036854775807",
    "listOrders,after,9223372036854775808"
  })
  void numberIsAcceptedIfAndOnlyIfItMatchesTheSchema(String operationId, String name, String value)
      throws IOException {
    compare(operationId, name, value, OpenApi.json(value));
  }

  @Test
  void textIsAcceptedIfAndOnlyIfItMatchesTheSchema() throws IOException {
    for (String q : List.of("q".repeat(200), "q".repeat(201), "🧸".repeat(200), "🧸".repeat(201))) {
      compare("listProducts", "q", q, StringNode.valueOf(q));
    }
    for (String stock : List.of("", "Tux")) {
      compare("getStockByQuery", "stockname", stock, StringNode.valueOf(stock));
    }
    for (String key : List.of("k", "k".repeat(255), "k".repeat(256), "a\tb", "a b")) {
      var operation = API.operation("placeOrder");
      var request = request(operation, "200");
      var headers = new HashMap<>(request.headers);
      headers.put("Idempotency-Key", key);
      RawResponse response =
          send(new Request(request.method, request.target, headers, request.body));
      assertThat(response.status.equals("400"))
          .as(key)
          .isEqualTo(
              !API.validate(
                      API.parameter(operation, "Idempotency-Key").get("schema"),
                      StringNode.valueOf(key))
                  .isEmpty());
    }
  }

  private void compare(String operationId, String name, String value, JsonNode node)
      throws IOException {
    var operation = API.operation(operationId);
    var request = request(operation, "200");
    String target =
        operation.path() + "?" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);

    RawResponse response = send(new Request(request.method, target, request.headers, request.body));

    assertThat(response.status.equals("400"))
        .as(value + ": " + response.body)
        .isEqualTo(!API.validate(API.parameter(operation, name).get("schema"), node).isEmpty());
  }

  private static Stream<Arguments> bodies(String operationId, String form, String... values) {
    return Stream.of(values).map(value -> Arguments.of(operationId, form.formatted(value)));
  }

  private static String text(int length) {
    return "\"" + "c".repeat(length) + "\"";
  }

  private static String list(String line, int size) {
    return Stream.generate(() -> line).limit(size).collect(Collectors.joining(","));
  }

  /// The document's example request, changed as far as the status requires.
  private static Request request(OpenApi.Operation operation, String status) {
    var headers = new HashMap<String, String>();
    if (operation.isSecured() && !status.equals("401")) {
      headers.put(
          "Authorization", "Bearer " + (status.equals("403") ? "another" : RunningFrontend.TOKEN));
    }
    String path = operation.path();
    var query = new ArrayList<String>();
    for (JsonNode parameter : API.parameters(operation)) {
      if (parameter.has("example")) {
        String name = parameter.get("name").stringValue();
        String value = parameter.get("example").asString();
        String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
        switch (parameter.get("in").stringValue()) {
          case "path" -> path = path.replace("{" + name + "}", encoded);
          case "query" -> query.add(name + "=" + encoded);
          default -> headers.put(name, value);
        }
      }
    }
    if (!query.isEmpty()) {
      path += "?" + String.join("&", query);
    }
    String body =
        operation.hasBody()
            ? OpenApi.examples(
                    operation.node().get("requestBody").get("content").get("application/json"))
                .getFirst()
                .toString()
            : "";
    headers.put("Content-Length", "" + body.getBytes(StandardCharsets.UTF_8).length);
    switch (status) {
      case "400" -> headers.put("Bad Header", "x");
      case "408" -> headers.put("Content-Length", "1000");
      case "413" -> headers.putAll(Map.of("Content-Length", "65537", "Expect", "100-continue"));
      default -> {}
    }
    return new Request(operation.method(), path, headers, body);
  }

  private record Request(String method, String target, Map<String, String> headers, String body) {
    Request with(String otherBody) {
      var all = new HashMap<>(headers);
      all.put("Content-Length", "" + otherBody.getBytes(StandardCharsets.UTF_8).length);
      all.remove("Idempotency-Key");
      return new Request(method, target, all, otherBody);
    }
  }

  private record RawResponse(String status, Map<String, String> headers, String body) {}

  private RawResponse send(Request request) throws IOException {
    String headers =
        request.headers.entrySet().stream()
            .map(header -> header.getKey() + ": " + header.getValue() + "\r\n")
            .collect(Collectors.joining());
    try (var client = new RawClient(shop.port)) {
      String answer =
          client
              .say(
                  "%s %s HTTP/1.1\r\nHost: a\r\n%s\r\n%s"
                      .formatted(request.method, request.target, headers, request.body))
              .answer();
      String[] parts = answer.split("\r\n\r\n", 2);
      var response = new HashMap<String, String>();
      parts[0]
          .lines()
          .skip(1)
          .map(line -> line.split(": ", 2))
          .forEach(header -> response.put(header[0].toLowerCase(Locale.ROOT), header[1]));
      return new RawResponse(parts[0].split(" ")[1], response, parts[1]);
    }
  }
}
