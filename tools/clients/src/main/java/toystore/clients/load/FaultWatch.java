package toystore.clients.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import toystore.clients.load.LiveLoad.Totals;

/// Watches loads while something fails: what they got since it began, how long they got no correct
/// response, and whether a response broke a promise. Any thread.
public final class FaultWatch {
  private static final Duration POLL = Duration.ofMillis(50);

  /// Parts of what is said of missing responses, and of those that say that their request failed or
  /// may have failed. A cart that is kept after such a purchase makes the next one larger.
  private static final List<String> PROMISED =
      List.of("status 503", "status 504", "no response", "items_purchased is not 1");

  private final List<LiveLoad> loads;
  private final List<Totals> before;
  private final long begun = System.nanoTime();
  private volatile long recovered = begun;

  /// Begins to watch.
  public FaultWatch(List<LiveLoad> loads) {
    this.loads = List.copyOf(loads);
    this.before = totals();
    loads.forEach(LiveLoad::watchGaps);
  }

  private List<Totals> totals() {
    return loads.stream().flatMap(it -> it.totals().stream()).toList();
  }

  /// What each kind of each load got since the begin.
  public List<Totals> losses() {
    var losses = new ArrayList<Totals>();
    for (Totals now : totals()) {
      losses.add(now.since(before.get(losses.size())));
    }
    return losses;
  }

  /// Waits until everything is there and every load that runs is answered, and nothing has failed
  /// for a while.
  ///
  /// @param calm how long nothing must have failed, and in which each kind must have had a response
  /// @param longest the wait ends then
  /// @return whether that came
  public boolean awaitRecovery(BooleanSupplier isWhole, Duration calm, Duration longest)
      throws InterruptedException {
    long until = System.nanoTime() + longest.toNanos();
    for (long failed = -1; System.nanoTime() < until; Thread.sleep(POLL)) {
      long now = losses().stream().mapToLong(Totals::failures).sum();
      if (now != failed || !isWhole.getAsBoolean() || !isAnswering(calm)) {
        failed = now;
        recovered = System.nanoTime();
      } else if (System.nanoTime() - recovered > calm.toNanos()) {
        return true;
      }
    }
    return false;
  }

  /// From the begin until the end of what was seen by [#awaitRecovery].
  public Duration recovery() {
    return Duration.ofNanos(recovered - begun);
  }

  private boolean isAnswering(Duration within) {
    return loads.stream()
        .filter(it -> !it.isEnded())
        .flatMap(it -> it.totals().stream())
        .allMatch(it -> it.gapMillis() < within.toMillis());
  }

  /// Whether the reason is not a wrong response.
  ///
  /// @param failure a key of [Totals#failed]
  public static boolean isPromised(String failure) {
    return PROMISED.stream().anyMatch(failure::contains);
  }

  /// The wrong responses among some; empty: there are none.
  public static String broken(List<Totals> some) {
    return some.stream()
        .flatMap(it -> it.failed().entrySet().stream())
        .filter(it -> !isPromised(it.getKey()))
        .map(it -> it.getValue() + " × " + it.getKey())
        .collect(Collectors.joining("; "));
  }
}
