package toystore.gatling;

import java.time.Duration;

/// Says when store and client have warmed up: when the mean latencies of two windows in a row
/// differ by less than 3 %, but not before so many calls that a compiler had a chance (a cold store
/// is steady by luck now and then), and at the latest when the bound is reached (a store that never
/// becomes steady is measured all the same). A store just started needs twice as long for the same
/// call until its code is compiled. Any thread may call.
public final class WarmUp implements SimulatedClient.Latencies {
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

  /// @param window calls
  public WarmUp(int window) {
    this.window = window;
  }

  /// Takes one call, its times by `System.nanoTime()`.
  // the one lock here: it is taken outside what is measured
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
