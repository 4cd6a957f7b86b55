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
  private final Map<Cell, Long> tookNanos = new HashMap<>();
  private final int all;
  private int done;
  private long callsDone;
  private long beganNanos = System.nanoTime();
  private long lastNanos = beganNanos;
  private int said;

  Progress(String experiment, List<Step> steps, Design.Effort effort) {
    this.experiment = experiment;
    this.left = new ArrayList<>(steps);
    this.effort = effort;
    this.all = steps.size();
  }

  synchronized void warmingUp(int number, int stores) {
    if (said != number) {
      said = number;
      say("warming up" + (stores == 1 ? "" : " store " + number + " of " + stores));
    }
    beganNanos = System.nanoTime();
    lastNanos = beganNanos;
  }

  synchronized void measured(Step step, Sample sample) {
    long now = System.nanoTime();
    tookNanos.put(step.cell(), now - lastNanos);
    lastNanos = now;
    left.remove(step);
    callsDone += sample.count();
    done++;
    say(
        "%3d of %d  %-24s mean %8.3f ms  %s"
            .formatted(
                done, all, step.cell(), sample.meanMicros() / 1e3, stillTakes(now - beganNanos)));
  }

  private String stillTakes(long spent) {
    double pace = (double) spent / Math.max(1, callsDone); // ns a call
    long nanos = 0;
    for (Step step : left) {
      long calls = (long) step.cell().clients() * effort.calls(step.kind());
      nanos += tookNanos.getOrDefault(step.cell(), (long) (calls * pace));
    }
    long seconds = nanos / 1_000_000_000;
    return seconds < 90 ? seconds + " s to go" : Math.round(seconds / 60.0) + " min to go";
  }

  synchronized void done() {
    say("measured, the audits are right");
  }

  private void say(String what) {
    System.out.println(PREFIX + experiment + "  " + what);
    System.out.flush();
  }
}
