package toystore.clients;

import java.util.SplittableRandom;

/// What a [FaultProxy] does with the bytes that it has just read.
public enum Fault {
  NONE(0),
  DELAY(50),
  HOLD(8),
  /// The bytes are forwarded in small pieces with pauses.
  SLICE(8),
  /// The connection is closed and the bytes are lost.
  CUT_BEFORE(11),
  /// A part of the bytes is forwarded, then the connection is closed.
  CUT_INSIDE(10),
  /// All bytes are forwarded, then the connection is closed. The request arrives, but its response
  /// does not.
  CUT_AFTER(13),
  /// Nothing is forwarded for a while, then the connection is closed.
  SILENCE(4),
  /// The client's connection is closed immediately; its bytes are forwarded later.
  LATE(8);

  private static final int ALL = 112;

  private final int weight;

  Fault(int weight) {
    this.weight = weight;
  }

  /// Draws a fault at random by its weight.
  ///
  /// @param share the probability of a fault: 0 to 1
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
