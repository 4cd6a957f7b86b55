package toystore.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import toystore.platform.service.ServiceDescriptor;

/// The services that a store consists of, each after those it calls.
record Services(List<ServiceDescriptor> all) {
  private static final String CATALOG = "catalog";

  /// Those of the project, as their modules describe them.
  static Services ofProject() throws IOException {
    return of(JvmCommands.projectFolder());
  }

  static Services of(Path root) throws IOException {
    var services = new Services(ServiceDescriptor.ofProject(root));
    if (services.all.isEmpty()) {
      throw new CommandRefused(
          "%s is not the project folder: no module has a META-INF/toystore/*.properties file"
              .formatted(root));
    }
    return services;
  }

  /// The one that sells: no store is without.
  ServiceDescriptor catalog() {
    return all.stream().filter(it -> it.name().equals(CATALOG)).findFirst().orElseThrow();
  }

  List<String> names() {
    return all.stream().map(ServiceDescriptor::name).toList();
  }

  /// Those that keep a database, in the order in which a backup copies them: each before those it
  /// calls. A book's orders are the catalog's sales, so a catalog that is copied after the book has
  /// all of them, and the pair fits. The other way round the book could be ahead.
  List<String> databases() {
    return all.reversed().stream()
        .filter(ServiceDescriptor::database)
        .map(ServiceDescriptor::name)
        .toList();
  }
}
