package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReservedSpaceTest {
  private static final int BYTES = 1 << 20;

  @TempDir Path folder;

  @Test
  void createsAndReleasesOnce() throws IOException {
    Path file = folder.resolve("reserve");
    var reserve = new ReservedSpace(file);

    assertThat(reserve.create()).isTrue();
    assertThat(file).hasSize(BYTES);
    assertThat(reserve.release()).isTrue();
    assertThat(file).doesNotExist();
    assertThat(reserve.release()).isFalse();
  }

  @Test
  void existingFileIsNotRewritten() throws IOException {
    Path file = folder.resolve("reserve");
    byte[] there = new byte[BYTES];
    there[0] = 1;
    Files.write(file, there);

    assertThat(new ReservedSpace(file).create()).isTrue();
    assertThat(file).hasBinaryContent(there);
  }

  @Test
  void incompleteFileIsCompleted() throws IOException {
    Path file = Files.write(folder.resolve("reserve"), new byte[BYTES - 1]);

    assertThat(new ReservedSpace(file).create()).isTrue();
    assertThat(file).hasSize(BYTES);
  }

  @Test
  void createFailsWhenFolderIsNotWritable() throws IOException {
    Path inTheWay = Files.createDirectories(folder.resolve("reserve"));
    Files.createFile(inTheWay.resolve("something"));

    assertThat(new ReservedSpace(inTheWay).create()).isFalse();
    assertThat(new ReservedSpace(inTheWay).release()).isFalse();
    assertThat(new ReservedSpace(folder.resolve("nowhere/reserve")).create()).isFalse();
  }
}
