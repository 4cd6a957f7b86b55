package toystore.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Set;
import org.junit.jupiter.api.Test;
import toystore.cli.console.MetricsScrape.LatencyBuckets;
import toystore.cli.console.MetricsScrape.Method;

/// What the console reads of a metrics page.
final class MetricsScrapeTest {
  private static final Method SELL = new Method("catalog", "Sell");
  private static final Method REFUSED = new Method("account", "refused by the circuit breaker");
  private static final String PAGE =
      """
      # TYPE build_info gauge
      build_info{service="order",version="1.2"} 1
      jvm_memory_used_bytes{area="heap",id="Eden Space"} 100.0
      jvm_memory_used_bytes{area="heap",id="Tenured Gen"} 20.0
      jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 7.0
      jvm_memory_max_bytes{area="heap",id="Eden Space"} 1000.0
      process_cpu_time_ns_total 5.0E9
      resilience4j_circuitbreaker_not_permitted_calls_total{caller="order",kind="not_permitted",name="account"} 5.0
      %s
      grpc_client_processing_duration_seconds_bucket{method="Check",methodType="UNARY",service="grpc.health.v1.Health",statusCode="OK",le="+Inf"} 9
      grpc_client_processing_duration_seconds_bucket{method="Audit",methodType="UNARY",service="toystore.common.v1.AuditService",statusCode="OK",le="+Inf"} 9
      grpc_client_processing_duration_seconds_bucket{method="Watch",methodType="SERVER_STREAMING",service="toystore.catalog.v1.CatalogService",statusCode="OK",le="+Inf"} 9
      """;

  @Test
  void pageIsReadOnceForTheWholeProcess() {
    var scrape = scrape(0, 0, 0);

    assertThat(scrape.version()).isEqualTo("1.2");
    assertThat(scrape.heapUsed()).isEqualTo(120);
    assertThat(scrape.heapMax()).isEqualTo(1000);
    assertThat(scrape.cpuNanos()).isEqualTo(5e9);
    assertThat(scrape.calls().keySet()).isEqualTo(Set.of(SELL, REFUSED));
  }

  /// With `--together`, one process has the writers of several services.
  @Test
  void oneWriterThatRefusesMarksTheProcess() {
    String writers =
        """
        toystore_writer_refusing{service="catalog"} %s
        toystore_writer_refusing{service="order"} 0.0
        """;

    assertThat(MetricsScrape.of(writers.replace("%s", "1.0"), 0).refusesWrites()).isTrue();
    assertThat(MetricsScrape.of(writers.replace("%s", "0.0"), 0).refusesWrites()).isFalse();
    assertThat(scrape(0, 0, 0).refusesWrites()).isFalse();
  }

  /// A refusal of the service is an answer; a call that the circuit breaker has refused has none.
  @Test
  void callsWithoutAnAnswerHaveFailed() {
    var page = new StringBuilder();
    bucket(page, "OK", "+Inf", 90);
    bucket(page, "FAILED_PRECONDITION", "+Inf", 20);
    bucket(page, "UNAVAILABLE", "0.01", 3);
    bucket(page, "UNAVAILABLE", "+Inf", 3);
    bucket(page, "DEADLINE_EXCEEDED", "+Inf", 4);
    var scrape = MetricsScrape.of(PAGE.replace("%s\n", page), 0);

    assertThat(calls(scrape).count()).isEqualTo(117);
    assertThat(scrape.failed(SELL)).isEqualTo(7);
    assertThat(scrape.calls().getOrDefault(REFUSED, LatencyBuckets.NONE).count()).isEqualTo(5);
    assertThat(scrape.failed(REFUSED)).isEqualTo(5);
    assertThat(scrape.failed(new Method("payment", "Charge"))).isZero();
  }

  /// Of 100 new calls, 60 took up to 1 ms and 40 from 1 to 10 ms; all statuses count.
  @Test
  void quantilesAreThoseOfTheCallsSinceTheEarlierPage() {
    var since = calls(scrape(100, 100, 110)).since(calls(scrape(50, 50, 50)));

    assertThat(since.count()).isEqualTo(60);
    var all = calls(scrape(60, 100, 100));
    assertThat(all.quantile(0.3)).isCloseTo(0.0005, within(1e-9));
    assertThat(all.quantile(0.8)).isCloseTo(0.0055, within(1e-9));
    assertThat(LatencyBuckets.NONE.quantile(0.5)).isZero();
  }

  /// The last limit bounds what is known of slower calls.
  @Test
  void quantileBeyondTheLastLimitIsThatLimit() {
    assertThat(calls(scrape(0, 0, 10)).quantile(0.99)).isEqualTo(0.01);
  }

  private static LatencyBuckets calls(MetricsScrape scrape) {
    return scrape.calls().getOrDefault(SELL, LatencyBuckets.NONE);
  }

  /// A page with calls of Sell: up to 1 ms, up to 10 ms, and all.
  private static MetricsScrape scrape(int first, int second, int all) {
    var buckets = new StringBuilder();
    bucket(buckets, "OK", "0.001", first);
    bucket(buckets, "OK", "0.01", second);
    bucket(buckets, "OK", "+Inf", all);
    return MetricsScrape.of(PAGE.replace("%s\n", buckets), 0);
  }

  private static void bucket(StringBuilder page, String status, String limit, int calls) {
    page.append(
            "grpc_client_processing_duration_seconds_bucket{method=\"Sell\",methodType=\"UNARY\",service=\"toystore.catalog.v1.CatalogService\",statusCode=\"")
        .append(status)
        .append("\",le=\"")
        .append(limit)
        .append("\"} ")
        .append(calls)
        .append('\n');
  }
}
