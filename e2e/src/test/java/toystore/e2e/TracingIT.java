package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.MarketplaceClient;

/// Traces as a collector receives them.
@Tag("long")
class TracingIT {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";

  @TempDir Path folder;

  @Test
  void purchaseIsOneTraceFromRequestToCommit() throws Exception {
    try (var collector = new FakeCollector();
        var store = storeThatReportsTo(collector)) {
      for (int i = 0; i < 75; i++) { // the first requests load classes
        store.buy("Tux");
      }
      var reply = store.buy("Tux", "traceparent", format("00-%s-%s-01", TRACE, CALLER));
      store.http().get("/products/Tux"); // no sampling decision by the caller, and the ratio is 0
      assertThat(reply.header("traceparent").getFirst()).startsWith("00-" + TRACE + "-");
      assertThat(reply.header("traceparent").getFirst()).doesNotContain(CALLER);
      await(() -> collector.trace(TRACE).size() >= 8);

      var spans = collector.trace(TRACE);
      assertThat(collector.all()).hasSize(8);
      Map<String, FakeCollector.Span> byId = byId(spans);
      assertThat(spans.stream().map(span -> line(span, byId)).sorted())
          .containsExactly(
              "catalog-service INTERNAL commit < SERVER toystore.catalog.v1.CatalogService/Sell",
              "catalog-service INTERNAL decide < SERVER toystore.catalog.v1.CatalogService/Sell",
              "catalog-service INTERNAL queue < SERVER toystore.catalog.v1.CatalogService/Sell",
              "catalog-service SERVER toystore.catalog.v1.CatalogService/Sell"
                  + " < CLIENT toystore.catalog.v1.CatalogService/Sell",
              "frontend-service CLIENT toystore.order.v1.OrderService/PlaceOrder"
                  + " < SERVER http post /orders",
              "frontend-service SERVER http post /orders < the caller",
              "order-service CLIENT toystore.catalog.v1.CatalogService/Sell"
                  + " < SERVER toystore.order.v1.OrderService/PlaceOrder",
              "order-service SERVER toystore.order.v1.OrderService/PlaceOrder"
                  + " < CLIENT toystore.order.v1.OrderService/PlaceOrder");
      assertThat(named(spans, "queue").to()).isEqualTo(named(spans, "decide").from());
      assertThat(named(spans, "decide").to()).isLessThanOrEqualTo(named(spans, "commit").from());
      assertThat(named(spans, "commit").attributes())
          .containsExactly("toystore.batch.number", "toystore.batch.size", "toystore.sync.us");
      for (var span : spans) {
        assertThat(span.to()).as(span.toString()).isGreaterThanOrEqualTo(span.from());
        var parent = byId.get(span.parent());
        if (parent != null) {
          assertThat(spread(span, parent)).as("%s in %s", span, parent).isLessThan(MILLI);
        }
      }
    }
  }

  @Test
  void searchAndTheRatingsOfItsItemsAreOneTrace() throws Exception {
    try (var collector = new FakeCollector();
        var store = storeThatReportsTo(collector)) {
      var seller = MarketplaceClient.seller(store.http(), "seller").register();
      seller.addItem("Brücke aus Holz", 500, 3);
      var found =
          store
              .http()
              .get(
                  "/api/items/search?category=1",
                  "Authorization",
                  "Bearer " + seller.token(),
                  "traceparent",
                  format("00-%s-%s-01", TRACE, CALLER));
      assertThat(found.json().required("items").get(0).required("thumbs_up").asInt()).isZero();
      await(() -> collector.trace(TRACE).size() >= 5);

      var spans = collector.trace(TRACE);
      Map<String, FakeCollector.Span> byId = byId(spans);
      assertThat(spans.stream().map(span -> line(span, byId)).sorted())
          .containsExactly(
              "account-service SERVER toystore.account.v1.AccountService/GetItemRatings"
                  + " < CLIENT toystore.account.v1.AccountService/GetItemRatings",
              "catalog-service SERVER toystore.catalog.v1.ItemService/SearchItems"
                  + " < CLIENT toystore.catalog.v1.ItemService/SearchItems",
              "frontend-service CLIENT toystore.account.v1.AccountService/GetItemRatings"
                  + " < SERVER http get /api/items/search",
              "frontend-service CLIENT toystore.catalog.v1.ItemService/SearchItems"
                  + " < SERVER http get /api/items/search",
              "frontend-service SERVER http get /api/items/search < the caller");
    }
  }

  @Test
  void metricsOfLatencyNameTheTraceOfARequest() throws Exception {
    try (var collector = new FakeCollector();
        var store = storeThatReportsTo(collector)) {
      await(() -> {
        store.buy("Tux", "traceparent", format("00-%s-%s-01", TRACE, CALLER));
        return metricsWithExemplarsOf(TRACE, store).containsAll(DashboardTest.WITH_EXEMPLARS);
      });
      assertThat(metricsWithExemplarsOf(TRACE, store))
          .allMatch(it -> it.matches(".*_(bucket|total)"));
    }
  }

  private StoreFixture storeThatReportsTo(FakeCollector collector) throws IOException {
    return StoreFixture.in(
        folder,
        "--management.opentelemetry.tracing.export.otlp.endpoint=" + collector.endpoint(),
        "--management.tracing.sampling.probability=0");
  }

  /// The metrics that name the trace, which only the format OpenMetrics can.
  private static Set<String> metricsWithExemplarsOf(String trace, StoreFixture store)
      throws IOException {
    var metrics =
        store.http().management("/actuator/prometheus", "Accept", "application/openmetrics-text");
    return metrics
        .body()
        .lines()
        .filter(line -> line.contains(" # {") && line.contains("trace_id=\"" + trace + "\""))
        .map(line -> line.substring(0, line.indexOf('{')))
        .collect(Collectors.toSet());
  }

  private static final long MILLI = 1_000_000;

  /// How far a span exceeds its parent: each service reads the clock once per request.
  private static long spread(FakeCollector.Span span, FakeCollector.Span parent) {
    return Math.max(0, Math.max(parent.from() - span.from(), span.to() - parent.to()));
  }

  private static FakeCollector.Span named(List<FakeCollector.Span> spans, String name) {
    return spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow();
  }

  private static Map<String, FakeCollector.Span> byId(List<FakeCollector.Span> spans) {
    return spans.stream().collect(Collectors.toMap(FakeCollector.Span::id, Function.identity()));
  }

  private static String line(FakeCollector.Span span, Map<String, FakeCollector.Span> byId) {
    var parent = byId.get(span.parent());
    if (parent == null) {
      assertThat(span.parent()).isEqualTo(CALLER);
    }
    return format(
        "%s %s %s < %s",
        span.service(),
        span.kind(),
        span.name(),
        parent == null ? "the caller" : parent.kind() + " " + parent.name());
  }
}
