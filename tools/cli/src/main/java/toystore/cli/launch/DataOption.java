package toystore.cli.launch;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option `--data` of commands that use a store's files.
public final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DATA",
      description = "The data folder (default: data/ beside ./toystore).")
  private @Nullable Path given;

  boolean isGiven() {
    return given != null;
  }

  /// The given folder, or else `data/` in the project folder, whatever the working directory is.
  public DataFolder folder() {
    return folder(given == null ? JavaCommandLine.projectFolder().resolve("data") : given);
  }

  public static DataFolder folder(Path path) {
    return new DataFolder(path.toAbsolutePath().normalize());
  }
}
