package toystore.torture.trial;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// A round of a trial.
///
/// @param seed what is random in it comes from here
/// @param folder empty, and its own
/// @param faults the names of the faults to inject; empty: all
/// @param quick whether it is to be done in seconds: in tests, and in CI
/// @param out for figures worth reading
public record TrialRound(
    long seed, Path folder, List<String> faults, boolean quick, PrintStream out) {
  public void print(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
