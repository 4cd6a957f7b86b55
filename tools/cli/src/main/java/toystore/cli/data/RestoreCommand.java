package toystore.cli.data;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import toystore.cli.command.DurableFiles;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.DataOption;
import toystore.cli.launch.Services;

/// `./toystore restore`: makes a data folder from a backup.
@Command(
    name = "restore",
    description = "Make a new data folder from a backup.",
    footer = {
      "",
      "DATA must not exist, or be empty: stop its store and move it away. Orders placed after the "
          + "backup are lost, and their numbers are assigned again. The command prints the last numbers "
          + "of the backup."
    })
public final class RestoreCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "A folder created by ./toystore backup.")
  private Path folder = Path.of("");

  @Mixin private final DataOption data = new DataOption();

  @Override
  public Integer call() throws IOException {
    System.out.println(restore(data.folder(), folder, Services.ofProject()));
    return 0;
  }

  /// Makes a complete data folder or none: until it is complete, it has another name.
  ///
  /// @return lines that report the result
  static String restore(DataFolder data, Path from, Services services) throws IOException {
    var backup = new Backup(from.toAbsolutePath().normalize(), services.databases());
    data.requireNewOrEmpty(
        format("stop its store and move it away: mv '%1$s' '%1$s.old'", data.path()));
    Backup.Contents contents = backup.check();
    // a link to an empty folder on another disk stays
    Path target = data.exists() ? data.path().toRealPath() : data.path();
    try (var unfinished = UnfinishedFolder.beside(target)) {
      for (String service : services.databases()) {
        if (backup.has(service)) {
          Path copy = new DataFolder(unfinished.path()).database(service);
          DurableFiles.makeFolder(copy.resolveSibling(""));
          DurableFiles.copy(backup.copy(service), copy);
          DurableFiles.sync(copy.resolveSibling(""));
        }
      }
      DurableFiles.rename(unfinished.path(), target);
    }
    var lines =
        new StringBuilder(
            format("restored the backup of %s into %s", contents.time(), data.path()));
    contents
        .last()
        .forEach((service, last) -> lines.append(format("%n%-9s %s", service, Backup.text(last))));
    return lines
        .append(format("%nWhat is later is lost; its numbers are assigned again."))
        .toString();
  }
}
