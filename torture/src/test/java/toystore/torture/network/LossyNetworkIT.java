package toystore.torture.network;

import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.torture.Round;

/// One short round of [LossyNetwork].
@Timeout(240)
class LossyNetworkIT {
  @TempDir Path folder;

  @Test
  void eachKeyIsOneSaleAndEachAnswerStaysTheSameWhateverTheNetworkDoes() throws Exception {
    long seed = Long.getLong("seed", ThreadLocalRandom.current().nextLong());
    System.out.println("lossy-network, seed " + seed);
    new LossyNetwork().round(new Round(seed, folder, true, System.out));
  }
}
