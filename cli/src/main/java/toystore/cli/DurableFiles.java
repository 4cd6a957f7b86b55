package toystore.cli;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;

/// What is to survive a loss of power: files by their own sync, names by that of their folder.
final class DurableFiles {
  private DurableFiles() {}

  /// A file's contents, or a folder's names.
  static void sync(Path path) throws IOException {
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// Writes it in one step: it is there whole or not at all.
  static void write(Path file, String text) throws IOException {
    var fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, text);
    sync(fresh);
    rename(fresh, file);
  }

  static void write(Path file, Properties properties, String comment) throws IOException {
    var text = new StringWriter();
    properties.store(text, comment);
    write(file, text.toString());
  }

  static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    sync(to);
  }

  /// Gives a file or folder another name in one step, in place of what had it.
  static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    sync(folderOf(to));
    sync(folderOf(from));
  }

  /// Makes a folder, and the one it is in.
  static void makeFolder(Path folder) throws IOException {
    Files.createDirectories(folder);
    sync(folderOf(folder));
    sync(folderOf(folderOf(folder)));
  }

  static void removeIfThere(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      sync(folderOf(file));
    }
  }

  private static Path folderOf(Path path) {
    var folder = path.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IllegalArgumentException(path + " is in no folder");
    }
    return folder;
  }
}
