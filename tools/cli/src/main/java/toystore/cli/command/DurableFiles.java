package toystore.cli.command;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import toystore.platform.storage.OwnerPermissions;

/// File operations whose results only the owner can read, and that survive a power failure: they
/// sync files, and folders after changes of names.
public final class DurableFiles {
  private DurableFiles() {}

  /// Syncs a file's contents or a folder's entries.
  public static void sync(Path path) throws IOException {
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// Writes a file atomically: after a crash it is complete or absent.
  public static void write(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(temporary);
    OwnerPermissions.createFile(temporary);
    Files.writeString(temporary, text);
    sync(temporary);
    rename(temporary, file);
  }

  public static void write(Path file, Properties properties, String comment) throws IOException {
    var text = new StringWriter();
    properties.store(text, comment);
    write(file, text.toString());
  }

  public static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    OwnerPermissions.restrictFile(to);
    sync(to);
  }

  /// Renames a file or folder atomically and replaces an existing target.
  public static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    sync(folderOf(to));
    sync(folderOf(from));
  }

  /// Makes a folder, and the one it is in, for their owner only.
  public static void makeFolder(Path folder) throws IOException {
    Files.createDirectories(folder, OwnerPermissions.newFolder());
    sync(folderOf(folder));
    sync(folderOf(folderOf(folder)));
  }

  private static Path folderOf(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IllegalArgumentException(path + " is in no folder");
    }
    return folder;
  }
}
