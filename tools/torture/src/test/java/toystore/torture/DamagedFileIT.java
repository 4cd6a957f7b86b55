package toystore.torture;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the trials that damage files.
@Tag("long")
class DamagedFileIT {
  @TempDir Path folder;

  @Test
  void damagedDataIsNeverReturnedOrSoldAgain() throws Exception {
    ShortTrial.of("flipped-bits", folder);
  }

  @Test
  void noOrdersAreTakenAfterTheCatalogLostItsLastSales() throws Exception {
    ShortTrial.of("cut-logs", folder);
  }
}
