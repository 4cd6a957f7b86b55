package toystore.torture;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills and restarts services while clients buy. Clients retry with the same key until they are
/// answered. Afterwards the store must match these answers. CI also runs `random-kills`.
@Tag("long")
class KilledStoreIT {
  @TempDir Path folder;

  @Test
  void noAcknowledgedOrderIsLostWhenServicesAreKilledAtCrashPoints() throws Exception {
    ShortTrial.of("crash-points", folder);
  }
}
