package toystore.clients.load;

import static toystore.common.RootLocale.format;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

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
/// xml    a document for the exchange is the body; status 0 is an answer without an error; its
///        attributes are checked as the fields of an object
/// ```
///
/// `{client}` is the number of the client, from 0, `{pair}` is half of it, and `{call}` is
/// different in each call. A value that the set-up keeps, such as the token of a session, is chosen
/// by that number, so that a client always has the same one.
///
/// @param kinds the requests by name
/// @param values the lists by name
/// @param setUp what is called once, in this order, if a kind uses a value that it keeps
/// @param inTurns names of lists from which a client takes one value after the other
/// @param zipf further values, which are drawn from a list by Zipf's law
public record Scenario(
    @JsonProperty(required = true) Map<String, Kind> kinds,
    Map<String, List<String>> values,
    List<SetUpStep> setUp,
    Set<String> inTurns,
    Map<String, ZipfValue> zipf) {
  static final Pattern VARIABLE = Pattern.compile("\\{([a-z0-9_]+)}");

  /// A value of a list that is drawn by a [ZipfSampler].
  ///
  /// @param of name of the list, the most popular value first
  /// @param rotated share of the list that is the least popular instead, 0 to 1
  public record ZipfValue(@JsonProperty(required = true) String of, double rotated) {}

  /// Calls of the set-up.
  ///
  /// @param times number of calls, for the clients from 0; 1 unless stated
  /// @param perClient one call for each client instead
  /// @param keep JSON pointers into the responses, or texts such as `S{pair}`, by the name of the
  ///   value that is kept
  /// @param shared whether each client uses all kept values: those of one response together, chosen
  ///   at random for each call
  public record SetUpStep(
      @JsonProperty(required = true) String kind,
      int times,
      boolean perClient,
      Map<String, String> keep,
      boolean shared) {
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
    public Kind(String method, String path, @Nullable String body, Check check) {
      this(method, path, Map.of(), body, check, null, null);
    }
  }

  /// What a response must be. Values are found by JSON pointers (RFC 6901).
  ///
  /// @param equal expected text by pointer
  /// @param present pointers of values that must be there
  /// @param absent pointers of values that must not be there
  /// @param unique pointer of a value that no earlier response had
  /// @param growing pointer of a whole number that no earlier response had; if a client waits for
  ///   each response, it is greater than its previous one
  /// @param refusals valid responses of another kind, which are counted apart
  public record Check(
      @JsonProperty(required = true) int status,
      Map<String, String> equal,
      List<String> present,
      List<String> absent,
      @Nullable String unique,
      @Nullable String growing,
      List<RefusalPattern> refusals) {
    public Check {
      equal = equal == null ? Map.of() : equal;
      present = present == null ? List.of() : present;
      absent = absent == null ? List.of() : absent;
      refusals = refusals == null ? List.of() : refusals;
      var pointers = new ArrayList<String>(equal.keySet());
      pointers.addAll(present);
      pointers.addAll(absent);
      pointers.addAll(unique == null ? List.of() : List.of(unique));
      pointers.addAll(growing == null ? List.of() : List.of(growing));
      for (String pointer : pointers) {
        if (!pointer.startsWith("/")) {
          throw new IllegalArgumentException(
              "expected a JSON pointer such as /data/name, got " + pointer);
        }
      }
    }

    /// A response of which only the status is checked.
    public static Check of(int status) {
      return new Check(status, Map.of(), List.of(), List.of(), null, null, List.of());
    }
  }

  /// A valid response that did not do what was asked.
  ///
  /// @param pattern what its text contains; null: anything
  /// @param name such as "sold out"
  public record RefusalPattern(
      @JsonProperty(required = true) int status,
      @Nullable Pattern pattern,
      @JsonProperty(required = true) String name) {
    boolean matches(int received, String text) {
      return received == status && (pattern == null || pattern.matcher(text).find());
    }
  }

  /// How a value of a list is chosen for a call.
  enum Choice {
    AT_RANDOM,
    BY_CLIENT,
    IN_TURNS,
    /// At random, with the same index in all such lists.
    SHARED
  }

  public Scenario {
    kinds = Map.copyOf(kinds);
    values = values == null ? Map.of() : Map.copyOf(values);
    setUp = setUp == null ? List.of() : List.copyOf(setUp);
    inTurns = inTurns == null ? Set.of() : Set.copyOf(inTurns);
    zipf = zipf == null ? Map.of() : Map.copyOf(zipf);
  }

  public Scenario(Map<String, Kind> kinds, Map<String, List<String>> values) {
    this(kinds, values, List.of(), Set.of(), Map.of());
  }

  /// The requests of the store.
  public static Scenario ofStore() throws IOException {
    var mapper =
        JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();
    try (var json = Scenario.class.getResourceAsStream("store.json")) {
      return mapper.readValue(json, Scenario.class);
    }
  }

  /// The same requests with another list of values.
  public Scenario with(String name, List<String> list) {
    return with(Map.of(name, list));
  }

  /// The same requests with other lists of values.
  public Scenario with(Map<String, List<String>> lists) {
    var all = new HashMap<>(values);
    all.putAll(lists);
    return new Scenario(kinds, all, setUp, inTurns, zipf);
  }

  /// The same requests, with values in turns.
  public Scenario withTurns(Set<String> names) {
    return new Scenario(kinds, values, setUp, names, zipf);
  }

  /// What the set-up keeps of the responses to a kind.
  public Map<String, String> keptOf(String kind) {
    return setUp.stream()
        .filter(it -> it.kind().equals(kind))
        .findFirst()
        .map(SetUpStep::keep)
        .orElse(Map.of());
  }

  Choice choice(String value) {
    if (inTurns.contains(value)) {
      return Choice.IN_TURNS;
    }
    return setUp.stream()
        .filter(it -> it.keep().containsKey(value))
        .findFirst()
        .map(it -> it.shared() ? Choice.SHARED : Choice.BY_CLIENT)
        .orElse(Choice.AT_RANDOM);
  }

  /// The variables of a kind and of the request before it.
  Set<String> variables(String scheme, String name) {
    Kind kind = kind(scheme, name);
    var variables = new HashSet<String>();
    VARIABLE
        .matcher(kind.path() + kind.headers() + kind.body() + kind.check().equal())
        .results()
        .map((MatchResult it) -> it.group(1))
        .forEach(variables::add);
    variables.addAll(kind.first() == null ? Set.of() : variables(scheme, kind.first()));
    return variables;
  }

  /// The kind `SCHEME-NAME`, which replaces `NAME` at URLs of that scheme, else `NAME`.
  ///
  /// @throws IllegalArgumentException with the known kinds
  Kind kind(String scheme, String name) {
    Kind kind = kinds.getOrDefault(scheme + "-" + name, kinds.get(name));
    if (kind == null) {
      throw new IllegalArgumentException(
          format("unknown kind %s; the scenario has %s", name, kinds.keySet()));
    }
    return kind;
  }
}
