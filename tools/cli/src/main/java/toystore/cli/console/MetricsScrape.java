package toystore.cli.console;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// What the console shows of a process's metrics page, in Prometheus's text format.
///
/// @param nanos when it was read
/// @param version of the build
/// @param heapUsed in bytes
/// @param heapMax in bytes
/// @param cpuNanos CPU time since its start
/// @param refusesWrites whether a database cannot be written, such as on a full disk
/// @param calls the calls that it has made since its start
/// @param failures the number of those without an answer of the service
record MetricsScrape(
    long nanos,
    String version,
    double heapUsed,
    double heapMax,
    double cpuNanos,
    boolean refusesWrites,
    Map<Method, LatencyBuckets> calls,
    Map<Method, Double> failures) {
  static final MetricsScrape NONE = new MetricsScrape(0, "", 0, 0, 0, false, Map.of(), Map.of());

  private static final Pattern SAMPLE =
      Pattern.compile(
          "(?m)^(grpc_client_processing_duration_seconds_bucket|jvm_memory_used_bytes|jvm_memory_max_bytes"
              + "|process_cpu_time_ns_total|build_info|toystore_writer_refusing|resilience4j_circuitbreaker_not_permitted_calls_total)(?:\\{(.*)})? (\\S+)$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  /// Statuses of gRPC with which a service does not answer itself, or says that it has failed.
  private static final Set<String> FAILED =
      Set.of("UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "INTERNAL", "UNKNOWN", "DATA_LOSS");

  /// A gRPC method and the service that has it, such as `catalog`.
  record Method(String peer, String name) {}

  static MetricsScrape of(String page, long nanos) {
    var version = "";
    var sums = new HashMap<String, Double>();
    var calls = new HashMap<Method, LatencyBuckets>();
    var failures = new HashMap<Method, Double>();
    for (MatchResult sample : SAMPLE.matcher(page).results().toList()) {
      String name = sample.group(1);
      Map<String, String> labels = labels(sample.group(2) == null ? "" : sample.group(2));
      double value = Double.parseDouble(sample.group(3));
      if (name.startsWith("grpc")) {
        addCalls(labels, value, calls, failures);
      } else if (name.equals("build_info")) {
        version = labels.getOrDefault("version", "");
      } else if (name.startsWith("resilience4j")) {
        var refused = new Method(labels.getOrDefault("name", ""), "refused by the circuit breaker");
        add(refused, Double.POSITIVE_INFINITY, value, calls);
        failures.merge(refused, value, Double::sum);
      } else if (!"nonheap".equals(labels.get("area"))) {
        sums.merge(name, value, Double::sum);
      }
    }
    return new MetricsScrape(
        nanos,
        version,
        sums.getOrDefault("jvm_memory_used_bytes", 0.0),
        sums.getOrDefault("jvm_memory_max_bytes", 0.0),
        sums.getOrDefault("process_cpu_time_ns_total", 0.0),
        sums.getOrDefault("toystore_writer_refusing", 0.0) > 0,
        calls,
        failures);
  }

  /// The number of calls of a method without an answer of the service.
  double failed(Method method) {
    return failures.getOrDefault(method, 0.0);
  }

  private static Map<String, String> labels(String text) {
    var labels = new HashMap<String, String>();
    LABEL.matcher(text).results().forEach(it -> labels.put(it.group(1), it.group(2)));
    return labels;
  }

  /// Counts unary calls of the store's own services: `toystore.catalog.v1.CatalogService` is the
  /// catalog's. Streams last as long as their client; every service has an audit.
  private static void addCalls(
      Map<String, String> labels,
      double value,
      Map<Method, LatencyBuckets> calls,
      Map<Method, Double> failures) {
    String[] service = labels.getOrDefault("service", "").split("\\.", -1);
    if ("UNARY".equals(labels.get("methodType"))
        && service[0].equals("toystore")
        && !service[1].equals("common")) {
      var method = new Method(service[1], labels.getOrDefault("method", ""));
      String limit = labels.getOrDefault("le", "+Inf").replace("+Inf", "Infinity");
      add(method, Double.parseDouble(limit), value, calls);
      if (limit.equals("Infinity") && FAILED.contains(labels.getOrDefault("statusCode", ""))) {
        failures.merge(method, value, Double::sum);
      }
    }
  }

  private static void add(
      Method method, double limit, double value, Map<Method, LatencyBuckets> calls) {
    calls
        .computeIfAbsent(method, _ -> new LatencyBuckets(new TreeMap<>()))
        .upTo
        .merge(limit, value, Double::sum);
  }

  /// A histogram.
  ///
  /// @param upTo the number of calls that took at most so many seconds, by that limit
  record LatencyBuckets(NavigableMap<Double, Double> upTo) {
    static final LatencyBuckets NONE = new LatencyBuckets(new TreeMap<>());

    double count() {
      return upTo.isEmpty() ? 0 : upTo.lastEntry().getValue();
    }

    LatencyBuckets since(LatencyBuckets before) {
      var since = new TreeMap<>(upTo);
      since.replaceAll((limit, count) -> count - before.upTo.getOrDefault(limit, 0.0));
      return new LatencyBuckets(since);
    }

    /// The value in seconds that this share of the calls did not exceed, interpolated within its
    /// bucket as Prometheus's `histogram_quantile` does.
    double quantile(double share) {
      double rank = share * count();
      var lower = 0.0;
      var below = 0.0;
      for (Map.Entry<Double, Double> bucket : upTo.entrySet()) {
        if (bucket.getValue() >= rank && bucket.getValue() > 0) {
          double width = bucket.getKey().isInfinite() ? 0 : bucket.getKey() - lower;
          return lower + width * (rank - below) / (bucket.getValue() - below);
        }
        lower = bucket.getKey();
        below = bucket.getValue();
      }
      return 0;
    }
  }
}
