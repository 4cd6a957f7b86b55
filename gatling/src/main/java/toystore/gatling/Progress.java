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
final class Progress {
  static final String PREFIX = "lab: ";

  private final String experiment;
  private final List<Step> left;
  private final Design.Effort effort;
  private final Map<Cell, Double> tookSeconds = new HashMap<>();
  private final int all;
  private int done;
  private long calls;
  private double callingSeconds;
  private long lastNanos = System.nanoTime();
  private int said;

  Progress(String experiment, List<Step> steps, Design.Effort effort) {
    this.experiment = experiment;
    this.left = new ArrayList<>(steps);
    this.effort = effort;
    this.all = steps.size();
  }

  /// Called by each client that warms a store up.
  synchronized void warmingUp(int number, int stores) {
    if (said != number) {
      said = number;
      say("warming up" + (stores == 1 ? "" : " store " + number + " of " + stores));
    }
  }

  synchronized void measured(Step step, Sample sample) {
    long now = System.nanoTime();
    if (done > 0) { // the first one's holds the warm-up
      tookSeconds.put(step.cell(), (now - lastNanos) / 1e9);
    }
    lastNanos = now;
    left.remove(step);
    calls += sample.count();
    callingSeconds += sample.seconds();
    done++;
    say(
        "%3d of %d  %-24s mean %8.3f ms  %s"
            .formatted(done, all, step.cell(), sample.meanMicros() / 1e3, stillTakes()));
  }

  private String stillTakes() {
    double seconds = left.stream().mapToDouble(this::takes).sum();
    return seconds < 90
        ? Math.round(seconds) + " s to go"
        : Math.round(seconds / 60) + " min to go";
  }

  private double takes(Step step) {
    long all = (long) step.cell().clients() * effort.calls(step.kind());
    return tookSeconds.getOrDefault(step.cell(), 0.5 + all * callingSeconds / calls);
  }

  synchronized void done(boolean audited) {
    say(audited ? "measured, the books are right" : "measured, the books were not asked for");
  }

  private void say(String what) {
    System.out.println(PREFIX + experiment + "  " + what);
    System.out.flush();
  }
}
