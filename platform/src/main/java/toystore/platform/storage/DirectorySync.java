package toystore.platform.storage;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Folders as the disk knows them: a file or folder that was made is there after a power cut only
/// once the folder that names it was synced.
public final class DirectorySync {
  private DirectorySync() {}

  /// Makes a folder and those above it, where there are none, and syncs what names them.
  public static void make(Path folder) throws IOException {
    Path above = folder.toAbsolutePath().getParent();
    if (Files.notExists(folder) && above != null) {
      make(above);
      Files.createDirectories(folder);
      sync(above);
    }
  }

  /// Makes the folder that a file is to stand in, see [#make].
  public static void makeFor(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      make(folder);
    }
  }

  /// Syncs the folder that names a file.
  ///
  /// @throws DiskFailedException where the sync itself failed
  static void syncNameOf(Path file) throws IOException {
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
    } catch (ClosedByInterruptException toldToEnd) { // not by the disk
      throw toldToEnd;
    } catch (IOException e) {
      throw new DiskFailedException(
          "fsync of folder %s failed: %s".formatted(folder, e.getMessage()), e);
    }
  }
}
