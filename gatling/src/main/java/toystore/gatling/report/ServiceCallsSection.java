package toystore.gatling.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import toystore.gatling.result.Cell;

/// The services that a request visits, counted by their own metrics.
record ServiceCallsSection(ReportData evidence) implements Section {
  static final String PREFIX = "calls.";
  private static final double SEEN = 0.01;

  @Override
  public String heading() {
    return "Services a request visits";
  }

  @Override
  public String text() {
    var rows = new ArrayList<List<String>>();
    for (Cell cell : cells()) {
      for (String method : methods(evidence.measured(), cell)) {
        Estimate calls = calls(evidence.measured(), cell, method);
        rows.add(
            List.of(
                "`" + cell.subject() + "`",
                Numbers.whole(cell.clients()),
                "`" + cell.kind() + "`",
                "`" + method + "`",
                Numbers.number(calls.value()),
                Numbers.interval(calls)));
      }
    }
    var grid =
        new TextTable(
            4,
            List.of("subject", "clients", "kind", "gRPC method", "calls per request", "95 %"),
            rows);
    return grid.isEmpty()
        ? ""
        : "Counted on each service's `/actuator/prometheus`, divided by the requests made; the frontend itself is visited by every request.\n\n"
            + grid.markdown();
  }

  private List<Cell> cells() {
    return evidence.measured().cells().stream()
        .filter(cell -> !methods(evidence.measured(), cell).isEmpty())
        .toList();
  }

  /// The called methods as `SERVICE.METHOD`, the most called first.
  static List<String> methods(RunByCell measured, Cell cell) {
    return measured.observedNames(cell, PREFIX).stream()
        .filter(method -> calls(measured, cell, method).value() >= SEEN)
        .sorted(
            Comparator.comparingDouble((String method) -> -calls(measured, cell, method).value())
                .thenComparing(method -> method))
        .toList();
  }

  static Estimate calls(RunByCell measured, Cell cell, String method) {
    return Estimate.ofMean(measured.observed(cell, PREFIX + method).values());
  }

  /// Number of gRPC calls of a request.
  static double all(RunByCell measured, Cell cell) {
    return methods(measured, cell).stream()
        .mapToDouble(method -> calls(measured, cell, method).value())
        .sum();
  }

  /// Number of services: the frontend and those that it causes calls to.
  static int services(RunByCell measured, Cell cell) {
    var services = new TreeSet<String>();
    methods(measured, cell)
        .forEach(method ->
            services.add(
                method.substring(
                    0, method.indexOf('.') < 0 ? method.length() : method.indexOf('.'))));
    return services.size() + 1;
  }

  /// For the first subject.
  @Override
  public List<String> findings() {
    RunByCell measured = evidence.measured();
    return cells().stream()
        .filter(cell ->
            cell.subject().equals(measured.subjects().getFirst())
                && cell.clients() == cells().getFirst().clients())
        .map(cell ->
            "`%s` visits %d services: the frontend, and by gRPC %s."
                .formatted(
                    cell.kind(),
                    services(measured, cell),
                    Phrases.list(
                        methods(measured, cell).stream()
                            .map(it ->
                                "`%s` (%s times a request)"
                                    .formatted(
                                        it, Numbers.number(calls(measured, cell, it).value())))
                            .toList())))
        .toList();
  }
}
