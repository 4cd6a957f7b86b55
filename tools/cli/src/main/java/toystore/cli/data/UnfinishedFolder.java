package toystore.cli.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import toystore.cli.launch.DataFolder;

/// A folder that is filled under another name and renamed when it is complete. Otherwise it is
/// deleted, also if Ctrl-C ends the process.
record UnfinishedFolder(Path path, Thread hook) implements AutoCloseable {
  /// Creates it beside the folder that it is to become.
  static UnfinishedFolder beside(Path folder) throws IOException {
    Path parent = folder.resolveSibling("").normalize();
    Files.createDirectories(parent);
    Path path = Files.createTempDirectory(parent, folder.getFileName() + ".unfinished-");
    var hook = Thread.ofPlatform().unstarted(() -> remove(path));
    Runtime.getRuntime().addShutdownHook(hook);
    return new UnfinishedFolder(path, hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return; // the hook runs
    }
    remove(path);
  }

  private static void remove(Path folder) {
    try {
      if (Files.exists(folder)) {
        new DataFolder(folder).remove();
      }
    } catch (IOException left) {
      System.err.println("cannot remove the incomplete folder " + folder + ": " + left);
    }
  }
}
