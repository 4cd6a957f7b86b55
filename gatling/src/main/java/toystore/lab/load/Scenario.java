package toystore.lab.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The requests of an experiment, from a JSON file. Any REST service can be measured with one.
///
/// ```json
/// { "kinds": {
///     "query": { "method": "GET", "path": "/products/{product}",
///                "check": { "status": 200, "equal": { "/data/name": "{product}" } } },
///     "buy":   { "method": "POST", "path": "/orders",
///                "body": "{\"name\":\"{product}\",\"quantity\":1}",
///                "check": { "status": 200, "unique": "/data/order_number" } } },
///   "values": { "product": ["Tux", "Whale"] } }
/// ```
///
/// `{product}` is a value of that list, chosen at random for each request. In a path it is
/// percent-encoded; in a body it is written as the content of a JSON string.
///
/// A kind may have a URL of its own. Its scheme decides what `path` and `body` are:
///
/// ```
/// http   path and body of a request
/// grpc   toystore.bazaar.v1.StockBazaar/Lookup, and the message as JSON; status 0 is OK
/// line   a line of the stock bazaar, such as Lookup,{stock}; status 0 is a price
/// ```
///
/// @param kinds the requests by name
/// @param values the lists by name
public record Scenario(
    @JsonProperty(required = true) Map<String, Kind> kinds, Map<String, List<String>> values) {

  /// A kind of request.
  ///
  /// @param method of HTTP; GET unless stated
  /// @param headers additional headers
  /// @param body null: none
  /// @param url such as `grpc://127.0.0.1:{grpc_port}`; null: that of the subject
  public record Kind(
      String method,
      @JsonProperty(required = true) String path,
      Map<String, String> headers,
      @Nullable String body,
      @JsonProperty(required = true) Check check,
      @Nullable String url) {
    public Kind {
      method = method == null ? "GET" : method;
      headers = headers == null ? Map.of() : headers;
    }

    /// A kind that is sent to the subject's URL.
    Kind(String method, String path, @Nullable String body, Check check) {
      this(method, path, Map.of(), body, check, null);
    }
  }

  /// What a response must be.
  ///
  /// @param equal expected text by JSON pointer (RFC 6901)
  /// @param present JSON pointers of values that must be there
  /// @param unique JSON pointer of a value that no earlier response had
  public record Check(
      @JsonProperty(required = true) int status,
      Map<String, String> equal,
      List<String> present,
      @Nullable String unique) {
    public Check {
      equal = equal == null ? Map.of() : equal;
      present = present == null ? List.of() : present;
      var pointers = new ArrayList<String>(equal.keySet());
      pointers.addAll(present);
      pointers.addAll(unique == null ? List.of() : List.of(unique));
      for (String pointer : pointers) {
        if (!pointer.startsWith("/")) {
          throw new IllegalArgumentException(
              "expected a JSON pointer such as /data/name, got " + pointer);
        }
      }
    }

    /// A response of which only the status is checked.
    static Check of(int status) {
      return new Check(status, Map.of(), List.of(), null);
    }
  }

  public Scenario {
    kinds = Map.copyOf(kinds);
    values = values == null ? Map.of() : Map.copyOf(values);
  }

  /// The requests of the store.
  static Scenario ofStore() throws IOException {
    try (var json = Scenario.class.getResourceAsStream("/toystore/lab/store.json")) {
      return JsonFile.MAPPER.readValue(json, Scenario.class);
    }
  }

  /// @throws IOException with the file, the field and what was expected
  public static Scenario read(Path file) throws IOException {
    if (Files.notExists(file)) {
      throw new IOException("expected a scenario in %s, which does not exist".formatted(file));
    }
    return JsonFile.parse(Files.readString(file), Scenario.class, file.toString());
  }

  /// The same requests with other values.
  public Scenario with(String name, List<String> list) {
    var all = new java.util.HashMap<>(values);
    all.put(name, List.copyOf(list));
    return new Scenario(kinds, all);
  }

  /// The kind `SCHEME-NAME`, which replaces `NAME` at URLs of that scheme, else `NAME`.
  ///
  /// @throws IllegalArgumentException with the known kinds
  Kind kind(String scheme, String name) {
    Kind kind = kinds.getOrDefault(scheme + "-" + name, kinds.get(name));
    if (kind == null) {
      throw new IllegalArgumentException(
          "unknown kind %s; the scenario has %s".formatted(name, kinds.keySet()));
    }
    return kind;
  }

  static JsonNode json(String body) throws IOException {
    return JsonFile.MAPPER.readTree(body);
  }
}
