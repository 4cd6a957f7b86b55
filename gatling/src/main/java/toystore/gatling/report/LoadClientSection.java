package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import toystore.gatling.result.Cell;
import toystore.gatling.result.RepetitionSummary;

/// The load of the load client. It counts as overloaded if its own threads, not the store, may have
/// caused a latency. (A pause between two calls causes none: it reduces the throughput below
/// clients ÷ mean latency.)
///
/// | sign      | when                                                                    |
/// |-----------|-------------------------------------------------------------------------|
/// | late      | a thread that sleeps 1 ms wakes over 10 ms late (99th percentile)       |
/// | all cores | its JVM keeps over 90 % of the machine's cores busy                     |
record LoadClientSection(ReportData evidence) implements Section {
  private static final double LATE_MILLIS = 10;
  private static final double CORES = 0.9;

  @Override
  public String heading() {
    return "The load client";
  }

  @Override
  public String text() {
    var grid =
        new TextTable(
            3,
            List.of(
                "subject",
                "clients",
                "kind",
                "its cores",
                "machine busy",
                "gap, ms",
                "late p99, ms",
                "overloaded"),
            evidence.measured().cells().stream().map(this::row).toList());
    return grid.isEmpty()
        ? ""
        : grid.markdown()
            + """

            Means over repetitions; `late p99` is the maximum over repetitions. Overloaded: a thread woke over 10 ms late, or the load client alone kept over 90 % of the machine's cores busy. A gap is the pause between an answer and the same client's next call.
            """;
  }

  private List<String> row(Cell cell) {
    return List.of(
        "`" + cell.subject() + "`",
        Numbers.whole(cell.clients()),
        "`" + cell.kind() + "`",
        Numbers.number(mean(cell, RepetitionSummary.Strain::clientCores)),
        Numbers.percent(mean(cell, RepetitionSummary.Strain::machineShare)),
        Numbers.number(gapMillis(cell)),
        Numbers.number(lateMillis(cell)),
        String.join(", ", signs(cell)));
  }

  private interface StrainValue {
    double of(RepetitionSummary.Strain strain);
  }

  private double mean(Cell cell, StrainValue figure) {
    return evidence.measured().each(cell, sample -> figure.of(sample.strain())).value();
  }

  private double gapMillis(Cell cell) {
    return mean(cell, RepetitionSummary.Strain::gapMicros) / 1e3;
  }

  private double lateMillis(Cell cell) {
    return evidence.measured().samples(cell).stream()
        .mapToDouble(it -> it.strain().lateMicros() / 1e3)
        .max()
        .orElse(0);
  }

  private List<String> signs(Cell cell) {
    var signs = new ArrayList<String>();
    if (lateMillis(cell) > LATE_MILLIS) {
      signs.add("late");
    }
    String cores = evidence.measured().run().about("cores");
    if (cores.matches("\\d+")
        && mean(cell, RepetitionSummary.Strain::clientCores) > CORES * Integer.parseInt(cores)) {
      signs.add("all cores");
    }
    return signs;
  }

  @Override
  public List<String> findings() {
    List<Cell> cells = evidence.measured().cells();
    List<String> overloaded =
        cells.stream()
            .filter(cell -> !signs(cell).isEmpty())
            .map(cell -> "`%s` (%s)".formatted(cell, String.join(", ", signs(cell))))
            .toList();
    if (overloaded.isEmpty()) {
      return List.of();
    }
    return List.of(
        "**The load client was overloaded in %d of %d cells**: %s%s. Their latencies include delays of the load client itself."
            .formatted(
                overloaded.size(),
                cells.size(),
                String.join(", ", overloaded.subList(0, Math.min(4, overloaded.size()))),
                overloaded.size() > 4 ? " …" : ""));
  }
}
