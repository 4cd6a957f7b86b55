package toystore.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./toystore reset`: empties a data folder that nobody uses, after asking.
@Command(name = "reset", description = "Empty the data folder, after asking.")
final class ResetCommand implements Callable<Integer> {
  @Mixin private final DataOption data = new DataOption();

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Override
  public Integer call() throws IOException {
    System.out.println(reset(data.folder(), yes ? question -> true : Terminal.ofThisProcess()));
    return 0;
  }

  /// What was done, in a line.
  static String reset(DataFolder folder, Terminal terminal) throws IOException {
    if (!folder.exists() || folder.isEmpty()) {
      return "the data folder %s is empty already".formatted(folder.path());
    }
    if (!folder.looksOurs()) {
      throw new Refused("%s does not look like a store's data folder".formatted(folder.path()));
    }
    try (var _ = folder.claimWith(Services.ofProject().databases())) {
      if (!terminal.agrees("remove all products, orders and logs in " + folder.path() + "?")) {
        throw new Refused("nothing was removed");
      }
      folder.empty();
    }
    return "emptied " + folder.path();
  }
}
