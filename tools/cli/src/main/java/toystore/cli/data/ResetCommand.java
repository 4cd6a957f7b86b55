package toystore.cli.data;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.YesOption;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.DataOption;
import toystore.cli.launch.Services;

/// `./toystore reset`: deletes a store's files from an unused data folder, after confirmation.
@Command(
    name = "reset",
    description = "Delete the store's files in the data folder, after confirmation.",
    footer = {"", "Files that no store creates are not deleted; reset lists them."})
public final class ResetCommand implements Callable<Integer> {
  private static final int MAX_LISTED = 20;

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
      return "data folder " + folder.path() + " is already empty";
    }
    if (!folder.isStoreFolder()) {
      throw new CommandRefusal(
          "%s is not the data folder of a store: it has neither up.lock nor catalog/catalog.db; nothing was deleted",
          folder.path());
    }
    folder.requireSqlite(
        "delete its schemas there, and then the file postgresql in the data folder");
    var services = Services.ofProject();
    try (DataFolder.Claim _ = folder.claimWith(services.databases())) {
      List<Path> files = folder.storeFiles(services);
      files.forEach(file -> System.out.println("  " + file));
      if (!confirms.test(
          format(
              "delete these %d files: all products, orders and logs in %s?",
              files.size(), folder.path()))) {
        throw new CommandRefusal("cancelled; nothing was deleted");
      }
      folder.deleteStoreFiles(services);
    }
    List<Path> left = folder.otherFiles();
    return left.isEmpty()
        ? "emptied " + folder.path()
        : "deleted the store's files in "
            + folder.path()
            + "; left there, because no store created them: "
            + listed(left);
  }

  private static String listed(List<Path> files) {
    return files.stream().limit(MAX_LISTED).map(Path::toString).collect(Collectors.joining(", "))
        + (files.size() > MAX_LISTED ? ", …" : "");
  }
}
