package toystore.gatling.report;

import java.util.List;
import toystore.gatling.result.Cell;

/// A report short enough for a terminal.
record TerminalSummary(ReportData evidence, List<String> findings) {
  private static final int LINES = 40;
  private static final int ROWS = 20;

  String text() {
    RunByCell measured = evidence.measured();
    String table = table();
    int left = LINES - 6 - (int) table.lines().count();
    var text =
        new StringBuilder("%s\n\n%s\n".formatted(new RunHeader(measured.run()).title(), table));
    findings.stream()
        .limit(left)
        .forEach(finding -> text.append("- ").append(TextTable.bare(finding)).append('\n'));
    if (findings.size() > left) {
      text.append("… %d more\n".formatted(findings.size() - left));
    }
    return text + "report  %s\n".formatted(measured.run().folder().resolve("report.html"));
  }

  private String table() {
    List<Cell> all = evidence.measured().cells();
    List<Cell> some =
        all.size() <= ROWS
            ? all
            : all.stream()
                .filter(cell -> evidence.measured().ends().contains(cell.clients()))
                .toList();
    List<Cell> few =
        some.size() <= ROWS
            ? some
            : some.stream()
                .filter(cell -> cell.clients() == evidence.measured().clients().first())
                .toList();
    List<Cell> shown = few.subList(0, Math.min(ROWS, few.size()));
    String more =
        shown.size() < all.size()
            ? "… %d more cells in the report\n".formatted(all.size() - shown.size())
            : "";
    return new TextTable(
                3,
                List.of("subject", "clients", "kind", "mean, ms", "95 %", "p99, ms", "answers/s"),
                shown.stream().map(this::row).toList())
            .plain()
        + more;
  }

  private List<String> row(Cell cell) {
    RunByCell measured = evidence.measured();
    Estimate mean = measured.mean(cell);
    return List.of(
        cell.subject(),
        Numbers.whole(cell.clients()),
        cell.kind(),
        Numbers.number(mean.value()),
        Numbers.interval(mean),
        Numbers.number(measured.percentile(cell, 99)),
        Numbers.number(measured.perSecond(cell).value()));
  }
}
