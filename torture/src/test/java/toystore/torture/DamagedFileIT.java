package toystore.torture;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Files that a disk has changed.
@Timeout(120)
class DamagedFileIT {
  @TempDir Path folder;

  @Test
  void nothingThatIsDamagedIsToldAsTrueOrSoldAgain() throws Exception {
    ShortForm.of(new FlippedBits(), folder);
  }

  @Test
  void aCatalogThatLostItsLastSalesIsNotSoldFrom() throws Exception {
    ShortForm.of(new CutLogs(), folder);
  }
}
