package toystore.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.PortPlan;
import toystore.cli.launch.RunState;
import toystore.cli.launch.StoreLayout;
import toystore.cli.launch.StorePlanTest;

final class DataFolderTest {
  @TempDir Path temporary;

  @Test
  void aFolderHasOneUserAtATime() throws IOException {
    var folder = folder("data");
    try (var claim = folder.claim()) {
      assertThat(folder.isInUse()).isTrue();
      assertThatExceptionOfType(CommandRefusal.class)
          .isThrownBy(folder::claim)
          .withMessage("data folder %s is in use by another ./toystore command", folder.path());
      assertThatExceptionOfType(CommandRefusal.class)
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
    assertThatExceptionOfType(CommandRefusal.class).isThrownBy(folder::claim);
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> ResetCommand.reset(folder, question -> true))
        .withMessage(
            "%s is not the data folder of a store: it has neither up.lock nor catalog/catalog.db; nothing was deleted",
            folder.path());
    assertThat(letter).hasContent("Dear");
    assertThat(temporary.resolve("home/up.lock")).doesNotExist();
  }

  @Test
  void resetRefusesAFolderWithAnotherCatalog() throws IOException {
    var folder = folder("library");
    var book = Files.createDirectories(folder.path().resolve("catalog")).resolve("book");
    Files.writeString(book, "stays");
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> ResetCommand.reset(folder, question -> true))
        .withMessageEndingWith("; nothing was deleted");
    assertThat(book).hasContent("stays");
    assertThat(folder.path().resolve("up.lock")).doesNotExist();
    assertThatExceptionOfType(CommandRefusal.class).isThrownBy(folder::claim);
  }

  @Test
  void resetDeletesTheStoresFilesAndListsTheOthers() throws IOException {
    var folder = folder("data");
    folder.claim().close();
    for (var name :
        List.of(
            "up.properties",
            "admin-token",
            "store-id",
            "log/catalog-service.log",
            "log/catalog-service.log.2026-01-02.0.gz",
            "log/store.out",
            "log/order-service-crash-17",
            "log/frontend-service-2.log",
            "catalog/catalog.db",
            "catalog/catalog.db-wal",
            "order/order.db",
            "before-restore-20260102-030405/catalog/catalog.db")) {
      create(folder.path().resolve(name));
    }
    var others =
        List.of(
            "catalog/order.db",
            "letters/catalog.db",
            "log/letter",
            "log/catalog-service.logbook",
            "log/order-service-crash-notes",
            "order/mine",
            "todo");
    for (var name : others) {
      create(folder.path().resolve(name));
    }
    var asked = new ArrayList<String>();
    assertThat(
            ResetCommand.reset(
                folder,
                question -> {
                  asked.add(question);
                  return true;
                }))
        .isEqualTo(
            format(
                "deleted the store's files in %1$s; left there, because no store created them: %1$s/catalog, %1$s/letters, %1$s/log, %1$s/order, %1$s/todo",
                folder.path()));
    assertThat(asked)
        .containsExactly(
            format(
                "delete these %d files: all products, orders and logs in %s?",
                12 + StorePlanTest.SERVICES.databases().size(), folder.path()));
    try (var files = Files.walk(folder.path())) {
      assertThat(
              files.filter(Files::isRegularFile).map(it -> folder.path().relativize(it).toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(others.stream(), Stream.of("up.lock")).toList());
    }
    assertThat(folder.path().resolve("before-restore-20260102-030405")).doesNotExist();
  }

  private static void create(Path file) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, "");
  }

  @Test
  void resetFollowsALinkToTheDataFolderItself() throws IOException {
    var database = Files.createDirectories(temporary.resolve("disk/catalog")).resolve("catalog.db");
    Files.writeString(database, "");
    var link = Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("disk"));
    ResetCommand.reset(new DataFolder(link), question -> true);
    assertThat(database).doesNotExist();
    assertThat(link).isSymbolicLink();
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
  void onlyTheOwnerCanReadWhatIsCreated() throws IOException {
    var folder = folder("data");
    folder.claim().close();
    folder.makeLogFolder();
    for (var created : List.of("", "log", "up.lock")) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(folder.path().resolve(created))))
          .isEqualTo(created.equals("up.lock") ? "rw-------" : "rwx------");
    }
  }

  @Test
  void resetFollowsNoLinks() throws IOException {
    var outside = Files.writeString(temporary.resolve("catalog.db"), "stays");
    var folder = folder("data");
    folder.claim().close();
    Files.createDirectory(folder.path().resolve("order"));
    Files.createSymbolicLink(folder.path().resolve("order/order.db"), outside);
    Files.createSymbolicLink(folder.path().resolve("catalog"), temporary);
    assertThat(ResetCommand.reset(folder, question -> true))
        .endsWith(": " + folder.path().resolve("catalog"));
    assertThat(folder.path().resolve("order")).doesNotExist();
    assertThat(outside).hasContent("stays");
    assertThat(temporary.resolve("lock")).doesNotExist();
  }

  @Test
  void resetRefusesWhileAServiceHoldsItsLock() throws IOException {
    var folder = folder("data");
    folder.claim().close();
    var lock = Files.createDirectory(folder.path().resolve("catalog")).resolve("lock");
    try (var service = DataFolder.lock(lock, 1).orElseThrow()) {
      assertThatExceptionOfType(CommandRefusal.class)
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
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> ResetCommand.reset(folder, question -> false))
        .withMessage("cancelled; nothing was deleted");
    assertThat(file).exists();
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
