package toystore.lab.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
/// grpc   toystore.bazaar.v1.StockBazaar/Lookup, and the message as JSON; headers are the metadata;
///        status 0 is OK
/// line   a line of the stock bazaar, such as Lookup,{stock}; status 0 is a price
/// xml    a document for the exchange is the body; status 0 is an answer without an error
/// ```
///
/// `{client}` is the number of the client, from 0, `{pair}` is half of it, and `{call}` is
/// different in each call. A value that the set-up keeps, such as the token of a session, is chosen
/// by that number, so that a client always has the same one.
///
/// @param kinds the requests by name
/// @param values the lists by name
/// @param setUp what is called once, in this order, if a kind uses a value that it keeps
public record Scenario(
    @JsonProperty(required = true) Map<String, Kind> kinds,
    Map<String, List<String>> values,
    List<SetUpStep> setUp) {

  /// Calls of the set-up.
  ///
  /// @param times number of calls, for the clients from 0; 1 unless stated
  /// @param keep JSON pointers into the responses, or texts such as `S{pair}`, by the name of the
  ///   value that is kept
  public record SetUpStep(
      @JsonProperty(required = true) String kind, int times, Map<String, String> keep) {
    public SetUpStep {
      times = times == 0 ? 1 : times;
      keep = keep == null ? Map.of() : keep;
    }
  }

  /// A kind of request.
  ///
  /// @param method of HTTP; GET unless stated
  /// @param headers additional headers
  /// @param body null: none
  /// @param url such as `grpc://127.0.0.1:{grpc_port}`; null: that of the subject
  /// @param first a kind whose request is sent before this one, with the same values; a call is
  ///   both
  public record Kind(
      String method,
      @JsonProperty(required = true) String path,
      Map<String, String> headers,
      @Nullable String body,
      @JsonProperty(required = true) Check check,
      @Nullable String url,
      @Nullable String first) {
    public Kind {
      method = method == null ? "GET" : method;
      headers = headers == null ? Map.of() : headers;
    }

    /// A kind that is sent to the subject's URL.
    Kind(String method, String path, @Nullable String body, Check check) {
      this(method, path, Map.of(), body, check, null, null);
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

    boolean isOfStatus() {
      return equal.isEmpty() && present.isEmpty() && unique == null;
    }

    /// A response of which only the status is checked.
    static Check of(int status) {
      return new Check(status, Map.of(), List.of(), null);
    }
  }

  public Scenario {
    kinds = Map.copyOf(kinds);
    values = values == null ? Map.of() : Map.copyOf(values);
    setUp = setUp == null ? List.of() : List.copyOf(setUp);
  }

  public Scenario(Map<String, Kind> kinds, Map<String, List<String>> values) {
    this(kinds, values, List.of());
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
      throw new IOException(
          String.format(Locale.ROOT, "expected a scenario in %s, which does not exist", file));
    }
    return JsonFile.parse(Files.readString(file), Scenario.class, file.toString());
  }

  /// The same requests with other values.
  public Scenario with(String name, List<String> list) {
    var all = new java.util.HashMap<>(values);
    all.put(name, List.copyOf(list));
    return new Scenario(kinds, all, setUp);
  }

  /// The names of the values that the set-up keeps.
  Set<String> kept() {
    return setUp.stream().flatMap(it -> it.keep().keySet().stream()).collect(Collectors.toSet());
  }

  /// Whether a kind has a value that the set-up keeps.
  boolean usesSetUp(String scheme, String name) {
    Kind kind = kind(scheme, name);
    String text = kind.path() + kind.headers() + kind.body();
    return kept().stream().anyMatch(it -> text.contains("{" + it + "}"));
  }

  /// The kind `SCHEME-NAME`, which replaces `NAME` at URLs of that scheme, else `NAME`.
  ///
  /// @throws IllegalArgumentException with the known kinds
  Kind kind(String scheme, String name) {
    Kind kind = kinds.getOrDefault(scheme + "-" + name, kinds.get(name));
    if (kind == null) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "unknown kind %s; the scenario has %s", name, kinds.keySet()));
    }
    return kind;
  }

  static JsonNode json(String body) throws IOException {
    return JsonFile.MAPPER.readTree(body);
  }
}
