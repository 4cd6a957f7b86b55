package toystore.bazaarlab;

import java.net.URI;
import java.util.regex.Pattern;
import toystore.gatling.environment.StoreHttpClient;

/// How long tasks of a catalog's line protocol waited for a thread, from its metrics page.
///
/// @param sumSeconds total wait of all tasks since the catalog started
/// @param count number of tasks; a task is a request or a connection, whichever a thread serves
/// @param maxSeconds the longest wait of the last minutes
record LineQueueMetrics(double sumSeconds, long count, double maxSeconds) {
  private static final Pattern LINE =
      Pattern.compile(
          "^toystore_line_queue_seconds_(sum|count|max)(?:\\{[^}]*})? (\\S+)$", Pattern.MULTILINE);

  static LineQueueMetrics at(URI page) {
    return parse(StoreHttpClient.get(page));
  }

  /// @throws IllegalArgumentException if the page lacks one of the metrics
  static LineQueueMetrics parse(String page) {
    double[] found = {Double.NaN, Double.NaN, Double.NaN};
    LINE.matcher(page)
        .results()
        .forEach(it -> {
          int place =
              switch (it.group(1)) {
                case "sum" -> 0;
                case "count" -> 1;
                default -> 2;
              };
          found[place] = Double.parseDouble(it.group(2));
        });
    for (double each : found) {
      if (Double.isNaN(each)) {
        throw new IllegalArgumentException(
            "metrics page lacks toystore_line_queue_seconds_{sum,count,max}; start the catalog with toystore.catalog.line-port");
      }
    }
    return new LineQueueMetrics(found[0], (long) found[1], found[2]);
  }

  /// The mean wait, in µs, of the tasks since an earlier reading; 0 if there were none.
  double meanMicros(LineQueueMetrics before) {
    return count == before.count
        ? 0
        : (sumSeconds - before.sumSeconds) * 1e6 / (count - before.count);
  }

  double maxMicros() {
    return maxSeconds * 1e6;
  }
}
