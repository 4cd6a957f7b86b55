package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A store that is asked for far more than it can do.
@Timeout(240)
class OverloadIT {
  private static final long SEED = 6;

  @TempDir Path folder;

  @Test
  void goodputHoldsWithTwoThousandBusyConnections() throws Exception {
    assertThat(new Overload().round(quick())).isPositive();
  }

  /// A minute more: where `./toystore torture` runs as well, it is left to that.
  @Test
  @EnabledIfSystemProperty(named = "tests.tools", matches = "true")
  void otherClientsAreServedDuringHttpMisuse() throws Exception {
    assertThat(new HostileClients().round(quick())).isPositive();
  }

  private TrialRound quick() {
    return new TrialRound(SEED, folder, true, System.out);
  }
}
