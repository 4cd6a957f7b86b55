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
///
/// Container platforms such as OpenShift run an image as any user of the group root (id 0), and
/// after a move as another one. Where a folder lets that group write, and nobody else, the files in
/// it are for the group too: modes 0770 and 0660.
public final class OwnerPermissions {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> GROUP_FOLDER =
      PosixFilePermissions.fromString("rwxrwx---");
  private static final Set<PosixFilePermission> GROUP_FILE =
      PosixFilePermissions.fromString("rw-rw----");
  private static final int ROOT = 0;

  private OwnerPermissions() {}

  public static FileAttribute<?>[] newFolder() {
    return attributes(FOLDER);
  }

  public static FileAttribute<?>[] newFile() {
    return attributes(FILE);
  }

  private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
    return POSIX
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  public static Path createFile(Path file) throws IOException {
    Files.createFile(file, newFile());
    restrictFile(file);
    return file;
  }

  public static void restrictFile(Path file) throws IOException {
    if (POSIX) {
      setPermissions(file, FILE, GROUP_FILE);
    }
  }

  /// Changes the permissions of an existing folder, but not of what is in it.
  public static void restrictFolder(Path folder) throws IOException {
    if (POSIX) {
      setPermissions(folder, FOLDER, GROUP_FOLDER);
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
            setPermissions(file, FILE, GROUP_FILE);
          }
        }
      }
    }
  }

  /// Only the owner may change permissions, so those that are right already are left alone.
  private static void setPermissions(
      Path path, Set<PosixFilePermission> ofOwner, Set<PosixFilePermission> ofGroup)
      throws IOException {
    Set<PosixFilePermission> wanted = isForRootGroup(path) ? ofGroup : ofOwner;
    if (!Files.getPosixFilePermissions(path).equals(wanted)) {
      Files.setPosixFilePermissions(path, wanted);
    }
  }

  private static boolean isForRootGroup(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || group(path) != ROOT || group(folder) != ROOT) {
      return false;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    return permissions.contains(PosixFilePermission.GROUP_WRITE)
        && !permissions.contains(PosixFilePermission.OTHERS_WRITE);
  }

  private static int group(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:gid");
  }
}
