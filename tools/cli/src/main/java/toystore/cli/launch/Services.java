package toystore.cli.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import toystore.cli.command.CommandRefusal;
import toystore.platform.service.StoreServiceDescriptor;

/// The services of a store, each after those it calls.
public record Services(List<StoreServiceDescriptor> all) {
  private static final String CATALOG = "catalog";

  /// The services of this project, from the descriptors in their modules.
  public static Services ofProject() throws IOException {
    return of(JavaCommandLine.projectFolder());
  }

  public static Services of(Path root) throws IOException {
    var services = new Services(StoreServiceDescriptor.ofProject(root));
    if (services.all.isEmpty()) {
      throw new CommandRefusal(
          "%s is not the project folder: no module has a META-INF/toystore/*.properties file",
          root);
    }
    return services;
  }

  /// The catalog; every store has one.
  public StoreServiceDescriptor catalog() {
    return named(CATALOG);
  }

  public StoreServiceDescriptor named(String name) {
    return all.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  /// The services with a database, in the order in which a backup copies them: callers first. Each
  /// recorded purchase is a sale of the catalog. If the catalog is copied after the purchases, the
  /// copy contains all these sales; in the other order the catalog could lack some.
  public List<String> databases() {
    return all.reversed().stream()
        .filter(StoreServiceDescriptor::database)
        .map(StoreServiceDescriptor::name)
        .toList();
  }
}
