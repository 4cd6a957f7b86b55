package toystore.bazaarlab;

import java.net.URI;
import java.util.regex.Pattern;
import toystore.gatling.environment.StoreHttpClient;

/// How long tasks of a catalog's line protocol have waited for a thread, as its metrics page tells.
///
/// @param sumSeconds all of them together, since the catalog started
/// @param count tasks: requests or connections, whatever its threads serve
/// @param maxSeconds the longest of the last minutes
record QueueTimes(double sumSeconds, long count, double maxSeconds) {
  private static final Pattern LINE =
      Pattern.compile(
          "^toystore_line_queue_seconds_(sum|count|max)(?:\\{[^}]*})? (\\S+)$", Pattern.MULTILINE);

  static QueueTimes at(URI page) {
    return parse(StoreHttpClient.get(page));
  }

  /// @throws IllegalArgumentException where the page does not tell
  static QueueTimes parse(String page) {
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
            "metrics page lacks toystore_line_queue_seconds_{sum,count,max}");
      }
    }
    return new QueueTimes(found[0], (long) found[1], found[2]);
  }

  /// The mean wait of the tasks since then, in µs; 0: there were none.
  double meanMicros(QueueTimes before) {
    return count == before.count
        ? 0
        : (sumSeconds - before.sumSeconds) * 1e6 / (count - before.count);
  }

  double maxMicros() {
    return maxSeconds * 1e6;
  }
}
