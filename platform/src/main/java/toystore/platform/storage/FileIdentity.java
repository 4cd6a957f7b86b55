package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The identities (device and inode) of open files, to detect that a file was moved, deleted or
/// replaced. SQLite continues to write to a file that no longer has its name, and the next start
/// would not find what was written. The files themselves are not opened, because closing one drops
/// SQLite's locks on it (<https://www.sqlite.org/howtocorrupt.html>, section 2.2). Any thread.
final class FileIdentity {
  private final Map<Path, @Nullable Object> keys = new LinkedHashMap<>();

  /// @param files open files
  FileIdentity(Path... files) throws IOException {
    for (Path file : files) {
      keys.put(file, attributes(file).fileKey()); // null on some systems: only existence is checked
    }
  }

  /// Takes a few microseconds.
  ///
  /// @throws SQLException if a name no longer belongs to the file that was opened
  void check() throws SQLException {
    for (Map.Entry<Path, @Nullable Object> file : keys.entrySet()) {
      Object key;
      try {
        key = attributes(file.getKey()).fileKey();
      } catch (IOException e) {
        throw moved(
            "%s was moved or deleted while the service uses it (%s); move it back, or restart the service",
            file.getKey(), e.getClass().getSimpleName());
      }
      if (!Objects.equals(key, file.getValue())) {
        throw moved(
            "%s was replaced by another file while the service uses it; move the original file back, or restart the service",
            file.getKey());
      }
    }
  }

  /// What is committed now would not be found by the next start, so commits wait.
  private static SQLException moved(String message, Object... values) {
    return new SQLException(String.format(Locale.ROOT, message, values), StorageError.IO_ERROR);
  }

  /// Refuses a file with more than one name. The lock of a [LockedFolder] does not protect the file
  /// from a service in the folder of the other name.
  static void requireOneName(Path file) throws IOException {
    if (Files.isSymbolicLink(file)) {
      throw new UnusableFileException(
          format(
              "database %s is a symbolic link to %s; expected a file, because two services could use it at the same time; link the folder instead",
              file, Files.readSymbolicLink(file)));
    }
    if (Files.exists(file) && file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      int links = (Integer) Files.getAttribute(file, "unix:nlink");
      if (links > 1) {
        throw new UnusableFileException(
            format(
                "database %s has %d names (hard links); expected one, because two services could use it at the same time; delete the other names, or replace this one by a copy",
                file, links));
      }
    }
  }

  private static BasicFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }
}
