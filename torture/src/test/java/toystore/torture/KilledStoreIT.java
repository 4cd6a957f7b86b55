package toystore.torture;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three real processes, killed in the middle of buys, and started again. Clients repeat with their
/// keys until they have an answer, and what they were answered is the judge.
@Timeout(300)
class KilledStoreIT {
  @TempDir Path folder;

  @Test
  void noAcknowledgedOrderIsLostWhenServicesAreKilledAtRandom() throws Exception {
    ShortTrial.of(new RandomKills(), folder);
  }

  @Test
  void noAcknowledgedOrderIsLostWhenServicesAreKilledAtCrashPoints() throws Exception {
    ShortTrial.of(new CrashPoints(), folder);
  }

  @Test
  void volumeLimitHoldsWhenTheCatalogIsKilled() throws Exception {
    ShortTrial.of(new VolumeCap(), folder);
  }
}
