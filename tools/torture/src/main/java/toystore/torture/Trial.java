package toystore.torture;

import java.util.Optional;

/// A kind of fault injection, with checks of what must hold.
public interface Trial {
  /// The name in commands and result files, such as `power-cuts`.
  String name();

  /// The unit of the counts, such as `power cuts`.
  String unit();

  /// The count that the long form reaches.
  long target();

  /// The reason why the trial cannot run on this machine, such as a missing tool.
  default Optional<String> missing() {
    return Optional.empty();
  }

  /// Injects the fault a few times and checks the guarantees.
  ///
  /// @return how many faults were injected
  /// @throws AssertionError with the guarantee that was violated
  long round(TrialRound round) throws Exception;
}
