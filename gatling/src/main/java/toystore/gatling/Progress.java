package toystore.gatling;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import toystore.gatling.result.Cell;
import toystore.gatling.result.Sample;

/// Says how far a run is and how long it still takes, a line a step. Any thread.
///
/// How long: as long as the same cell took before; a cell that was not measured yet counts by its
/// calls, at the pace of all up to now.
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

  /// What is not measured yet.
  ///
  /// @param calls by all clients of the cell
  public record PlannedCell(int repetition, Cell cell, long calls) {}

  public Progress(String experiment, List<PlannedCell> cells) {
    this.experiment = experiment;
    this.remainingCells = new ArrayList<>(cells);
    this.all = cells.size();
  }

  /// Called by each client that warms a store up.
  public synchronized void warmingUp(int number, int stores) {
    if (lastStore != number) {
      lastStore = number;
      print("warming up" + (stores == 1 ? "" : " store " + number + " of " + stores));
    }
  }

  public synchronized void measured(Sample sample) {
    long now = System.nanoTime();
    if (done > 0) { // the first one's holds the warm-up
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
