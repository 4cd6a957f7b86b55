package toystore.gatling.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A chart that a run asks for: mean latency by number of clients.
///
/// @param name of its file
/// @param lines each a subject and a kind, such as `local/lookup`
public record Chart(String name, String title, List<String> lines) {
  public Chart {
    lines = List.copyOf(lines);
  }

  /// As a run stores them.
  public static Map<String, String> about(List<Chart> charts) {
    var about = new LinkedHashMap<String, String>();
    for (int i = 0; i < charts.size(); i++) {
      Chart chart = charts.get(i);
      about.put("chart.%d.name".formatted(i), chart.name);
      about.put("chart.%d.title".formatted(i), chart.title);
      about.put("chart.%d.lines".formatted(i), String.join(" ", chart.lines));
    }
    return about;
  }

  /// Those that a run asked for; empty: one a kind of call.
  public static List<Chart> of(Run run) {
    var charts = new ArrayList<Chart>();
    for (int i = 0; !run.about("chart.%d.name".formatted(i)).isEmpty(); i++) {
      charts.add(
          new Chart(
              run.about("chart.%d.name".formatted(i)),
              run.about("chart.%d.title".formatted(i)),
              List.of(run.about("chart.%d.lines".formatted(i)).split(" "))));
    }
    return charts;
  }
}
