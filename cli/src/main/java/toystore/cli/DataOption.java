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

  DataFolder folder() {
    return DataFolder.of(asked);
  }
}
