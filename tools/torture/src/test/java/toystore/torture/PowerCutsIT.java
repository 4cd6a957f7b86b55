package toystore.torture;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Runs the catalog on a simulated disk that loses all data that was not synced. Skipped if FUSE is
/// not installed.
@Tag("long")
@EnabledIfSystemProperty(named = "tests.tools", matches = "true")
class PowerCutsIT {
  @TempDir Path folder;

  @BeforeEach
  void requiresFuse() {
    assumeThat(FaultInjectingFileSystem.missing()).isEmpty();
  }

  @Test
  void noAcknowledgedOrderIsLostInAPowerCut() throws Exception {
    ShortTrial.of("power-cuts", folder);
  }
}
