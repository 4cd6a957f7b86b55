package toystore.lab.report;

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

  private String of(PlannedContrast contrast) {
    ContrastVerdict verdict = run.verdict(contrast);
    if (contrast.of().size() != 1 || contrast.to().size() != 1) {
      return "%s: %s.".formatted(contrast.name(), verdict.text());
    }
    CellKey a = CellKey.all(contrast.of()).getFirst();
    CellKey b = CellKey.all(contrast.to()).getFirst();
    boolean together = a.clients() == b.clients();
    String with = together ? "with %s, ".formatted(clients(a)) : "";
    String subject = name(a, b) + (together ? "" : " with " + clients(a));
    String object = name(b, a) + (together ? "" : " with " + clients(b));
    String times = run.ratio(contrast).timesAsLong();
    String compared =
        switch (verdict) {
          case ContrastVerdict.Different _ -> "takes %s as %s.".formatted(times, object);
          case ContrastVerdict.Equivalent(double margin) ->
              "takes as long as %s (within ±%.0f %%).".formatted(object, 100 * margin);
          case ContrastVerdict.CannotTell _ ->
              "takes %s as %s: this run %s.".formatted(times, object, verdict.text());
          case ContrastVerdict.NoVerdict(String reason) ->
              "took %s as %s; there is no verdict: %s.".formatted(times, object, reason);
        };
    return with + subject + " " + compared;
  }

  private static String name(CellKey cell, CellKey other) {
    return ("aeiou".indexOf(cell.kind().charAt(0)) < 0 ? "a " : "an ")
        + cell.kind()
        + (cell.subject().equals(other.subject()) ? "" : " on " + cell.subject())
        + (cell.condition().isEmpty() || cell.condition().equals(other.condition())
            ? ""
            : " (" + cell.condition() + ")");
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
    return "Two starts of `%s` differ by up to %s (the typical difference of a %s with %s);"
            .formatted(
                run.plan().baseline(),
                MarkdownTable.percent(run.typicalDifference(worst)),
                worst.kind(),
                clients(worst))
        + " %d of %d A/A intervals exclude 1."
            .formatted(
                compared.stream().filter(it -> !run.baselineRatio(it).contains(1)).count(),
                compared.size());
  }
}
