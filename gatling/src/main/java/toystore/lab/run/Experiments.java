package toystore.lab.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import toystore.lab.load.StartPlan;
import toystore.lab.run.ExperimentPlan.PlannedContrast;

/// The experiments by name.
public final class Experiments {
  private static final int PORT = 9_700;
  private static final List<Integer> ONE_TO_FIVE = List.of(1, 2, 3, 4, 5);
  private static final List<String> QUERY_AND_BUY = List.of("query", "buy");

  private final Map<String, ExperimentPlan> plans = new TreeMap<>();
  private final Map<String, Subject> subjects = new TreeMap<>();

  /// @param home the project folder
  public Experiments(Path home) {
    add(new LauncherSubject("processes", "A process for each service.", home, PORT, List.of()));
    add(
        new LauncherSubject(
            "together", "All services in one JVM.", home, PORT, List.of("--together")));
    add(queryVsBuy());
    add(noise());
  }

  private void add(Subject subject) {
    subjects.put(subject.name(), subject);
  }

  private void add(ExperimentPlan plan) {
    plans.put(plan.name(), plan);
  }

  public List<String> names() {
    return List.copyOf(plans.keySet());
  }

  /// @throws IllegalArgumentException with the names that exist
  public ExperimentPlan plan(String name) {
    ExperimentPlan plan = plans.get(name);
    if (plan == null) {
      throw new IllegalArgumentException(
          "unknown experiment %s; expected one of %s".formatted(name, names()));
    }
    return plan;
  }

  /// The subjects of a plan.
  public List<Subject> subjects(ExperimentPlan plan) {
    return plan.subjects().stream().map(subjects::get).toList();
  }

  private static ExperimentPlan queryVsBuy() {
    return new ExperimentPlan(
        "query-vs-buy",
        "Query and buy",
        "How does a query compare with a buy, with one client and with several?",
        "query-vs-buy",
        "processes",
        List.of("processes", "together"),
        QUERY_AND_BUY,
        ONE_TO_FIVE,
        publishedPass(),
        60,
        5,
        2,
        500,
        2_000,
        10,
        List.of(
            contrast("buy ÷ query, one client", "processes/1/buy", "processes/1/query"),
            contrast("buy ÷ query, five clients", "processes/5/buy", "processes/5/query"),
            contrast("query, five clients ÷ one", "processes/5/query", "processes/1/query"),
            contrast("buy, five clients ÷ one", "processes/5/buy", "processes/1/buy"),
            new PlannedContrast(
                "growth of buys ÷ growth of queries",
                List.of("processes/5/buy", "processes/1/query"),
                List.of("processes/1/buy", "processes/5/query")),
            contrast("buy, one JVM ÷ processes", "together/1/buy", "processes/1/buy")),
        List.of(0.1, 0.3, 0.5, 0.7, 0.9),
        QUERY_AND_BUY,
        20,
        0.02,
        19);
  }

  private static ExperimentPlan noise() {
    return new ExperimentPlan(
        "noise",
        "Noise",
        "How far apart are two starts of the same store?",
        "",
        "processes",
        List.of("processes"),
        QUERY_AND_BUY,
        List.of(1, 5),
        List.of(),
        60,
        5,
        2,
        500,
        2_000,
        16,
        List.of(),
        List.of(),
        List.of(),
        20,
        0.02,
        20);
  }

  private static PlannedContrast contrast(String name, String of, String to) {
    return new PlannedContrast(name, List.of(of), List.of(to));
  }

  /// 1 to 5 clients, each 1,000 queries, then 100 buys, as published.
  private static List<StartPlan.ColdCell> publishedPass() {
    var cells = new ArrayList<StartPlan.ColdCell>();
    ONE_TO_FIVE.forEach(clients -> cells.add(new StartPlan.ColdCell("query", clients, 1_000)));
    ONE_TO_FIVE.forEach(clients -> cells.add(new StartPlan.ColdCell("buy", clients, 100)));
    return cells;
  }
}
