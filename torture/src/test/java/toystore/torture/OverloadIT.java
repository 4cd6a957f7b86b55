package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Runs the trials that overload a store or misuse HTTP.
@Timeout(240)
class OverloadIT {
  private static final long SEED = 6;

  @TempDir Path folder;

  @Test
  void goodputHoldsWithTwoThousandBusyConnections() throws Exception {
    assertThat(new Overload().round(quick())).isPositive();
  }

  /// Takes another minute, so it runs only with `-Dtests.tools=true`. `./toystore torture` runs the
  /// same trial.
  @Test
  @EnabledIfSystemProperty(named = "tests.tools", matches = "true")
  void otherClientsAreServedDuringHttpMisuse() throws Exception {
    assertThat(new HostileClients().round(quick())).isPositive();
  }

  private TrialRound quick() {
    return new TrialRound(SEED, folder, true, System.out);
  }
}
