package toystore.frontend;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Reads the document at `/openapi.json` for tests.
public record OpenApi(JsonNode root) {
  private static final String PROBLEM = "application/problem+json";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDialect(Dialects.getDraft202012());

  public static OpenApi of(RunningFrontend shop) {
    return new OpenApi(JSON.readTree(shop.get("/openapi.json").body()));
  }

  public static JsonNode json(String text) {
    return JSON.readTree(text);
  }

  public record Operation(String method, String path, JsonNode node) {
    @Override
    public String toString() {
      return method + " " + path;
    }

    public boolean isSecured() {
      return !node.get("security").isEmpty();
    }

    /// Returns the first name in `security`: who may call the operation.
    public String role() {
      return isSecured() ? node.get("security").get(0).propertyNames().iterator().next() : "";
    }

    public boolean isOfOneRole() {
      return node.get("security").size() == 1;
    }

    public boolean isOfMarketplace() {
      return path.startsWith("/api/");
    }

    public boolean hasBody() {
      return node.has("requestBody");
    }

    public Stream<String> statuses() {
      return node.get("responses").propertyStream().map(Map.Entry::getKey);
    }
  }

  public Stream<Operation> operations() {
    return root.get("paths")
        .propertyStream()
        .flatMap(path ->
            path.getValue()
                .propertyStream()
                .filter(it -> !it.getKey().equals("parameters"))
                .map(it ->
                    new Operation(
                        it.getKey().toUpperCase(java.util.Locale.ROOT),
                        path.getKey(),
                        it.getValue())));
  }

  public Operation operation(String id) {
    return operations()
        .filter(it -> it.node.get("operationId").stringValue().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /// The parameters of the operation and of its path.
  public List<JsonNode> parameters(Operation operation) {
    return Stream.of(root.get("paths").get(operation.path), operation.node)
        .filter(it -> it.has("parameters"))
        .flatMap(it -> it.get("parameters").valueStream())
        .map(this::resolved)
        .toList();
  }

  public JsonNode parameter(Operation operation, String name) {
    return parameters(operation).stream()
        .filter(it -> it.get("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow();
  }

  public JsonNode response(Operation operation, String status) {
    return resolved(operation.node.get("responses").get(status));
  }

  public static JsonNode bodySchema(JsonNode described) {
    return body(described).get("schema");
  }

  /// The JSON body of a request or a response; missing if it has none.
  public static JsonNode body(JsonNode described) {
    JsonNode content = described.path("content");
    return content.path(content.has(PROBLEM) ? PROBLEM : "application/json");
  }

  public static String mediaType(JsonNode response) {
    return response.path("content").has(PROBLEM) ? PROBLEM : "application/json";
  }

  /// Returns all examples of a body or a parameter, by name. A single example has no name.
  public static Map<String, JsonNode> examples(JsonNode described) {
    var examples = new LinkedHashMap<String, JsonNode>();
    if (described.has("example")) {
      examples.put("", described.get("example"));
    }
    described
        .path("examples")
        .propertyStream()
        .forEach(it -> examples.put(it.getKey(), it.getValue().get("value")));
    return examples;
  }

  /// The description of the operation's body.
  public static JsonNode requestBody(Operation operation) {
    return body(operation.node.path("requestBody"));
  }

  public JsonNode success(Operation operation) {
    return response(
        operation, operation.statuses().filter(it -> it.startsWith("2")).findFirst().orElseThrow());
  }

  public JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? root.at(node.get("$ref").stringValue().substring(1)) : node;
  }

  /// Validates a value against a schema. Returns the errors; empty if the value is valid.
  public List<String> validate(JsonNode schema, JsonNode value) {
    ObjectNode wrapper = JSON.createObjectNode();
    wrapper.putArray("allOf").add(schema);
    wrapper.set("components", root.get("components"));
    Schema compiled = SCHEMAS.getSchema(wrapper);
    return compiled.validate(value).stream().map(Object::toString).toList();
  }
}
