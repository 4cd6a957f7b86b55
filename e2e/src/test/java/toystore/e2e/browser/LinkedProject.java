package toystore.e2e.browser;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import toystore.cli.ToystoreCommand;
import toystore.clients.Project;
import toystore.platform.service.StoreServiceDescriptor;

/// A project folder of links, whose `./toystore up` starts the programs that Maven built and builds
/// nothing.
final class LinkedProject {
  private static final String UP =
      """
      #!/bin/sh
      [ "$1" = up ] || exit 1 # no training
      exec "%s" -Xmx256m -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \\
        --sun-misc-unsafe-memory-access=allow "-Dtoystore.home=%s" -cp "%s" %s "$@"
      """;

  private LinkedProject() {}

  /// @param folder in which it is made
  static Path in(Path folder) throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Path app = Files.createDirectories(home.resolve("target/app"));
    for (String file : List.of("jvm.options", "docs")) {
      Files.createSymbolicLink(home.resolve(file), Project.HOME.resolve(file));
    }
    for (StoreServiceDescriptor service : StoreServiceDescriptor.ofProject(Project.HOME)) {
      Files.createSymbolicLink(
          home.resolve(service.program()), Project.HOME.resolve(service.program()));
      Files.writeString(
          app.resolve(service.program() + ".options"),
          format("-XX:TieredStopAtLevel=1 -jar \"%s\"", Project.jar(service.name())));
    }
    String up =
        String.format(
            Locale.ROOT,
            UP,
            Project.JAVA,
            home,
            System.getProperty("java.class.path"),
            ToystoreCommand.class.getName());
    Path script = Files.writeString(home.resolve("toystore"), up);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return home;
  }
}
