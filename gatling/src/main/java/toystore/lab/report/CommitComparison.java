package toystore.lab.report;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.ConfidenceInterval;
import toystore.lab.stats.ContrastVerdict;
import toystore.lab.stats.DriftTest;
import toystore.lab.stats.SequentialStop;

/// The answer of `lab ab`: how long the calls of the subject `after` take, relative to those of
/// `before`.
///
/// Starts are short, so calls still become faster while they are measured. This is no reason to
/// give no verdict here, because both commits are measured at the same ages; the answer holds for
/// these ages.
public record CommitComparison(RunAnalysis analysis) {
  /// Whether the run needs another block.
  public SequentialStop.Decision decide(SequentialStop stop, Duration elapsed) {
    return stop.decide(contrasts().stream().map(analysis::logRatios).toList(), elapsed);
  }

  /// Whether the second commit is slower in one of the contrasts.
  public boolean isSlower() {
    return contrasts().stream().anyMatch(it -> is(it, ContrastVerdict.Direction.LONGER));
  }

  private boolean is(PlannedContrast contrast, ContrastVerdict.Direction direction) {
    return verdict(contrast) instanceof ContrastVerdict.Different different
        && different.direction() == direction;
  }

  private List<PlannedContrast> contrasts() {
    return analysis.plan().contrasts();
  }

  private ContrastVerdict verdict(PlannedContrast contrast) {
    return ContrastVerdict.of(analysis.logRatios(contrast), contrasts().size(), List.of());
  }

  /// A summary in Markdown.
  ///
  /// @param before the first commit
  /// @param after the second commit
  /// @param course how the run went, a sentence
  public String markdown(String before, String after, String course) {
    var text = new StringBuilder();
    text.append("**%s**\n\nbefore: %s  \nafter: %s\n\n".formatted(answer(), before, after));
    text.append("| mean latency, µs | before | after | after ÷ before | verdict |\n");
    text.append("|---|--:|--:|--:|---|\n");
    for (PlannedContrast contrast : contrasts()) {
      ConfidenceInterval ratio = analysis.ratio(contrast);
      text.append(
          "| %s | %.0f | %.0f | %s | %s |\n"
              .formatted(
                  contrast.name(),
                  mean(contrast.to()),
                  mean(contrast.of()),
                  ratio.text(2),
                  verdict(contrast).text()));
    }
    text.append(
        "\n%s The intervals hold together with 95 %%; their unit is the block, a start of each commit.%s\n"
            .formatted(course, drift()));
    return text.toString();
  }

  private double mean(List<String> cells) {
    return analysis.mean(CellKey.all(cells).getFirst()).value();
  }

  private String answer() {
    String slower = names(ContrastVerdict.Direction.LONGER);
    String faster = names(ContrastVerdict.Direction.SHORTER);
    return Stream.of(
            slower.isEmpty() ? "No contrast is slower" : "Slower: " + slower,
            faster.isEmpty() ? "" : "faster: " + faster)
        .filter(it -> !it.isEmpty())
        .collect(Collectors.joining("; ", "", "."));
  }

  private String names(ContrastVerdict.Direction direction) {
    return contrasts().stream()
        .filter(it -> is(it, direction))
        .map(PlannedContrast::name)
        .collect(Collectors.joining("; "));
  }

  /// A start is too short for a store to become steady, so drift is stated, and not a fault.
  private String drift() {
    return analysis.plan().kinds().stream()
        .flatMap(kind ->
            analysis.plan().subjects().stream()
                .filter(
                    subject -> analysis.drift(subject, kind).result() == DriftTest.Result.DRIFTING)
                .map(subject ->
                    " %s %s: %s.".formatted(subject, kind, analysis.drift(subject, kind).text())))
        .collect(Collectors.joining());
  }
}
