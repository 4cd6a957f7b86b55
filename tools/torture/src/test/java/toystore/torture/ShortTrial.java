package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import toystore.torture.trial.TrialRound;

/// Runs one quick round of a trial, with the seed in `-Dtoystore.seed` or with seed 1.
final class ShortTrial {
  private ShortTrial() {}

  static void of(String name, Path folder) throws Exception {
    long seed = Long.getLong("toystore.seed", 1);
    System.out.printf(Locale.ROOT, "%s, seed %d%n", name, seed);
    var round = new TrialRound(seed, folder, List.of(), true, System.out);
    assertThat(Torture.trial(name).injection().round(round)).isPositive();
  }
}
