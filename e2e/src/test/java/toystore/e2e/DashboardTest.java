package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The dashboard, the alerts and the documentation use exactly the metrics that a running store
/// has.
class DashboardTest {
  private static final Path OBSERVE = Path.of("../docker/observe");
  private static final Pattern OURS =
      Pattern.compile("(?:toystore|http_server|grpc_server|grpc_client|cache)_\\w+");

  private static final Pattern GROUPING = Pattern.compile("\\bby\\s*\\(([^)]*)\\)");

  /// A metric with its label matchers, which is no function.
  private static final Pattern SELECTOR =
      Pattern.compile("\\b([a-z]\\w*_\\w*+)(\\{(?:[^}\"]|\"[^\"]*\")*})?+(?!\\s*\\()");

  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");

  /// Labels that Prometheus adds itself.
  private static final Set<String> ITS_OWN = Set.of("job", "instance");

  /// The metrics that name traces of requests ([TracingIT]).
  static final Set<String> WITH_EXEMPLARS =
      Set.of(
          "http_server_requests_seconds_bucket", "grpc_client_processing_duration_seconds_bucket");

  @TempDir static Path folder;
  private static String text = "";

  @BeforeAll
  static void useAStore() throws IOException {
    try (var store = StoreFixture.in(folder)) {
      store.buy("Tux");
      store.buy("no-such-toy");
      store.http().get("/products/Tux");
      store.http().get("/products/no-such-toy");
      store.http().get("/nobody/answers/" + "here");
      store.http().get("/orders/0");
      store.http().audit();
      assertThat(store.failingRequest().status()).isEqualTo(500);
      System.gc();
      await(() -> store.http().metrics().contains("jvm_gc_pause_seconds"));
      text = store.http().metrics();
    }
  }

  @Test
  void dashboardExpressionsUseExistingMetricsAndLabels() throws IOException {
    List<String> expressions =
        targets().stream().map(target -> target.get("expr").asString()).toList();
    assertThat(expressions).hasSizeGreaterThan(30);
    assertThat(missing(expressions)).isEmpty();
  }

  @Test
  void latencyOfRequestsIsShownWithExemplarsThatLeadToTheirTraces() throws IOException {
    assertThat(targets())
        .filteredOn(target -> target.path("exemplar").asBoolean(false))
        .hasSizeGreaterThan(5)
        .containsExactlyElementsOf(
            targets().stream().filter(DashboardTest::usesAMetricWithExemplars).toList());
    JsonNode sources = dataSources();
    assertThat(sources.at("/0/uid")).isEqualTo(targets().getFirst().at("/datasource/uid"));
    JsonNode link = sources.at("/0/jsonData/exemplarTraceIdDestinations/0");
    assertThat(link.get("name").asString()).isEqualTo("trace_id");
    assertThat(link.get("datasourceUid")).isEqualTo(sources.at("/1/uid"));
  }

  @Test
  void alertsUseExistingMetricsAndLabels() throws IOException {
    List<String> expressions = new ArrayList<>();
    Object alerts = new Yaml().load(Files.readString(OBSERVE.resolve("alerts.yml")));
    collect(alerts, expressions);
    assertThat(expressions).hasSizeGreaterThan(5);
    assertThat(missing(expressions)).isEmpty();
  }

  @Test
  void misspelledMetricOrLabelIsReported() {
    assertThat(missing(List.of("rate(toystore_writer_sync_secnds_count[1m])"))).hasSize(1);
    assertThat(missing(List.of("rate(http_server_requests_seconds_count{uri=\"/order\"}[1m])")))
        .hasSize(1);
    assertThat(missing(List.of("sum by (writr) (toystore_writer_queue_depth)"))).hasSize(1);
    assertThat(missing(List.of("sum by (writer) (toystore_writer_queue_depth{writer=~\"c.*\"})")))
        .isEmpty();
  }

  @Test
  void clientInputDoesNotCreateMetricLabels() {
    assertThat(values("http_server_requests_seconds_count", "uri"))
        .contains("/products/{name}", "/orders", "/orders/{number}", "NOT_FOUND")
        .doesNotContain("/products/Tux", "/products/no-such-toy", "/nobody/answers/here");
  }

  @Test
  void committedOrdersUnitsAndRevenueAreCounted() {
    assertThat(text)
        .contains(
            "toystore_orders_total{kind=\"order\",series=\"store\"} 1.0\n",
            "toystore_units_total{kind=\"order\",series=\"store\"} 1.0\n",
            "toystore_revenue_cents_total{kind=\"order\",series=\"store\"} 2599.0\n",
            "toystore_orders_total{kind=\"sell\",series=\"store\"} 0.0\n");
  }

  @Test
  void buildInfoHasTheVersionOfEachService() {
    assertThat(values("build_info", "version")).allMatch(it -> it.matches("\\d+\\.\\d+\\.\\d+.*"));
    assertThat(values("build_info", "service"))
        .containsExactlyInAnyOrder(
            "account", "catalog", "exchange", "frontend", "order", "payment");
  }

  @Test
  void jvmMetricsAndServiceMetricsAppearOnce() {
    assertThat(samples("jvm_threads_live_threads")).hasSize(1);
    assertThat(values("toystore_writer_queue_bound", "writer"))
        .containsExactlyInAnyOrder("account", "catalog", "exchange", "order", "payment");
  }

  @Test
  void documentationListsExactlyOurMetrics() throws IOException {
    Set<String> explained =
        OURS.matcher(Files.readString(Path.of("../docs/reference/metrics.md")))
            .results()
            .map(it -> it.group())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> shown =
        Pattern.compile("(?m)^# TYPE (\\S+)")
            .matcher(text)
            .results()
            .map(it -> it.group(1))
            .filter(name -> OURS.matcher(name).matches() && !name.endsWith("_max"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(explained).isEqualTo(shown);
  }

  private static boolean usesAMetricWithExemplars(JsonNode target) {
    String expression = target.get("expr").asString();
    return WITH_EXEMPLARS.stream().anyMatch(expression::contains);
  }

  private static List<JsonNode> targets() throws IOException {
    var dashboard =
        JsonMapper.shared()
            .readTree(Files.readString(OBSERVE.resolve("grafana/dashboards/toystore.json")));
    return dashboard
        .get("panels")
        .valueStream()
        .flatMap(panel -> panel.path("targets").valueStream())
        .toList();
  }

  private static JsonNode dataSources() throws IOException {
    Path file = OBSERVE.resolve("grafana/provisioning/datasources/prometheus.yml");
    Object yaml = new Yaml().load(Files.readString(file));
    return JsonMapper.shared().valueToTree(yaml).get("datasources");
  }

  /// The metrics and labels that expressions need and the page lacks.
  private static List<String> missing(List<String> expressions) {
    var missing = new ArrayList<String>();
    for (String expression : expressions) {
      List<String> groupings =
          GROUPING
              .matcher(expression)
              .results()
              .flatMap(it -> Stream.of(it.group(1).strip().split("\\s*,\\s*")))
              .filter(it -> !ITS_OWN.contains(it))
              .toList();
      Matcher selector = SELECTOR.matcher(GROUPING.matcher(expression).replaceAll(" "));
      while (selector.find()) {
        String matchers = Objects.toString(selector.group(2), "");
        List<String> samples =
            samples(selector.group(1)).stream().filter(it -> holdAll(matchers, it)).toList();
        if (samples.isEmpty()) {
          missing.add(selector.group() + " in " + expression);
          continue;
        }
        groupings.stream()
            .filter(label -> samples.stream().allMatch(it -> value(it, label) == null))
            .forEach(label -> missing.add("label " + label + " in " + expression));
      }
    }
    return missing;
  }

  private static boolean holdAll(String matchers, String sample) {
    return MATCHER
        .matcher(matchers)
        .results()
        .filter(it -> !ITS_OWN.contains(it.group(1)))
        .allMatch(it -> {
          String found = value(sample, it.group(1));
          if (found == null) {
            return false;
          }
          boolean isRegex = it.group(2).endsWith("~");
          boolean isEqual = isRegex ? found.matches(it.group(3)) : found.equals(it.group(3));
          return isEqual != it.group(2).startsWith("!");
        });
  }

  /// The lines of a metric.
  private static List<String> samples(String metric) {
    return text.lines()
        .filter(it -> it.startsWith(metric + "{") || it.startsWith(metric + " "))
        .toList();
  }

  private static List<@Nullable String> values(String metric, String label) {
    return samples(metric).stream().<@Nullable String>map(it -> value(it, label)).toList();
  }

  private static @Nullable String value(String sample, String label) {
    var value = Pattern.compile("[{,]" + label + "=\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(sample);
    return value.find() ? value.group(1) : null;
  }

  private static void collect(Object node, List<String> expressions) {
    switch (node) {
      case java.util.Map<?, ?> map ->
          map.forEach((key, value) -> {
            if (key.equals("expr")) {
              expressions.add(String.valueOf(value));
            } else {
              collect(value, expressions);
            }
          });
      case List<?> list -> list.forEach(it -> collect(it, expressions));
      default -> {}
    }
  }
}
