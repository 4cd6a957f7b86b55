package toystore.gatling;

import java.time.Duration;

/// Detects when store and client have warmed up: when the mean latencies of two consecutive windows
/// differ by less than 3 %. A minimum number of calls gives the JIT compiler time (a cold store may
/// be steady by chance). A maximum ends the warm-up of a store that never becomes steady. A newly
/// started store needs twice as long for the same call until its code is compiled. Any thread.
public final class SteadyStateDetector implements SimulatedClient.Latencies {
  static final int LEAST_WINDOWS = 10;
  static final int MOST_WINDOWS = 30;
  static final Duration LONGEST = Duration.ofSeconds(60);
  private static final double STEADY = 0.03;

  private final int window;
  private int windows;
  private int calls;
  private long sumNanos;
  private double previousMean = Double.POSITIVE_INFINITY;
  private boolean begun;
  private long beginNanos;
  private boolean done;

  /// @param window number of calls in a window
  public SteadyStateDetector(int window) {
    this.window = window;
  }

  /// Adds one call, with times by `System.nanoTime()`.
  // the only lock; it is not held during measured time
  @Override
  public synchronized void add(long startNanos, long endNanos) {
    if (!begun) {
      begun = true;
      beginNanos = startNanos;
    }
    sumNanos += endNanos - startNanos;
    done |= endNanos - beginNanos >= LONGEST.toNanos();
    if (++calls == window) {
      closeWindow();
    }
  }

  private void closeWindow() {
    double mean = (double) sumNanos / calls;
    windows++;
    boolean steady = Math.abs(mean - previousMean) < STEADY * previousMean;
    done |= windows == MOST_WINDOWS || (steady && windows >= LEAST_WINDOWS);
    previousMean = mean;
    sumNanos = 0;
    calls = 0;
  }

  public synchronized boolean done() {
    return done;
  }
}
