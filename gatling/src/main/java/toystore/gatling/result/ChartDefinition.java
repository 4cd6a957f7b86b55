package toystore.gatling.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A chart that a run defines: mean latency by number of clients.
///
/// @param name of its file
/// @param lines subject and kind of each line, such as `local/lookup`
public record ChartDefinition(String name, String title, List<String> lines) {
  public ChartDefinition {
    lines = List.copyOf(lines);
  }

  /// The charts as metadata entries of a run.
  public static Map<String, String> about(List<ChartDefinition> charts) {
    var about = new LinkedHashMap<String, String>();
    for (int i = 0; i < charts.size(); i++) {
      ChartDefinition chart = charts.get(i);
      about.put("chart.%d.name".formatted(i), chart.name);
      about.put("chart.%d.title".formatted(i), chart.title);
      about.put("chart.%d.lines".formatted(i), String.join(" ", chart.lines));
    }
    return about;
  }

  /// The charts that a run defines; empty: one per kind of call.
  public static List<ChartDefinition> of(RunFolder run) {
    var charts = new ArrayList<ChartDefinition>();
    for (int i = 0; !run.about("chart.%d.name".formatted(i)).isEmpty(); i++) {
      charts.add(
          new ChartDefinition(
              run.about("chart.%d.name".formatted(i)),
              run.about("chart.%d.title".formatted(i)),
              List.of(run.about("chart.%d.lines".formatted(i)).split(" "))));
    }
    return charts;
  }
}
