package toystore.torture;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs the trials that kill and restart services while clients buy. Clients retry with the same
/// key until they are answered. Afterwards the store must match these answers.
@Timeout(300)
class KilledStoreIT {
  @TempDir Path folder;

  @Test
  void noAcknowledgedOrderIsLostWhenServicesAreKilledAtRandom() throws Exception {
    ShortTrial.of(new RandomKills(), folder);
  }

  @Test
  void noAcknowledgedOrderIsLostWhenServicesAreKilledAtCrashPoints() throws Exception {
    ShortTrial.of(new CrashPointKills(), folder);
  }

  @Test
  void volumeLimitHoldsWhenTheCatalogIsKilled() throws Exception {
    ShortTrial.of(new TradeVolumeLimit(), folder);
  }
}
