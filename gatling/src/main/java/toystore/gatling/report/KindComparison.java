package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import toystore.gatling.result.Cell;

/// Compares each kind of call with the first kind on the same subject, unless the run marks its
/// kinds as `unlike`.
record KindComparison(ReportData evidence) implements Section {
  @Override
  public String heading() {
    return "Kinds compared";
  }

  @Override
  public String text() {
    var rows = new ArrayList<List<String>>();
    for (Cell cell : cells()) {
      Cell first = first(cell);
      if (!first.equals(cell)) {
        evidence
            .ratio(cell, first)
            .ifPresent(ratio ->
                rows.add(
                    List.of(
                        "`" + cell.subject() + "`",
                        Numbers.whole(cell.clients()),
                        "`%s` ÷ `%s`".formatted(cell.kind(), first.kind()),
                        ratio.text(),
                        ratio.conclusion())));
      }
    }
    return new TextTable(3, List.of("subject", "clients", "kinds", "times as long", "result"), rows)
        .markdown();
  }

  private List<Cell> cells() {
    RunByCell measured = evidence.measured();
    return measured.run().about("kinds").equals("unlike") ? List.of() : measured.cells();
  }

  private Cell first(Cell cell) {
    return new Cell(cell.subject(), cell.clients(), evidence.measured().kinds().getFirst());
  }

  /// For the first subject.
  @Override
  public List<String> findings() {
    RunByCell measured = evidence.measured();
    var findings = new ArrayList<String>();
    for (Cell cell : cells()) {
      Cell first = first(cell);
      if (cell.subject().equals(measured.subjects().getFirst())
          && measured.ends().contains(cell.clients())
          && !first.equals(cell)) {
        evidence.ratio(cell, first).ifPresent(ratio -> findings.add(finding(cell, first, ratio)));
      }
    }
    return findings;
  }

  private String finding(Cell cell, Cell first, Ratio ratio) {
    RunByCell measured = evidence.measured();
    return "`%s` against `%s` on `%s`, %s: %s %s (means %s and %s)."
        .formatted(
            cell.kind(),
            first.kind(),
            cell.subject(),
            Phrases.clients(cell.clients()),
            "`" + cell.kind() + "`",
            ratio.clause(),
            Numbers.millis(measured.mean(cell).value()),
            Numbers.millis(measured.mean(first).value()));
  }
}
