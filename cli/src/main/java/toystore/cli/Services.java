package toystore.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import toystore.platform.service.ServiceManifest;

/// The services of a store, each after those it calls.
record Services(List<ServiceManifest> all) {
  private static final String CATALOG = "catalog";

  /// The services of this project, from the descriptors in their modules.
  static Services ofProject() throws IOException {
    return of(JavaCommandLine.projectFolder());
  }

  static Services of(Path root) throws IOException {
    var services = new Services(ServiceManifest.ofProject(root));
    if (services.all.isEmpty()) {
      throw new CommandRefused(
          String.format(
              Locale.ROOT,
              "%s is not the project folder: no module has a META-INF/toystore/*.properties file",
              root));
    }
    return services;
  }

  /// The catalog; every store has one.
  ServiceManifest catalog() {
    return named(CATALOG);
  }

  ServiceManifest named(String name) {
    return all.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  List<String> programs() {
    return all.stream().map(ServiceManifest::program).toList();
  }

  List<String> names() {
    return all.stream().map(ServiceManifest::name).toList();
  }

  /// The services with a database, in the order in which a backup copies them: callers first. Each
  /// recorded purchase is a sale of the catalog. If the catalog is copied after the purchases, the
  /// copy contains all these sales; in the other order the catalog could lack some.
  List<String> databases() {
    return all.reversed().stream()
        .filter(ServiceManifest::database)
        .map(ServiceManifest::name)
        .toList();
  }
}
