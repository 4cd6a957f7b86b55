package toystore.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.PortPlan;
import toystore.cli.launch.RunState;
import toystore.cli.launch.StoreLayout;

final class DataFolderTest {
  @TempDir Path temporary;

  @Test
  void aFolderHasOneUserAtATime() throws IOException {
    var folder = folder("data");
    try (var _ = folder.claim()) {
      assertThat(folder.isInUse()).isTrue();
      assertThatExceptionOfType(CommandRefusal.class)
          .isThrownBy(folder::claim)
          .withMessage(
              "data folder %1$s is in use by another ./toystore command; to see a running store: ./toystore status --data '%1$s'",
              folder.path());
    }
    assertThat(folder.isInUse()).isFalse();
    folder.claim().close();
  }

  @Test
  void aFolderWithOtherFilesIsRefused() throws IOException {
    Files.createDirectory(temporary.resolve("home"));
    var letter = Files.writeString(temporary.resolve("home/letter"), "Dear");
    var folder = folder("home");
    assertThatExceptionOfType(CommandRefusal.class).isThrownBy(folder::claim);
    assertThat(letter).hasContent("Dear");
    assertThat(temporary.resolve("home/up.lock")).doesNotExist();
  }

  @Test
  void pathWithPlaceholdersOfLogFileNamesIsRefused() {
    for (var name : List.of("100%", "${user.home}")) {
      var folder = folder(name);
      assertThatExceptionOfType(CommandRefusal.class)
          .isThrownBy(folder::claim)
          .withMessage("data folder %s must not have %% or ${ in its path", folder.path());
      assertThat(folder.path()).doesNotExist();
    }
  }

  @Test
  void folderThatThisUserMayNotChangeIsRefused() throws IOException {
    var folder = folder("dätä");
    folder.claim().close();
    var lock = folder.path().resolve("up.lock");
    Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("r--r--r--"));
    assumeFalse(Files.isWritable(lock), "root may write to any file");
    for (ThrowingCallable use : List.<ThrowingCallable>of(folder::claim, folder::isInUse)) {
      assertThatExceptionOfType(CommandRefusal.class)
          .isThrownBy(use)
          .withMessage(
              "cannot write to %s; data folder %s must be one in which this user may create and change files: run the command as its owner, change its permissions, or use another folder (up --data)",
              lock, folder.path());
    }
  }

  @Test
  void onlyTheOwnerCanReadWhatIsCreated() throws IOException {
    var folder = folder("data");
    folder.claim().close();
    folder.makeFolders();
    for (var created : List.of("", "log", "tmp", "up.lock")) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(folder.path().resolve(created))))
          .isEqualTo(created.equals("up.lock") ? "rw-------" : "rwx------");
    }
  }

  @Test
  void temporaryFilesOfKilledProcessesAreDeletedAndLinksNotFollowed() throws IOException {
    var folder = folder("dätä");
    var outside = Files.writeString(temporary.resolve("letter"), "Dear");
    folder.claim().close();
    folder.makeFolders();
    var left = Files.createDirectories(folder.path().resolve("tmp/tomcat.8080.1/work"));
    Files.createSymbolicLink(left.resolve("link"), outside);
    folder.makeFolders();
    assertThat(folder.path().resolve("tmp")).isEmptyDirectory();
    assertThat(outside).hasContent("Dear");
  }

  @Test
  void runStateIsReadAsItWasWritten() throws IOException {
    var file = temporary.resolve("up.properties");
    var running =
        new RunState(
            17,
            new StoreLayout(true, 1, false, new PortPlan(8180), "0.0.0.0"),
            Instant.parse("2026-01-02T03:04:05Z"),
            Map.of("catalog-service", "jdbc:postgresql://db/töys"),
            Map.of("store", 18L));
    running.write(file);
    assertThat(RunState.read(file)).contains(running);
    assertThat(RunState.read(temporary.resolve("none"))).isEqualTo(Optional.empty());
  }

  private DataFolder folder(String name) {
    return new DataFolder(temporary.resolve(name));
  }
}
