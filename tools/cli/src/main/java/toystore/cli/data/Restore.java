package toystore.cli.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.DurableFiles;
import toystore.cli.launch.DataFolder;

/// Replaces the database files of a store with those of a backup and keeps the old files. The
/// caller holds the lock of the data folder and has checked the backup.
///
/// ```
/// data/restoring                      exists from the first change to the last; contains the name of
///                                     the folder below; no service starts while it exists
/// data/before-restore-…/catalog/ …    the old files
/// data/catalog/catalog.db.restored    a staged copy
/// ```
///
/// If a restore is interrupted, the services refuse the folder until the restore is repeated. An
/// old log beside a new database would be corrupt, and with no database a catalog would start
/// empty.
///
/// @param kept the folder for the old files
record Restore(DataFolder data, Path kept, Backup backup, Step step) {
  /// The files of a SQLite database. The database itself is moved last: once it is moved, the other
  /// two are known to be moved as well.
  private static final List<String> SUFFIXES = List.of("-wal", "-shm", "");

  /// Called after each change on disk; a test interrupts the restore there.
  @FunctionalInterface
  interface Step {
    void done() throws IOException;
  }

  /// @param keptAs the name of the folder, inside the data folder, for the old files; a restore
  ///   that continues an interrupted one uses the name chosen then
  /// @return the folder with the old files; it does not exist if there were none
  static Path run(DataFolder data, Backup backup, String keptAs, Step step) throws IOException {
    Path marker = data.restoring();
    String name = Files.exists(marker) ? Files.readString(marker).strip() : keptAs;
    var restore = new Restore(data, data.path().resolve(name), backup, step);
    restore.requireOneFileSystem();
    try {
      restore.stageCopies();
      DurableFiles.write(marker, name + "\n");
    } catch (IOException full) {
      restore.deleteStagedCopies();
      throw full;
    }
    step.done();
    restore.keepOldFiles();
    restore.moveStagedCopies();
    DurableFiles.deleteIfExists(marker);
    return restore.kept;
  }

  /// Files can be renamed atomically only within one file system.
  private void requireOneFileSystem() throws IOException {
    for (String service : backup.services()) {
      Path folder = data.path().resolve(service);
      if (!Files.getFileStore(folder).equals(Files.getFileStore(data.path()))) {
        throw new CommandRefusal(
            "%s is on a different file system than the data folder; copy the files manually",
            folder);
      }
    }
  }

  private void stageCopies() throws IOException {
    for (String service : backup.services()) {
      if (backup.has(service)) {
        DurableFiles.copy(backup.copy(service), stagedCopy(service));
        step.done();
      }
    }
  }

  private void deleteStagedCopies() throws IOException {
    for (String service : backup.services()) {
      DurableFiles.deleteIfExists(stagedCopy(service));
    }
  }

  private void keepOldFiles() throws IOException {
    for (String service : backup.services()) {
      Path folder = kept.resolve(service);
      boolean allKept = Files.exists(folder.resolve(service + ".db"));
      for (String suffix : SUFFIXES) {
        Path file = data.database(service).resolveSibling(service + ".db" + suffix);
        if (allKept) {
          DurableFiles.deleteIfExists(file); // left by the interrupted restore
        } else if (Files.exists(file)) {
          DurableFiles.makeFolder(folder);
          DurableFiles.rename(file, folder.resolve(file.getFileName()));
        }
        step.done();
      }
    }
  }

  private void moveStagedCopies() throws IOException {
    for (String service : backup.services()) {
      if (backup.has(service)) {
        DurableFiles.rename(stagedCopy(service), data.database(service));
        step.done();
      }
    }
  }

  private Path stagedCopy(String service) {
    return data.database(service).resolveSibling(service + ".db.restored");
  }
}
