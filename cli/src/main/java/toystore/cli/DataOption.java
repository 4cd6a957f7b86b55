package toystore.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--data`, as each command has it that works on a store's files.
final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DATA",
      description = "The data folder (default: data/ beside ./toystore).")
  private @Nullable Path asked;

  boolean isGiven() {
    return asked != null;
  }

  /// The folder that was asked for, else the usual one in the project's folder: wherever one
  /// stands, it is the same store.
  DataFolder folder() {
    var path = asked == null ? JvmCommands.projectFolder().resolve("data") : asked;
    return new DataFolder(path.toAbsolutePath().normalize());
  }
}
