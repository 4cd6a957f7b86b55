package toystore.e2e;

import static toystore.common.RootLocale.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A parsed PromQL expression of a dashboard or an alert, reduced to what must exist on a metrics
/// page: the selected metrics, their label matchers, and the grouping labels.
///
/// @param selectors metrics with their matchers
/// @param groupings labels after `by`
record MetricsQuery(String text, List<Selector> selectors, List<String> groupings) {
  private static final Pattern GROUPING = Pattern.compile("\\bby\\s*\\(([^)]*)\\)");
  private static final Pattern SELECTOR =
      Pattern.compile("([a-zA-Z_:][\\w:]*)\\s*(?:\\{((?:[^}\"]|\"[^\"]*\")*)})?(\\s*\\()?");
  private static final Pattern MATCHER =
      Pattern.compile("\\s*(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"\\s*(?:,|$)");
  private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

  /// Labels that Prometheus adds itself.
  private static final Set<String> ITS_OWN = Set.of("job", "instance");

  record Matcher(String label, String operator, String value) {
    boolean holds(Map<String, String> labels) {
      String found = labels.get(label);
      return ITS_OWN.contains(label)
          || found != null
              && switch (operator) {
                case "=" -> found.equals(value);
                case "=~" -> found.matches(value);
                case "!=" -> !found.equals(value);
                default -> !found.matches(value);
              };
    }
  }

  record Selector(String metric, List<Matcher> matchers) {}

  static MetricsQuery of(String text) {
    var groupings =
        GROUPING
            .matcher(text)
            .results()
            .flatMap(it -> Stream.of(it.group(1).split(",")))
            .map(String::strip)
            .toList();
    String rest = GROUPING.matcher(text).replaceAll(" ").replaceAll("\\[[^\\]]*]", " ");
    var selectors =
        SELECTOR
            .matcher(rest)
            .results()
            .filter(it -> it.group(3) == null && !WORDS.contains(it.group(1)))
            .map(MetricsQuery::selector)
            .toList();
    if (selectors.isEmpty()) {
      throw new IllegalArgumentException("no metric selector in expression: " + text);
    }
    return new MetricsQuery(text, selectors, groupings);
  }

  /// The metrics and labels that this expression needs and the page lacks.
  List<String> missingFrom(MetricsPage page) {
    var missing = new ArrayList<String>();
    for (Selector selector : selectors) {
      if (selector.metric.equals("up")) { // Prometheus's own
        continue;
      }
      List<MetricsPage.Sample> samples = page.named(selector.metric);
      if (samples.isEmpty()) {
        missing.add(format("no metric %s for %s", selector.metric, text));
      } else if (samples.stream()
          .noneMatch(it -> selector.matchers.stream().allMatch(m -> m.holds(it.labels())))) {
        missing.add(format("no %s is %s for %s", selector.metric, selector.matchers, text));
      }
      for (String label : groupings) {
        if (!ITS_OWN.contains(label)
            && samples.stream().noneMatch(it -> it.labels().containsKey(label))) {
          missing.add(format("no label %s on %s for %s", label, selector.metric, text));
        }
      }
    }
    return missing;
  }

  private static Selector selector(MatchResult found) {
    String inside = found.group(2) == null ? "" : found.group(2);
    var matchers = new ArrayList<Matcher>();
    var matcher = MATCHER.matcher(inside);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      matchers.add(new Matcher(matcher.group(1), matcher.group(2), matcher.group(3)));
      end = matcher.end();
    }
    if (end < inside.length()) {
      throw new IllegalArgumentException("invalid label matchers: {" + inside + "}");
    }
    return new Selector(found.group(1), matchers);
  }
}
