package toystore.gatling;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import toystore.gatling.environment.StoreHttpClient;

/// The counters of a store at one time, from the metrics pages of its services.
///
/// @param calls gRPC calls so far, by `SERVICE.METHOD`
/// @param syncs number of disk syncs
/// @param syncSeconds total time of the syncs
record MetricCounters(Map<String, Double> calls, double syncs, double syncSeconds) {
  private static final Pattern CALLS =
      Pattern.compile(
          "^grpc_client_call_duration_seconds_count\\{.*grpc_method=\"toystore\\.([a-z]+)\\.[^/\"]*/(\\w+)\".*} (\\S+)$",
          Pattern.MULTILINE);
  private static final Pattern SYNCS =
      Pattern.compile(
          "^toystore_writer_sync_seconds_(count|sum)\\{.*\"catalog\".*} (\\S+)$",
          Pattern.MULTILINE);

  static MetricCounters of(List<URI> pages) {
    var calls = new HashMap<String, Double>();
    double[] sync = new double[2];
    for (URI page : pages) {
      String text = StoreHttpClient.get(page);
      CALLS
          .matcher(text)
          .results()
          .forEach(it ->
              calls.merge(
                  it.group(1) + "." + it.group(2), Double.parseDouble(it.group(3)), Double::sum));
      SYNCS
          .matcher(text)
          .results()
          .forEach(
              it -> sync[it.group(1).equals("count") ? 0 : 1] += Double.parseDouble(it.group(2)));
    }
    return new MetricCounters(calls, sync[0], sync[1]);
  }

  /// Mean number of calls per request since an earlier reading, by `SERVICE.METHOD`. Calls that
  /// requests do not cause (below 0.05 per request) are omitted.
  Map<String, Double> callsPerRequest(MetricCounters before, long requests) {
    var each = new TreeMap<String, Double>();
    calls.forEach((method, count) -> {
      double since = (count - before.calls.getOrDefault(method, 0.0)) / requests;
      if (since >= 0.05) {
        each.put(method, since);
      }
    });
    return each;
  }

  /// The mean time of a sync since an earlier reading, in µs; 0 if there was none.
  double syncMicros(MetricCounters before) {
    return syncs == before.syncs
        ? 0
        : (syncSeconds - before.syncSeconds) * 1e6 / (syncs - before.syncs);
  }
}
