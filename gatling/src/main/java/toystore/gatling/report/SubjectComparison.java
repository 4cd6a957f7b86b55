package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import toystore.gatling.result.Cell;

/// Compares each subject with its baseline.
record SubjectComparison(ReportData evidence) implements Section {
  private static final int FEW = 6;

  @Override
  public String heading() {
    return "Subjects compared";
  }

  @Override
  public String text() {
    var rows = new ArrayList<List<String>>();
    for (Cell cell : evidence.measured().cells()) {
      against(cell).flatMap(other -> ratio(cell, other)).ifPresent(row -> rows.add(row));
    }
    var grid =
        new TextTable(
            4, List.of("subject", "against", "clients", "kind", "times as long", "result"), rows);
    return grid.markdown();
  }

  private Optional<Cell> against(Cell cell) {
    return evidence
        .measured()
        .against(cell.subject())
        .map(subject -> new Cell(subject, cell.clients(), cell.kind()));
  }

  private Optional<List<String>> ratio(Cell cell, Cell other) {
    return evidence
        .ratio(cell, other)
        .map(ratio ->
            List.of(
                "`" + cell.subject() + "`",
                "`" + other.subject() + "`",
                Numbers.whole(cell.clients()),
                "`" + cell.kind() + "`",
                ratio.text(),
                ratio.conclusion()));
  }

  /// One finding per subject for the smallest number of clients, and for the largest if there are
  /// few subjects.
  @Override
  public List<String> findings() {
    RunByCell measured = evidence.measured();
    var findings = new ArrayList<String>();
    for (String subject : measured.subjects()) {
      for (int clients : isFew(measured) ? measured.ends() : Set.of(measured.clients().first())) {
        measured
            .against(subject)
            .flatMap(against -> finding(subject, against, clients))
            .ifPresent(findings::add);
      }
    }
    return findings;
  }

  /// Whether there are few enough subjects for a finding of each.
  static boolean isFew(RunByCell measured) {
    return measured.subjects().size() <= FEW;
  }

  private Optional<String> finding(String subject, String against, int clients) {
    var clauses = new ArrayList<String>();
    for (String kind : evidence.measured().kinds()) {
      evidence
          .ratio(new Cell(subject, clients, kind), new Cell(against, clients, kind))
          .ifPresent(ratio -> clauses.add("`%s` %s".formatted(kind, ratio.clause())));
    }
    return clauses.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "`%s` against `%s`, %s: %s."
                .formatted(subject, against, Phrases.clients(clients), String.join("; ", clauses)));
  }
}
