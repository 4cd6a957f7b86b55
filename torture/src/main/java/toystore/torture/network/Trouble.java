package toystore.torture.network;

import java.util.SplittableRandom;

/// What a link does to the bytes it has just read.
enum Trouble {
  NONE(0),
  DELAY(50),
  HOLD(8),
  /// The connection breaks, and the bytes are lost.
  CUT_BEFORE(11),
  /// The connection breaks in the middle of them.
  CUT_INSIDE(10),
  /// The connection breaks behind them: what was asked arrived, the answer will not.
  CUT_AFTER(13),
  /// The connection breaks for the asker at once, and its bytes arrive later all the same.
  LATE(8);

  private final int weight;

  Trouble(int weight) {
    this.weight = weight;
  }

  /// One that is drawn by its weight, where there is to be one at all.
  ///
  /// @param share how much of what passes meets a trouble: 0 to 1
  static Trouble draw(SplittableRandom random, double share) {
    if (random.nextDouble() >= share) {
      return NONE;
    }
    int all = 0;
    for (Trouble trouble : values()) {
      all += trouble.weight;
    }
    int drawn = random.nextInt(all);
    for (Trouble trouble : values()) {
      drawn -= trouble.weight;
      if (drawn < 0) {
        return trouble;
      }
    }
    throw new IllegalStateException("the weights have another sum than theirs");
  }
}
