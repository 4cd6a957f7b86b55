package toystore.bazaarlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LineQueueMetricsTest {
  private static final String PAGE =
      """
      # TYPE toystore_line_queue_seconds histogram
      toystore_line_queue_seconds_bucket{service="catalog",le="1.0E-4"} 9
      toystore_line_queue_seconds_count{service="catalog"} %s
      toystore_line_queue_seconds_sum{service="catalog"} %s
      # TYPE toystore_line_queue_seconds_max gauge
      toystore_line_queue_seconds_max{service="catalog"} %s
      toystore_line_queue_depth{service="catalog"} 3.0
      """;

  @Test
  void parseReadsSumCountAndMax() {
    assertThat(LineQueueMetrics.parse(PAGE.formatted("12", "0.5", "3.0E-4")))
        .isEqualTo(new LineQueueMetrics(0.5, 12, 0.0003));
  }

  @Test
  void parseAcceptsMetricsWithoutLabels() {
    var page = PAGE.replaceAll("\\{[^}]*}", "").formatted("1", "2.0", "2.0");
    assertThat(LineQueueMetrics.parse(page)).isEqualTo(new LineQueueMetrics(2, 1, 2));
  }

  @Test
  void meanCoversOnlyTasksSinceTheEarlierReading() {
    var before = LineQueueMetrics.parse(PAGE.formatted("10", "1.0", "0.9"));
    var now = LineQueueMetrics.parse(PAGE.formatted("14", "1.002", "0.9"));
    assertThat(Math.round(now.meanMicros(before))).isEqualTo(500);
    assertThat(now.meanMicros(now)).as("no task").isZero();
  }

  @Test
  void parseFailsWhenTheMetricsAreMissing() {
    assertThatThrownBy(() -> LineQueueMetrics.parse("toystore_line_workers_busy 0.0\n"))
        .hasMessageContaining("lacks toystore_line_queue_seconds_{sum,count,max}");
  }
}
