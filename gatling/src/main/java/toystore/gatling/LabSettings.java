package toystore.gatling;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.TreeMap;

/// The settings of a run, given as `-D…`:
///
/// | property      | default                 |                                                       |
/// |---------------|-------------------------|-------------------------------------------------------|
/// | `baseUrl`     | `http://127.0.0.1:8080` | measure this running store                            |
/// | `home`        |                         | the project's folder: the experiment starts stores    |
/// | `audit`       |                         | URL of the store's audit, checked at the end          |
/// | `quick`       | `false`                 | fewer repetitions and calls                           |
/// | `clients`     | the experiment's, or `1` | see [ClientCounts#parse]                             |
/// | `calls.KIND`  | the experiment's        | calls of a kind (`query`, `buy`) by each client       |
/// | `queries`     |                         | the same as `calls.query`                             |
/// | `buys`        |                         | the same as `calls.buy`, 1 unit each                  |
/// | `repetitions` | the experiment's, or `1` |                                                      |
/// | `warmUp`      | the experiment's        | calls in a window, see [SteadyStateDetector]                       |
/// | `product`     | all in stock            | query and buy only this product                       |
/// | `results`     | `target/results/TIME`   | results folder; an unfinished run in it is resumed    |
///
/// @param target a running store; empty: the experiment starts its own stores
public record LabSettings(
    Optional<URI> target,
    Optional<URI> audit,
    Optional<Path> home,
    boolean quick,
    Optional<ClientCounts> clients,
    Map<String, Integer> calls,
    OptionalInt repetitions,
    OptionalInt warmUp,
    Optional<String> product,
    Path results) {
  private static final String CALLS = "calls.";
  private static final Map<String, String> SHORT = Map.of("queries", "query", "buys", "buy");
  private static final int MOST_CALLS = 10_000_000;
  private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /// @param build the module's build folder, the default parent of results: they can be
  ///   regenerated, and git ignores it
  /// @throws IllegalArgumentException with the property, the expected values and the received one
  public static LabSettings from(Properties given, Path build, ZonedDateTime now) {
    Optional<Path> home = Optional.ofNullable(given.getProperty("home")).map(Path::of);
    Optional<URI> target =
        Optional.ofNullable(given.getProperty("baseUrl"))
            .or(() -> home.isPresent() ? Optional.empty() : Optional.of("http://127.0.0.1:8080"))
            .map(LabSettings::url);
    boolean byHand = home.isEmpty();
    return new LabSettings(
        target,
        Optional.ofNullable(given.getProperty("audit")).map(URI::create),
        home,
        Boolean.parseBoolean(given.getProperty("quick")),
        Optional.ofNullable(given.getProperty("clients", byHand ? "1" : null))
            .map(ClientCounts::parse),
        calls(given),
        byHand && !given.containsKey("repetitions")
            ? OptionalInt.of(1)
            : number(given, "repetitions"),
        number(given, "warmUp"),
        Optional.ofNullable(given.getProperty("product")),
        Path.of(
            given.getProperty(
                "results", build.resolve("results").resolve(FOLDER.format(now)).toString())));
  }

  private static URI url(String text) {
    String plain = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    if (!plain.matches("https?://[^/\\s?#]+")) {
      throw new IllegalArgumentException(
          "baseUrl: expected http://HOST:PORT, found '" + text + "'");
    }
    return URI.create(plain);
  }

  private static Map<String, Integer> calls(Properties given) {
    var calls = new TreeMap<String, Integer>();
    for (String name : given.stringPropertyNames()) {
      String kind =
          name.startsWith(CALLS) ? name.substring(CALLS.length()) : SHORT.getOrDefault(name, "");
      if (!kind.isEmpty()) {
        calls.put(kind, number(given, name).orElseThrow());
      }
    }
    return calls;
  }

  private static OptionalInt number(Properties given, String name) {
    String text = given.getProperty(name);
    if (text == null) {
      return OptionalInt.empty();
    }
    if (!text.matches("[1-9]\\d{0,7}") || Integer.parseInt(text) > MOST_CALLS) {
      throw new IllegalArgumentException(
          "%s: expected 1 to %,d, found '%s'".formatted(name, MOST_CALLS, text));
    }
    return OptionalInt.of(Integer.parseInt(text));
  }
}
