package toystore.lab.report;

import static toystore.common.RootLocale.format;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.ContrastVerdict;

/// The answer of a run in one sentence, with its figure: that of its first contrast, or of the A/A
/// comparison if it has none.
record RunAnswer(RunAnalysis run) {
  private static final String NOT_MEASURED = "Not measured yet.";

  String sentence() {
    if (run.plan().contrasts().isEmpty()) {
      return noise();
    }
    String sentence = run.contrasts().stream().findFirst().map(this::of).orElse(NOT_MEASURED);
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  /// Cells of different subjects are named by the contrast, because a subject's name is an id.
  private String of(PlannedContrast contrast) {
    ContrastVerdict verdict = run.verdict(contrast);
    String times = run.ratio(contrast).timesAsLong();
    String end =
        switch (verdict) {
          case ContrastVerdict.Different it -> it.remark() + ".";
          case ContrastVerdict.NoVerdict(String reason) -> "; there is no verdict: " + reason + ".";
          case ContrastVerdict.Equivalent _, ContrastVerdict.CannotTell _ ->
              ": " + verdict.text() + ".";
        };
    CellKey a = CellKey.all(contrast.of()).getFirst();
    CellKey b = CellKey.all(contrast.to()).getFirst();
    boolean comparable =
        contrast.of().size() == 1
            && a.subject().equals(b.subject())
            && a.condition().equals(b.condition());
    if (!comparable) {
      return contrast.name() + ": " + times + end;
    }
    return a.clients() == b.clients()
        ? "with " + clients(a) + ", " + name(a) + " takes " + times + " as " + name(b) + end
        : withClients(a) + " takes " + times + " as " + withClients(b) + end;
  }

  private static String withClients(CellKey cell) {
    return name(cell) + " with " + clients(cell);
  }

  private static String name(CellKey cell) {
    return ("aeiou".indexOf(cell.kind().charAt(0)) < 0 ? "a " : "an ") + cell.kind();
  }

  private static String clients(CellKey cell) {
    return cell.clients() == 1 ? "one client" : cell.clients() + " clients";
  }

  private String noise() {
    List<CellKey> compared =
        run.cells().stream().filter(it -> !run.baselinePairs(it).isEmpty()).toList();
    if (compared.isEmpty()) {
      return NOT_MEASURED;
    }
    CellKey worst = Collections.max(compared, Comparator.comparingDouble(run::typicalDifference));
    return format(
            "Two starts of `%s` differ by up to %s (the typical difference of a %s with %s);",
            run.plan().baseline(),
            MarkdownTable.percent(run.typicalDifference(worst)),
            worst.kind(),
            clients(worst))
        + format(
            " %d of %d A/A intervals exclude 1.",
            compared.stream().filter(it -> !run.baselineRatio(it).contains(1)).count(),
            compared.size());
  }
}
