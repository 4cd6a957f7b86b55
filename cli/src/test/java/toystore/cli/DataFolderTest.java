package toystore.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFolderTest {
  @TempDir Path temporary;

  @Test
  void aFolderHasOneUserAtATime() throws IOException {
    var folder = folder("data");
    try (var claim = folder.claim()) {
      assertThat(folder.isInUse()).isTrue();
      assertThatExceptionOfType(CommandRefused.class)
          .isThrownBy(folder::claim)
          .withMessage("data folder %s is in use by another ./toystore command", folder.path());
      assertThatExceptionOfType(CommandRefused.class)
          .isThrownBy(() -> ResetCommand.reset(folder, question -> true));
    }
    assertThat(folder.isInUse()).isFalse();
    folder.claim().close();
  }

  @Test
  void claimAndResetRefuseAFolderWithOtherFiles() throws IOException {
    Files.createDirectory(temporary.resolve("home"));
    var letter = Files.writeString(temporary.resolve("home/letter"), "Dear");
    var folder = folder("home");
    assertThatExceptionOfType(CommandRefused.class).isThrownBy(folder::claim);
    assertThatExceptionOfType(CommandRefused.class)
        .isThrownBy(() -> ResetCommand.reset(folder, question -> true))
        .withMessage(
            "%s is not the data folder of a store: it has neither up.lock nor catalog/",
            folder.path());
    assertThat(letter).hasContent("Dear");
    assertThat(temporary.resolve("home/up.lock")).doesNotExist();
  }

  @Test
  void resetDeletesOnlyFilesInsideTheFolder() throws IOException {
    var outside = Files.writeString(temporary.resolve("outside"), "stays");
    var folder = folder("data");
    folder.claim().close();
    Files.createDirectories(folder.path().resolve("catalog/deep"));
    Files.writeString(folder.path().resolve("catalog/deep/file"), "goes");
    Files.createSymbolicLink(folder.path().resolve("catalog/link"), outside);
    Files.createSymbolicLink(folder.path().resolve("up"), temporary);
    assertThat(ResetCommand.reset(folder, question -> true)).isEqualTo("emptied " + folder.path());
    assertThat(folder.path()).isDirectoryNotContaining(file -> !file.endsWith("up.lock"));
    assertThat(outside).hasContent("stays");
  }

  @Test
  void resetRefusesWhileAServiceHoldsItsLock() throws IOException {
    var folder = folder("data");
    folder.claim().close();
    var lock = Files.createDirectory(folder.path().resolve("catalog")).resolve("lock");
    try (var service = DataFolder.Claim.of(lock).orElseThrow()) {
      assertThatExceptionOfType(CommandRefused.class)
          .isThrownBy(() -> ResetCommand.reset(folder, question -> true))
          .withMessage("a service is using the data folder: it holds the lock " + lock);
    }
    assertThat(lock).exists();
  }

  @Test
  void resetDeletesNothingWithoutConfirmation() throws IOException {
    var folder = folder("data");
    folder.claim().close();
    var file = Files.writeString(folder.path().resolve("admin-token"), "secret");
    assertThatExceptionOfType(CommandRefused.class)
        .isThrownBy(() -> ResetCommand.reset(folder, question -> false))
        .withMessage("cancelled; nothing was deleted");
    assertThat(file).exists();
  }

  @Test
  void runStateIsReadAsItWasWritten() throws IOException {
    var file = temporary.resolve("up.properties");
    var running =
        new RunState(
            17, true, 8180, "0.0.0.0", Instant.parse("2026-01-02T03:04:05Z"), Map.of("store", 18L));
    running.write(file);
    assertThat(RunState.read(file)).contains(running);
    assertThat(RunState.read(temporary.resolve("none"))).isEqualTo(Optional.empty());
  }

  private DataFolder folder(String name) {
    return new DataFolder(temporary.resolve(name));
  }
}
