package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import toystore.gatling.result.Cell;

/// The time of one operation, for calls of several operations.
record OperationTimeSection(ReportData evidence) implements Section {
  private static final String OPERATION = "operation";

  @Override
  public String heading() {
    return "One operation";
  }

  @Override
  public String text() {
    RunByCell measured = evidence.measured();
    var rows = new ArrayList<List<String>>();
    for (String kind : measured.kinds()) {
      for (int clients : measured.clients()) {
        var row = new ArrayList<>(List.of("`" + kind + "`", Numbers.whole(clients)));
        for (String subject : measured.subjects()) {
          row.add(nanos(new Cell(subject, clients, kind)));
        }
        rows.add(row);
      }
    }
    var header = new ArrayList<>(List.of("kind", "threads"));
    measured.subjects().forEach(subject -> header.add("`" + subject + "`, ns"));
    return isMeasured() ? new TextTable(1, header, rows).markdown() + meanings() : "";
  }

  private boolean isMeasured() {
    return evidence.measured().run().observations().stream()
        .anyMatch(it -> it.name().equals(OPERATION));
  }

  private String nanos(Cell cell) {
    var observed = evidence.measured().observed(cell, OPERATION).values();
    return observed.isEmpty() ? Numbers.NONE : Numbers.number(Estimate.ofMean(observed).value());
  }

  private String meanings() {
    var meanings = new StringBuilder("\nMeans, including the time that threads wait.\n\n");
    for (String kind : evidence.measured().kinds()) {
      String what = evidence.measured().run().about("kind." + kind);
      if (!what.isEmpty()) {
        meanings.append("- `%s`: %s\n".formatted(kind, Phrases.literal(what)));
      }
    }
    return meanings.toString();
  }
}
