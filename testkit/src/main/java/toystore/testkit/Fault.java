package toystore.testkit;

import java.util.SplittableRandom;

/// What a [FaultProxy] does to the bytes it has just read.
public enum Fault {
  NONE(0),
  DELAY(50),
  HOLD(8),
  /// They go on in small pieces, with a pause after each.
  SLICE(8),
  /// The connection breaks, and the bytes are lost.
  CUT_BEFORE(11),
  /// The connection breaks in the middle of them.
  CUT_INSIDE(10),
  /// The connection breaks behind them: what was asked arrived, the answer will not.
  CUT_AFTER(13),
  /// Nothing passes for a while, then the connection breaks.
  SILENCE(4),
  /// The connection breaks for the client at once, and its bytes arrive later all the same.
  LATE(8);

  private static final int ALL = 112;

  private final int weight;

  Fault(int weight) {
    this.weight = weight;
  }

  /// One that is drawn by its weight, where there is to be one at all.
  ///
  /// @param share how much of what passes meets a fault: 0 to 1
  static Fault draw(SplittableRandom random, double share) {
    if (random.nextDouble() >= share) {
      return NONE;
    }
    int drawn = random.nextInt(ALL);
    for (Fault fault : values()) {
      drawn -= fault.weight;
      if (drawn < 0) {
        return fault;
      }
    }
    throw new IllegalStateException("the weights of all faults must add up to " + ALL);
  }
}
