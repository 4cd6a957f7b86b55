package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReserveTest {
  private static final int BYTES = 1 << 20;

  @TempDir Path folder;

  @Test
  void itIsSetAsideOnceAndGivenUpOnce() throws IOException {
    Path file = folder.resolve("reserve");
    var reserve = new Reserve(file);

    assertThat(reserve.keep()).isTrue();
    assertThat(file).hasSize(BYTES);
    assertThat(reserve.release()).isTrue();
    assertThat(file).doesNotExist();
    assertThat(reserve.release()).isFalse();
  }

  @Test
  void whatIsThereAlreadyIsNotWrittenAgain() throws IOException {
    Path file = folder.resolve("reserve");
    byte[] there = new byte[BYTES];
    there[0] = 1;
    Files.write(file, there);

    assertThat(new Reserve(file).keep()).isTrue();
    assertThat(file).hasBinaryContent(there);
  }

  @Test
  void halfOfItIsMadeWhole() throws IOException {
    Path file = Files.write(folder.resolve("reserve"), new byte[BYTES - 1]);

    assertThat(new Reserve(file).keep()).isTrue();
    assertThat(file).hasSize(BYTES);
  }

  @Test
  void whereNothingCanBeWrittenNothingIsSetAside() throws IOException {
    Path inTheWay = Files.createDirectories(folder.resolve("reserve"));
    Files.createFile(inTheWay.resolve("something"));

    assertThat(new Reserve(inTheWay).keep()).isFalse();
    assertThat(new Reserve(inTheWay).release()).isFalse();
    assertThat(new Reserve(folder.resolve("nowhere/reserve")).keep()).isFalse();
  }
}
