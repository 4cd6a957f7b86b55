package toystore.gatling;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The parts of one client's calls, from the `Server-Timing` header (W3C) of their responses. The
/// store fills it from the spans of a trace. The own part of a service excludes the services that
/// it calls; the network between two services belongs to the caller.
///
/// ```
/// whole  network | frontend | order | catalog | queue | decide | commit
/// ```
///
/// One thread.
final class ServerTimingParts implements SimulatedClient.Latencies {
  private static final Pattern PART = Pattern.compile("([a-z]+);dur=([0-9.]+)");
  private static final String[] NESTED = {"whole", "frontend", "order", "catalog"};
  private static final String[] INNERMOST = {"queue", "decide", "commit"};

  private final Map<String, Double> sums = new LinkedHashMap<>(); // µs
  private long calls;
  private double whole;

  @Override
  public void add(long startNanos, long endNanos) {
    whole = (endNanos - startNanos) / 1e3;
  }

  /// Adds the parts of the call whose times were added last.
  ///
  /// @param serverTiming such as `frontend;dur=5.962, order;dur=3.635`, in ms; null counts as empty
  void add(@Nullable String serverTiming) {
    var micros = new LinkedHashMap<String, Double>();
    micros.put("whole", whole);
    if (serverTiming != null) {
      Matcher part = PART.matcher(serverTiming);
      while (part.find()) {
        micros.put(part.group(1), Double.parseDouble(part.group(2)) * 1e3);
      }
    }
    own(micros).forEach((name, value) -> sums.merge(name, value, Double::sum));
    calls++;
  }

  // each part without the parts nested in it
  private static Map<String, Double> own(Map<String, Double> micros) {
    var own = new LinkedHashMap<String, Double>();
    own.put("whole", micros.getOrDefault("whole", 0.0));
    double innermost = 0;
    for (String name : INNERMOST) {
      innermost += micros.getOrDefault(name, 0.0);
    }
    for (int i = 0; i < NESTED.length; i++) {
      Double outer = micros.get(NESTED[i]);
      if (outer == null) {
        continue;
      }
      double inner = innermost;
      for (int j = NESTED.length - 1; j > i; j--) {
        inner = micros.getOrDefault(NESTED[j], inner);
      }
      own.put(NESTED[i].equals("whole") ? "network" : NESTED[i], outer - inner);
    }
    for (String name : INNERMOST) {
      if (micros.containsKey(name)) {
        own.put(name, micros.get(name));
      }
    }
    return own;
  }

  /// The mean of each part, in µs, by name. Empty if no response had the header, because `whole`
  /// alone says nothing about parts.
  Map<String, Double> means() {
    var means = new LinkedHashMap<String, Double>();
    if (sums.containsKey("frontend")) {
      sums.forEach((name, sum) -> means.put(name, sum / calls));
    }
    return means;
  }
}
