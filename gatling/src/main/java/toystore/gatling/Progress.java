package toystore.gatling;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import toystore.gatling.result.Cell;
import toystore.gatling.result.RepetitionSummary;

/// Prints the progress of a run and the remaining time, one line per cell. Any thread.
///
/// The estimate for a cell is the time that it took before. For a cell that was not measured yet,
/// it is computed from its calls and the mean pace so far.
public final class Progress {
  static final String PREFIX = "lab: ";

  private final String experiment;
  private final List<PlannedCell> remainingCells;
  private final Map<Cell, Double> tookSeconds = new HashMap<>();
  private final int all;
  private int done;
  private long calls;
  private double callingSeconds;
  private long lastNanos = System.nanoTime();
  private int lastStore;

  /// A cell that is not measured yet.
  ///
  /// @param calls of all clients of the cell
  public record PlannedCell(int repetition, Cell cell, long calls) {}

  public Progress(String experiment, List<PlannedCell> cells) {
    this.experiment = experiment;
    this.remainingCells = new ArrayList<>(cells);
    this.all = cells.size();
  }

  /// Called by every client that warms up a store.
  public synchronized void warmingUp(int number, int stores) {
    if (lastStore != number) {
      lastStore = number;
      print("warming up" + (stores == 1 ? "" : " store " + number + " of " + stores));
    }
  }

  public synchronized void measured(RepetitionSummary sample) {
    long now = System.nanoTime();
    if (done > 0) { // the first time includes the warm-up
      tookSeconds.put(sample.cell(), (now - lastNanos) / 1e9);
    }
    lastNanos = now;
    remainingCells.removeIf(
        planned -> planned.repetition == sample.repetition() && planned.cell.equals(sample.cell()));
    calls += sample.count();
    callingSeconds += sample.seconds();
    done++;
    print(
        "%3d of %d  %-24s mean %8.3f ms  %s"
            .formatted(done, all, sample.cell(), sample.meanMicros() / 1e3, remaining()));
  }

  private String remaining() {
    double seconds = remainingCells.stream().mapToDouble(this::estimateSeconds).sum();
    return seconds < 90
        ? Math.round(seconds) + " s remaining"
        : Math.round(seconds / 60) + " min remaining";
  }

  private double estimateSeconds(PlannedCell planned) {
    return tookSeconds.getOrDefault(planned.cell, 0.5 + planned.calls * callingSeconds / calls);
  }

  public synchronized void done(boolean audited) {
    print(audited ? "finished; all audits passed" : "finished; no audit was requested");
  }

  private void print(String what) {
    System.out.println(PREFIX + experiment + "  " + what);
    System.out.flush();
  }
}
