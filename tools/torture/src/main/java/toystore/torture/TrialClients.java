package toystore.torture;

import java.util.Random;

/// Clients of a store under faults, which remember what they were told.
interface TrialClients extends AutoCloseable {
  /// How many requests have ended so far.
  ///
  /// @throws AssertionError if a client received a wrong answer
  long answers();

  /// Whether the clients have nothing left to do.
  default boolean areDone() {
    return false;
  }

  /// Changes how the world around the store behaves, between two faults.
  default void disturb(Random random) {}

  /// Stops the clients after their current requests, and compares the store with what they were
  /// told.
  ///
  /// @return what was counted
  String check() throws Exception;

  @Override
  void close();
}
