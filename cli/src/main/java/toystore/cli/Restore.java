package toystore.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Puts the files of a backup in place of a store's own, which are kept. The caller has the folder
/// to itself and has checked the backup.
///
/// ```
/// data/restoring                      there from the first change to the last: names the folder below,
///                                     and no service starts while it is there
/// data/before-restore-…/catalog/ …    the files that were there
/// data/catalog/catalog.db.restored    a copy on its way
/// ```
///
/// Wherever this is broken off, the services refuse the folder until it was done again: each of the
/// files alone would be well, but not an old log beside a new database, nor no database at all,
/// from which a catalog would begin anew.
final class Restore {
  /// A database and what SQLite keeps beside it; the database is moved last, so that the others are
  /// known to be gone once it is.
  private static final List<String> SUFFIXES = List.of("-wal", "-shm", "");

  private final DataFolder data;
  private final Path kept;
  private final Backup backup;
  private final Step step;

  /// Is told after each change on disk; a test breaks off there.
  @FunctionalInterface
  interface Step {
    void done() throws IOException;
  }

  private Restore(DataFolder data, Path kept, Backup backup, Step step) {
    this.data = data;
    this.kept = kept;
    this.backup = backup;
    this.step = step;
  }

  /// @param keptAs the name of the folder, in the data folder, for what was there; one that was
  ///   broken off goes on with the one it began
  /// @return the folder with what was there; where nothing was, it does not exist
  static Path run(DataFolder data, Backup backup, String keptAs, Step step) throws IOException {
    var marker = data.restoring();
    var name = Files.exists(marker) ? Files.readString(marker).strip() : keptAs;
    var restore = new Restore(data, data.path().resolve(name), backup, step);
    restore.refuseSeveralDisks();
    try {
      restore.bring();
      DurableFiles.write(marker, name + "\n");
    } catch (IOException full) {
      restore.removeWhatWasBrought();
      throw full;
    }
    step.done();
    restore.keepWhatWasThere();
    restore.putInPlace();
    DurableFiles.removeIfThere(marker);
    return restore.kept;
  }

  /// What was there gets another name in one step, and only on one disk has it two.
  private void refuseSeveralDisks() throws IOException {
    for (var service : backup.services()) {
      var folder = data.path().resolve(service);
      if (!Files.getFileStore(folder).equals(Files.getFileStore(data.path()))) {
        throw new CommandRefused(
            "%s is on a different file system than the data folder; copy the files manually"
                .formatted(folder));
      }
    }
  }

  private void bring() throws IOException {
    for (var service : backup.services()) {
      if (backup.has(service)) {
        DurableFiles.copy(backup.copy(service), brought(service));
        step.done();
      }
    }
  }

  private void removeWhatWasBrought() throws IOException {
    for (var service : backup.services()) {
      DurableFiles.removeIfThere(brought(service));
    }
  }

  private void keepWhatWasThere() throws IOException {
    for (var service : backup.services()) {
      var folder = kept.resolve(service);
      var allKept = Files.exists(folder.resolve(service + ".db"));
      for (var suffix : SUFFIXES) {
        var file = data.database(service).resolveSibling(service + ".db" + suffix);
        if (allKept) {
          DurableFiles.removeIfThere(file); // of the restore that was broken off
        } else if (Files.exists(file)) {
          DurableFiles.makeFolder(folder);
          DurableFiles.rename(file, folder.resolve(file.getFileName()));
        }
        step.done();
      }
    }
  }

  private void putInPlace() throws IOException {
    for (var service : backup.services()) {
      if (backup.has(service)) {
        DurableFiles.rename(brought(service), data.database(service));
        step.done();
      }
    }
  }

  private Path brought(String service) {
    return data.database(service).resolveSibling(service + ".db.restored");
  }
}
