package toystore.platform.storage;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Lets only the owner read and write the files of a store: mode 0700 for folders, 0600 for files.
/// Another user could otherwise read all sales, and could stop the writer with a lock on an open
/// file. Does nothing on systems without POSIX permissions. Any thread.
public final class OwnerPermissions {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private OwnerPermissions() {}

  /// Attributes of a new folder.
  public static FileAttribute<?>[] newFolder() {
    return POSIX
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FOLDER)}
        : new FileAttribute<?>[0];
  }

  /// Attributes of a new file.
  public static FileAttribute<?>[] newFile() {
    return POSIX
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FILE)}
        : new FileAttribute<?>[0];
  }

  /// Changes the permissions of an existing file.
  public static void restrictFile(Path file) throws IOException {
    if (POSIX) {
      Files.setPosixFilePermissions(file, FILE);
    }
  }

  /// Changes the permissions of an existing folder, but not of what is in it.
  public static void restrictFolder(Path folder) throws IOException {
    if (POSIX) {
      Files.setPosixFilePermissions(folder, FOLDER);
    }
  }

  /// Changes the permissions of those files in a folder, but not in its subfolders, whose names are
  /// accepted. Links are not followed.
  public static void restrictFiles(Path folder, Predicate<String> names) throws IOException {
    if (POSIX) {
      try (Stream<Path> entries = Files.list(folder)) {
        for (Path file : entries.toList()) {
          if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
              && names.test(file.getFileName().toString())) {
            Files.setPosixFilePermissions(file, FILE);
          }
        }
      }
    }
  }
}
