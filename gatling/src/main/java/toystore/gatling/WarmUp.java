package toystore.gatling;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/// The calls before the measurement. The JVMs of the store and of Gatling compile what is called
/// often, so the first calls take many times as long as later ones. A pass ends when at least 500
/// queries and 500 buys were answered; the warm-up ends when the p50 of both differs by less than
/// 10 % from that of the pass before, at the latest after 10 passes. Any thread.
final class WarmUp {
  static final int CALLS = 500;
  static final int MAX_PASSES = 10;
  private static final double DIFFERENCE = 0.1;

  private final Histogram queries = new Histogram(StoreCalls.MAX_MICROS, 3); // of this pass
  private final Histogram buys = new Histogram(StoreCalls.MAX_MICROS, 3);
  private double lastQuery; // of the pass before
  private double lastBuy;
  private int passes;
  private boolean warm;

  synchronized void recordQuery(long micros) {
    queries.recordValue(micros);
  }

  /// A client buys after each query, so only this can complete a pass.
  synchronized void recordBuy(long micros) {
    buys.recordValue(micros);
    if (queries.getTotalCount() < CALLS || buys.getTotalCount() < CALLS || !isGoingOn()) {
      return;
    }
    double query = queries.getValueAtPercentile(50);
    double buy = buys.getValueAtPercentile(50);
    passes++;
    warm = differsLittle(query, lastQuery) && differsLittle(buy, lastBuy);
    lastQuery = query;
    lastBuy = buy;
    queries.reset();
    buys.reset();
  }

  private static boolean differsLittle(double micros, double before) {
    return Math.abs(micros - before) < DIFFERENCE * before;
  }

  synchronized boolean isGoingOn() {
    return !warm && passes < MAX_PASSES;
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "%s after %d passes of %d queries and %d buys",
        warm ? "warm" : "not warm",
        passes,
        CALLS,
        CALLS);
  }
}
