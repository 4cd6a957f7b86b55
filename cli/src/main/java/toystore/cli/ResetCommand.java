package toystore.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `./toystore reset`: deletes the contents of an unused data folder, after confirmation.
@Command(name = "reset", description = "Delete everything in the data folder, after confirmation.")
final class ResetCommand implements Callable<Integer> {
  @Mixin private final DataOption data = new DataOption();

  @Mixin private final YesOption yes = new YesOption();

  @Override
  public Integer call() throws IOException {
    System.out.println(reset(data.folder(), yes::confirms));
    return 0;
  }

  /// @return a line that reports the result
  static String reset(DataFolder folder, Predicate<String> confirms) throws IOException {
    if (!folder.exists() || folder.isEmpty()) {
      return "data folder %s is already empty".formatted(folder.path());
    }
    if (!folder.isStoreFolder()) {
      throw new CommandRefused(
          "%s is not the data folder of a store: it has neither up.lock nor catalog/"
              .formatted(folder.path()));
    }
    try (var _ = folder.claimWith(Services.ofProject().databases())) {
      if (!confirms.test("delete all products, orders and logs in " + folder.path() + "?")) {
        throw new CommandRefused("cancelled; nothing was deleted");
      }
      folder.empty();
    }
    return "emptied " + folder.path();
  }
}
