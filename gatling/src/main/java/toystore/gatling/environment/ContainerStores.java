package toystore.gatling.environment;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Stores of three containers each. `docker/with-images` builds the images and starts a Docker
/// engine if none is running; `docker/lab-store` starts a store.
///
/// | subject     | network                          | database                            |
/// |-------------|----------------------------------|-------------------------------------|
/// | `host`      | the host's                       | volume                              |
/// | `bridge`    | a bridge; called at its address  | volume                              |
/// | `published` | the same containers, called at a published port |                      |
/// | `overlay`   | a bridge; called at its address  | the container's own layer           |
final class ContainerStores {
  private ContainerStores() {}

  /// Starts only the store on a bridge.
  static Subject bridge(StoreProvisioner environments) throws IOException, InterruptedException {
    var bridge = store(environments, engine(environments), "bridge", "volume");
    return subject("bridge", "containers on a bridge, called there", bridge, "bridge");
  }

  private static Map<String, String> engine(StoreProvisioner environments)
      throws IOException, InterruptedException {
    var engine =
        environments
            .startProcess(
                "engine",
                List.of(
                    "docker/with-images",
                    "sh",
                    "-c",
                    "echo host=$DOCKER_HOST; echo version=$TOYSTORE_VERSION; echo ready; exec cat"))
            .awaitReady();
    var environment = new HashMap<String, String>();
    environment.put("TOYSTORE_VERSION", engine.getOrDefault("version", ""));
    if (engine.containsKey("host")) {
      environment.put("DOCKER_HOST", engine.getOrDefault("host", ""));
    }
    return environment;
  }

  static List<Subject> start(StoreProvisioner environments)
      throws IOException, InterruptedException {
    var environment = engine(environments);
    var host = store(environments, environment, "host", "volume");
    var bridge = store(environments, environment, "bridge", "volume");
    var overlay = store(environments, environment, "bridge", "overlay");
    var subjects = new ArrayList<Subject>();
    subjects.add(subject("host", "containers on the host's network", host, "host"));
    subjects.add(subject("bridge", "containers on a bridge, called there", bridge, "bridge"));
    subjects.add(
        subject(
            "published", "the same containers, called at a published port", bridge, "published"));
    subjects.add(
        subject(
                "overlay",
                "containers on a bridge, the database in the container's layer, on "
                    + overlay.getOrDefault("layer-catalog", "?"),
                overlay,
                "bridge")
            .withAbout("against", "bridge"));
    return subjects;
  }

  private static Map<String, String> store(
      StoreProvisioner environments,
      Map<String, String> environment,
      String network,
      String storage)
      throws IOException, InterruptedException {
    return environments
        .startProcess(
            network + "-" + storage,
            List.of(
                "docker/lab-store",
                network,
                storage,
                network + "-" + storage,
                String.valueOf(environments.freePort()),
                environments.catalog().toString()),
            environment)
        .awaitReady();
  }

  private static Subject subject(String name, String what, Map<String, String> store, String way)
      throws IOException {
    String url = store.get(way);
    if (url == null) {
      throw new IOException(
          "docker/lab-store printed no address '%s', only %s".formatted(way, store));
    }
    Optional<Supplier<String>> audit =
        Optional.ofNullable(store.get("audit"))
            .map(it -> StoreProvisioner.auditSupplier(URI.create(it)));
    List<URI> metrics =
        store.entrySet().stream()
            .filter(it -> it.getKey().startsWith("management-"))
            .map(it -> URI.create(it.getValue() + "/actuator/prometheus"))
            .toList();
    return Subject.at(name, what, URI.create(url), audit, metrics)
        .withAbout("engine", store.getOrDefault("engine", "?"))
        .withAbout("storage-driver", store.getOrDefault("storage-driver", "?"))
        .withAbout("database", store.getOrDefault("data-catalog", "?"));
  }
}
