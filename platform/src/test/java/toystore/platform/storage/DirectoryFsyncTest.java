package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryFsyncTest {
  @TempDir Path folder;

  @Test
  void createsFolderAndItsParents() throws IOException {
    Path deep = folder.resolve("a/b/c");
    DirectoryFsync.create(deep);
    assertThat(deep).isDirectory();
    DirectoryFsync.create(deep);
  }

  /// A service that is stopped during its start is interrupted. This is not a disk failure.
  @Test
  void interruptIsNotReportedAsDiskFailure() {
    Thread.currentThread().interrupt();
    try {
      assertThatExceptionOfType(ClosedByInterruptException.class)
          .isThrownBy(() -> DirectoryFsync.syncParent(folder.resolve("file")));
    } finally {
      Thread.interrupted();
    }
  }
}
