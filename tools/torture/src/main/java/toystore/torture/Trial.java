package toystore.torture;

import java.util.Optional;
import java.util.function.Supplier;
import toystore.torture.trial.TrialRound;

/// A kind of fault injection, with checks of what must hold.
///
/// @param name the name in commands and result files, such as `power-cuts`
/// @param unit the unit of the counts, such as `power cuts`
/// @param target the count that the long form reaches
/// @param source the class of the trial
/// @param missing the reason why it cannot run on this machine, such as a missing tool
record Trial(
    String name,
    String unit,
    long target,
    Class<?> source,
    Supplier<Optional<String>> missing,
    Injection injection) {
  interface Injection {
    /// Injects the fault a few times and checks the guarantees.
    ///
    /// @return how many faults were injected
    /// @throws AssertionError with the guarantee that was violated
    long round(TrialRound round) throws Exception;
  }
}
