package toystore.torture;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.torture.network.NetworkFaults;

/// Runs the short form of [NetworkFaults].
@Timeout(240)
class LossyNetworkIT {
  @TempDir Path folder;

  @Test
  void eachKeySellsOnceAndRetriesGetTheSameResponseOverALossyNetwork() throws Exception {
    ShortTrial.of(new NetworkFaults(false), folder);
  }
}
