package toystore.gatling.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.gatling.result.Cell;
import toystore.gatling.result.RunFolder;

/// Compares two runs of the same cells, such as before and after a change.
public final class RunComparison {
  private RunComparison() {}

  /// A table for a terminal: for each cell of both runs, the ratio of the second to the first, and
  /// whether it differs detectably.
  ///
  /// @param noise see [Report#write]
  public static String text(RunFolder first, RunFolder second, @Nullable RunFolder noise)
      throws IOException {
    RunByCell before = RunByCell.of(first);
    RunByCell after = RunByCell.of(second);
    Resolution resolution =
        noise == null
            ? Resolution.UNKNOWN
            : Resolution.of(RunByCell.of(noise)).appliedTo(first).appliedTo(second);
    var rows = new ArrayList<List<String>>();
    for (Cell cell : before.cells()) {
      Cell other = counterpart(cell, before, after);
      if (after.has(other)) {
        rows.add(row(cell, other, before, after, resolution));
      }
    }
    return """
    first   %s
    second  %s

    %s
    Ratios are second ÷ first, with 95 %% intervals (Welch's, on logarithms); the runs were not interleaved, so the machine may have changed between them.
    """
        .formatted(name(first), name(second), table(rows, before, after));
  }

  /// The same cell; if each run has one store, the cell of the other run's store.
  private static Cell counterpart(Cell cell, RunByCell before, RunByCell after) {
    return before.subjects().size() == 1 && after.subjects().size() == 1
        ? new Cell(after.subjects().getFirst(), cell.clients(), cell.kind())
        : cell;
  }

  private static String table(List<List<String>> rows, RunByCell before, RunByCell after) {
    if (rows.isEmpty()) {
      return "The runs have no cell in common: %s; %s\n".formatted(before.cells(), after.cells());
    }
    return new TextTable(1, List.of("cell", "first, ms", "second, ms", "ratio", "result"), rows)
        .plain();
  }

  private static String name(RunFolder run) {
    return "%s (%s, %s)".formatted(run.folder(), run.about("started"), run.about("commit"));
  }

  private static List<String> row(
      Cell cell, Cell other, RunByCell before, RunByCell after, Resolution resolution) {
    Estimate estimate =
        Estimate.ofUnpaired(after.means(other).values(), before.means(cell).values());
    var ratio = new Ratio(estimate, resolution.of(cell.kind()));
    return List.of(
        cell.equals(other) ? cell.toString() : cell + " → " + other.subject(),
        Numbers.number(before.mean(cell).value()),
        Numbers.number(after.mean(other).value()),
        ratio.text(),
        ratio.conclusion());
  }
}
