package toystore.torture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import toystore.testkit.Project;

/// One bit of the catalog's files is flipped, or the end of its log is cut off. If SQLite does not
/// detect the damage, the rows' checksums do: damaged data is never returned, and nothing is sold
/// twice.
final class FlippedBits implements Trial {
  private static final int QUICK = 24;
  private static final int TRIES = 200;

  @Override
  public String name() {
    return "flipped-bits";
  }

  @Override
  public String unit() {
    return "damaged files";
  }

  @Override
  public long target() {
    return 2_000;
  }

  @Override
  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    var closed = new CorruptedCatalog(round.folder().resolve("closed"), true);
    var killed = new CorruptedCatalog(round.folder().resolve("killed"), false);
    Map<CorruptedCatalog.DamageOutcome, Integer> outcomes =
        new EnumMap<>(CorruptedCatalog.DamageOutcome.class);
    int tries = round.quick() ? QUICK : TRIES;
    for (int i = 0; i < tries; i++) {
      Path folder = Files.createDirectory(round.folder().resolve("damaged-" + i));
      CorruptedCatalog catalog = random.nextInt(3) > 0 ? closed : killed;
      try {
        outcomes.merge(catalog.damage(folder, random), 1, Integer::sum);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            String.format(Locale.ROOT, "damaged file %d: %s", i, e.getMessage()), e);
      }
      Project.remove(folder);
    }
    round.out().printf(Locale.ROOT, "%d damaged files: %s%n", tries, outcomes);
    return tries;
  }
}
