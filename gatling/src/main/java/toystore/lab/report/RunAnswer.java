package toystore.lab.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.BaselinePair;
import toystore.lab.stats.ConfidenceInterval;
import toystore.lab.stats.ContrastVerdict;

/// The answer of a run in one sentence, with its figure: that of its first contrast, or of the A/A
/// comparison if it has none.
final class RunAnswer {
  private final RunAnalysis run;

  RunAnswer(RunAnalysis run) {
    this.run = run;
  }

  String sentence() {
    Optional<PlannedContrast> first = run.contrasts().stream().findFirst();
    return first.isPresent()
        ? sentence(first.get())
        : run.plan().contrasts().isEmpty() ? noise() : "Not measured yet.";
  }

  private String sentence(PlannedContrast contrast) {
    ContrastVerdict verdict = run.verdict(contrast);
    ConfidenceInterval ratio = run.ratio(contrast);
    if (contrast.of().size() != 1 || contrast.to().size() != 1) {
      return "%s: %s.".formatted(capital(contrast.name()), verdict.text());
    }
    CellKey a = CellKey.all(contrast.of()).getFirst();
    CellKey b = CellKey.all(contrast.to()).getFirst();
    boolean together = a.clients() == b.clients();
    String with = together ? "With %s, ".formatted(clients(a)) : "";
    String subject = name(a, b) + (together ? "" : " with " + clients(a));
    String object = name(b, a) + (together ? "" : " with " + clients(b));
    return capital(
        with
            + switch (verdict) {
              case ContrastVerdict.Different _ ->
                  "%s takes %s as %s.".formatted(subject, ratio.timesAsLong(), object);
              case ContrastVerdict.Equivalent(double margin) ->
                  "%s takes as long as %s (within ±%.0f %%)."
                      .formatted(subject, object, 100 * margin);
              case ContrastVerdict.CannotTell _ ->
                  "%s takes %s as %s: this run %s."
                      .formatted(subject, ratio.timesAsLong(), object, verdict.text());
              case ContrastVerdict.NoVerdict(String reason) ->
                  "%s took %s as %s; there is no verdict: %s."
                      .formatted(subject, ratio.timesAsLong(), object, reason);
            });
  }

  private String name(CellKey cell, CellKey other) {
    return "a "
        + cell.kind()
        + (cell.subject().equals(other.subject()) ? "" : " on " + cell.subject())
        + (cell.condition().equals(other.condition()) ? "" : ", " + cell.condition() + ",");
  }

  private static String clients(CellKey cell) {
    return cell.clients() == 1 ? "one client" : cell.clients() + " clients";
  }

  static String capital(String text) {
    return text.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + text.substring(1);
  }

  private String noise() {
    List<CellKey> compared =
        run.cells().stream().filter(it -> !baselinePairs(it).isEmpty()).toList();
    if (compared.isEmpty()) {
      return "Not measured yet.";
    }
    CellKey worst =
        compared.stream()
            .max(Comparator.comparingDouble(it -> typicalDifference(baselinePairs(it))))
            .orElseThrow();
    long alarms =
        compared.stream()
            .filter(it -> !run.baselineRatio(it.clients(), it.kind()).contains(1))
            .count();
    return "Two starts of `%s` differ by up to %s (the typical difference of a %s with %s); %d of %d A/A intervals exclude 1."
        .formatted(
            run.plan().baseline(),
            MarkdownTable.percent(typicalDifference(baselinePairs(worst))),
            worst.kind(),
            clients(worst),
            alarms,
            compared.size());
  }

  /// Empty if the cell is not of the baseline.
  private List<BaselinePair> baselinePairs(CellKey cell) {
    boolean baseline =
        cell.subject().equals(run.plan().baseline())
            && cell.condition().equals(run.plan().conditions().getFirst());
    return baseline ? run.baselinePairs(cell.clients(), cell.kind()) : List.of();
  }

  /// The root mean square of the log ratios of two starts, as a share: 0.04 for 4 %.
  static double typicalDifference(List<BaselinePair> pairs) {
    return Math.expm1(
        Math.sqrt(
            pairs.stream().mapToDouble(it -> Math.pow(it.logRatio(), 2)).average().orElse(0)));
  }
}
