package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import toystore.gatling.result.Cell;

/// The calls that a busy service refused, by reason.
record RefusalSection(ReportData evidence) implements Section {
  private static final String PREFIX = "refused.";

  @Override
  public String heading() {
    return "Refused";
  }

  @Override
  public String text() {
    var rows = new ArrayList<List<String>>();
    for (Cell cell : evidence.measured().cells()) {
      for (String reason : evidence.measured().observedNames(cell, PREFIX)) {
        rows.add(
            List.of(
                "`" + cell.subject() + "`",
                "`" + cell.kind() + "`",
                "`" + reason + "`",
                Numbers.whole(cell.clients()),
                Numbers.whole(refused(cell, reason)),
                Numbers.percent(share(cell, reason))));
      }
    }
    var grid =
        new TextTable(3, List.of("subject", "kind", "reason", "clients", "calls", "of all"), rows);
    return grid.isEmpty()
        ? ""
        : grid.markdown() + "\nLatencies are those of the calls that were not refused.\n";
  }

  private long refused(Cell cell, String reason) {
    return Math.round(
        evidence.measured().observed(cell, PREFIX + reason).values().stream()
            .mapToDouble(calls -> calls)
            .sum());
  }

  private double share(Cell cell, String reason) {
    double refused = refused(cell, reason);
    return refused / (refused + evidence.measured().calls(cell));
  }

  @Override
  public List<String> findings() {
    var findings = new ArrayList<String>();
    for (Cell cell : evidence.measured().cells()) {
      for (String reason : evidence.measured().observedNames(cell, PREFIX)) {
        findings.add(
            "%s with %s: %s of the calls were refused, `%s`."
                .formatted(
                    Phrases.call(cell),
                    Phrases.clients(cell.clients()),
                    Numbers.percent(share(cell, reason)),
                    reason));
      }
    }
    return findings;
  }
}
