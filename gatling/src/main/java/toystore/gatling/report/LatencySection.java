package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import toystore.gatling.result.Cell;

/// Latencies and throughput of each cell.
record LatencySection(ReportData evidence) implements Section {
  private static final double APART = 0.05;

  @Override
  public String heading() {
    return "Latencies";
  }

  @Override
  public String text() {
    String grid = grid().markdown();
    return grid.isEmpty()
        ? ""
        : grid
            + """

            The mean is that of the repetitions' means, with its 95 % interval; percentiles are over all calls of all repetitions. `N ÷ mean` is the throughput of N clients that make each call at once after the last one (Little's law), computed for each repetition. Where it differs from the measured throughput by over 5 %, the clients spent time between calls.
            """;
  }

  TextTable grid() {
    return new TextTable(
        3,
        List.of(
            "subject",
            "clients",
            "kind",
            "calls",
            "repetitions",
            "mean, ms",
            "95 %",
            "p50, ms",
            "p95, ms",
            "p99, ms",
            "max, ms",
            "answers/s",
            "N ÷ mean, /s",
            "difference"),
        evidence.measured().cells().stream().map(this::row).toList());
  }

  private List<String> row(Cell cell) {
    RunByCell measured = evidence.measured();
    Estimate mean = measured.mean(cell);
    var row = new ArrayList<String>();
    row.add("`" + cell.subject() + "`");
    row.add(Numbers.whole(cell.clients()));
    row.add("`" + cell.kind() + "`");
    row.add(Numbers.whole(measured.calls(cell)));
    row.add(Numbers.whole(measured.samples(cell).size()));
    row.add(Numbers.number(mean.value()));
    row.add(Numbers.interval(mean));
    for (double percentile : new double[] {50, 95, 99}) {
      row.add(Numbers.number(measured.percentile(cell, percentile)));
    }
    row.add(Numbers.number(measured.max(cell)));
    row.add(Numbers.number(measured.perSecond(cell).value()));
    row.add(Numbers.number(measured.clientsOverMean(cell)));
    row.add(Math.abs(apart(cell)) > APART ? "**" + Numbers.percent(apart(cell)) + "**" : "");
    return row;
  }

  private double apart(Cell cell) {
    RunByCell measured = evidence.measured();
    return measured.clientsOverMean(cell) / measured.perSecond(cell).value() - 1;
  }

  @Override
  public List<String> findings() {
    List<Cell> cells = evidence.measured().cells();
    List<String> apart =
        cells.stream()
            .filter(cell -> Math.abs(apart(cell)) > APART)
            .map(cell -> "`" + cell + "`")
            .toList();
    if (apart.isEmpty()) {
      return cells.isEmpty()
          ? List.of()
          : List.of("Throughput agrees with clients ÷ mean latency within 5 % in every cell.");
    }
    return List.of(
        "Throughput differs from clients ÷ mean latency by over 5 %% in %d of %d cells (see the table)%s."
            .formatted(
                apart.size(), cells.size(), apart.size() <= 4 ? ": " + Phrases.list(apart) : ""));
  }
}
