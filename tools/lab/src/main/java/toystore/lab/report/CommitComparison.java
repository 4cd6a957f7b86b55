package toystore.lab.report;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import toystore.lab.load.CellRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.ContrastVerdict;
import toystore.lab.stats.ContrastVerdict.Direction;
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
    return !names(Direction.LONGER).isEmpty();
  }

  private String names(Direction direction) {
    return contrasts().stream()
        .filter(it ->
            verdict(it) instanceof ContrastVerdict.Different different
                && different.direction() == direction)
        .map(PlannedContrast::name)
        .collect(Collectors.joining("; "));
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
    String slower = names(Direction.LONGER);
    String faster = names(Direction.SHORTER);
    String table =
        new MarkdownTable<PlannedContrast>()
            .text("mean latency, µs", PlannedContrast::name)
            .figure("before", it -> mean(it.to()))
            .figure("after", it -> mean(it.of()))
            .figure("after ÷ before", it -> analysis.ratio(it).text(2))
            .text("verdict", it -> verdict(it).text())
            .of(contrasts());
    String intervals =
        "The intervals hold together with 95 %;"
            + " their unit is the block, a start of each commit.";
    String verdict = slower.isEmpty() ? "No contrast is slower" : "Slower: " + slower;
    return String.join(
        "\n\n",
        "**" + verdict + (faster.isEmpty() ? "" : "; faster: " + faster) + ".**",
        "before: " + before + "  \nafter: " + after,
        table,
        course + " " + intervals + drift() + "\n");
  }

  private String mean(List<String> cells) {
    CellKey cell = CellKey.all(cells).getFirst();
    return Long.toString(Math.round(analysis.figure(cell, CellRow::meanMicros).value()));
  }

  /// A start is too short for a store to become steady, so drift is stated, and not a fault.
  private String drift() {
    return analysis.plan().kinds().stream()
        .flatMap(kind ->
            analysis.plan().subjects().stream()
                .filter(it -> analysis.isDrifting(it, kind))
                .map(it -> " " + it + " " + kind + ": " + analysis.drift(it, kind).text() + "."))
        .collect(Collectors.joining());
  }
}
