package toystore.gatling;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/// What a run is told by `-D…`:
///
/// | property   | default                 |                                               |
/// |------------|-------------------------|-----------------------------------------------|
/// | `baseUrl`  | `http://127.0.0.1:8080` | the store's front door, already running       |
/// | `clients`  | `1`                     | see [ClientCounts#parse]                      |
/// | `queries`  | `1000`                  | by each client                                |
/// | `buys`     | `100`                   | by each client, one piece each                |
/// | `product`  | all in stock            | query and buy this one alone                  |
/// | `results`  | `target/results/TIME`   | folder for what is measured, made when missing |
record Settings(
    URI baseUrl,
    ClientCounts clients,
    int queries,
    int buys,
    Optional<String> product,
    Path results) {
  private static final int MOST_CALLS = 10_000_000;
  private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /// @param target the module's build folder, under which results land by default, since they can
  ///   be made again and git ignores it
  /// @throws IllegalArgumentException naming the property, what it may be and what came
  static Settings from(Properties properties, Path target, ZonedDateTime now) {
    return new Settings(
        url(properties.getProperty("baseUrl", "http://127.0.0.1:8080")),
        ClientCounts.parse(properties.getProperty("clients", "1")),
        calls(properties, "queries", "1000"),
        calls(properties, "buys", "100"),
        Optional.ofNullable(properties.getProperty("product")),
        Path.of(
            properties.getProperty(
                "results", target.resolve("results").resolve(FOLDER.format(now)).toString())));
  }

  private static URI url(String text) {
    String plain = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    if (!plain.matches("https?://[^/\\s?#]+")) {
      throw new IllegalArgumentException("baseUrl: http://HOST:PORT wanted, found '" + text + "'");
    }
    return URI.create(plain);
  }

  private static int calls(Properties properties, String name, String byDefault) {
    String text = properties.getProperty(name, byDefault);
    if (!text.matches("[1-9]\\d{0,7}") || Integer.parseInt(text) > MOST_CALLS) {
      throw new IllegalArgumentException(
          "%s: 1 to %,d wanted, found '%s'".formatted(name, MOST_CALLS, text));
    }
    return Integer.parseInt(text);
  }

  /// As they go into the results' properties file.
  Map<String, String> asText() {
    var text = new LinkedHashMap<String, String>();
    text.put("baseUrl", baseUrl.toString());
    text.put("clients", clients.each().toString());
    text.put("queries", String.valueOf(queries));
    text.put("buys", String.valueOf(buys));
    text.put("product", product.orElse("all in stock"));
    return text;
  }
}
