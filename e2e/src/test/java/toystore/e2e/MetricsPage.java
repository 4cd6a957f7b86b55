package toystore.e2e;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A metrics page in Prometheus's text format 0.0.4.
///
/// @param families names from the TYPE lines, such as `toystore_writer_sync_seconds`
record MetricsPage(Set<String> families, List<Sample> samples) {
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) \\w+$");
  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /// One sample line.
  record Sample(String name, Map<String, String> labels) {}

  static MetricsPage of(String text) {
    var families =
        TYPE.matcher(text)
            .results()
            .map(it -> it.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    var samples =
        SAMPLE
            .matcher(text)
            .results()
            .map(it -> new Sample(it.group(1), labels(it.group(2) == null ? "" : it.group(2))))
            .toList();
    return new MetricsPage(families, samples);
  }

  List<Sample> named(String name) {
    return samples.stream().filter(it -> it.name.equals(name)).toList();
  }

  private static Map<String, String> labels(String text) {
    var labels = new HashMap<String, String>();
    LABEL.matcher(text).results().forEach(it -> labels.put(it.group(1), it.group(2)));
    return labels;
  }
}
