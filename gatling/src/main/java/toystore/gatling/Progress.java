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
  private final List<Share> left;
  private final Map<Cell, Double> tookSeconds = new HashMap<>();
  private final int all;
  private int done;
  private long calls;
  private double callingSeconds;
  private long lastNanos = System.nanoTime();
  private int said;

  /// What is not measured yet.
  ///
  /// @param calls by all clients of the cell
  public record Share(int repetition, Cell cell, long calls) {}

  public Progress(String experiment, List<Share> shares) {
    this.experiment = experiment;
    this.left = new ArrayList<>(shares);
    this.all = shares.size();
  }

  /// Called by each client that warms a store up.
  public synchronized void warmingUp(int number, int stores) {
    if (said != number) {
      said = number;
      say("warming up" + (stores == 1 ? "" : " store " + number + " of " + stores));
    }
  }

  public synchronized void measured(Sample sample) {
    long now = System.nanoTime();
    if (done > 0) { // the first one's holds the warm-up
      tookSeconds.put(sample.cell(), (now - lastNanos) / 1e9);
    }
    lastNanos = now;
    left.removeIf(
        share -> share.repetition == sample.repetition() && share.cell.equals(sample.cell()));
    calls += sample.count();
    callingSeconds += sample.seconds();
    done++;
    say(
        "%3d of %d  %-24s mean %8.3f ms  %s"
            .formatted(done, all, sample.cell(), sample.meanMicros() / 1e3, stillTakes()));
  }

  private String stillTakes() {
    double seconds = left.stream().mapToDouble(this::takes).sum();
    return seconds < 90
        ? Math.round(seconds) + " s to go"
        : Math.round(seconds / 60) + " min to go";
  }

  private double takes(Share share) {
    return tookSeconds.getOrDefault(share.cell, 0.5 + share.calls * callingSeconds / calls);
  }

  public synchronized void done(boolean audited) {
    say(audited ? "measured, the books are right" : "measured, the books were not asked for");
  }

  private void say(String what) {
    System.out.println(PREFIX + experiment + "  " + what);
    System.out.flush();
  }
}
