package toystore.torture;

import java.util.Optional;

/// One way to break the store on purpose, and what must hold all the same.
public interface Trial {
  /// Its name in commands and result files, such as `power-cuts`.
  String name();

  /// What is counted, such as `power cuts`.
  String unit();

  /// How often the long form tries it at least.
  long target();

  /// Why it cannot be tried on this machine: the tool that is missing.
  default Optional<String> missing() {
    return Optional.empty();
  }

  /// Breaks the store a few times and looks whether everything holds.
  ///
  /// @return how often it was tried
  /// @throws AssertionError that says which promise was broken
  long round(TrialRound round) throws Exception;
}
