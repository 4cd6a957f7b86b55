package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Creates folders durably. A new file or folder survives a power failure only after an fsync of
/// its parent folder.
public final class DirectoryFsync {
  private DirectoryFsync() {}

  /// Creates a folder and its missing parents, all for their owner only, and syncs the parents.
  public static void create(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (Files.notExists(folder) && parent != null) {
      create(parent);
      Files.createDirectories(folder, OwnerPermissions.newFolder());
      sync(parent);
    }
  }

  /// Creates the parent folder of a file, see [#create].
  public static void createParent(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      create(folder);
    }
  }

  /// Syncs the parent folder of a file.
  ///
  /// @throws DiskFailedException if the fsync failed
  static void syncParent(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      sync(folder);
    }
  }

  private static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      force(channel, folder);
    }
  }

  private static void force(FileChannel channel, Path folder) throws ClosedByInterruptException {
    try {
      channel.force(true);
    } catch (ClosedByInterruptException interrupted) { // not a disk failure
      throw interrupted;
    } catch (IOException e) {
      throw new DiskFailedException(
          format("fsync of folder %s failed: %s", folder, e.getMessage()), e);
    }
  }
}
