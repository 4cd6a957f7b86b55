package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
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

  /// The metrics that name traces of requests ([TracingIT]).
  static final Set<String> WITH_EXEMPLARS =
      Set.of(
          "http_server_requests_seconds_bucket", "grpc_client_processing_duration_seconds_bucket");

  @TempDir static Path folder;
  private static String text = "";
  private static MetricsPage page = MetricsPage.of("");

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
      page = MetricsPage.of(text);
    }
  }

  @AfterAll
  static void forget() {
    page = MetricsPage.of("");
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
    assertThat(page.named("http_server_requests_seconds_count"))
        .extracting(it -> it.labels().get("uri"))
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
    assertThat(page.named("build_info"))
        .allMatch(it -> it.labels().getOrDefault("version", "").matches("\\d+\\.\\d+\\.\\d+.*"))
        .extracting(it -> it.labels().get("service"))
        .containsExactlyInAnyOrder(
            "account", "catalog", "exchange", "frontend", "order", "payment");
  }

  @Test
  void jvmMetricsAndServiceMetricsAppearOnce() {
    assertThat(page.named("jvm_threads_live_threads")).hasSize(1);
    assertThat(page.named("toystore_writer_queue_bound"))
        .extracting(it -> it.labels().get("writer"))
        .containsExactlyInAnyOrder("account", "catalog", "exchange", "order", "payment");
  }

  @Test
  void documentationListsExactlyOurMetrics() throws IOException {
    String text = Files.readString(Path.of("../docs/observability.md"));
    Set<String> explained =
        OURS.matcher(text)
            .results()
            .map(it -> it.group())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> shown =
        page.families().stream()
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

  private static List<String> missing(List<String> expressions) {
    return expressions.stream()
        .flatMap(it -> MetricsQuery.of(it).missingFrom(page).stream())
        .toList();
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
