package toystore.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import toystore.lab.load.Scenario;

/// The experiments and the subjects that they measure. An experiment is a file in the resource
/// folder `experiments`, or a file of the user.
public final class Experiments {
  public static final List<String> NAMES =
      List.of(
          "query-vs-buy",
          "mix",
          "noise",
          "containers",
          "remote",
          "lookup-vs-trade",
          "lookup-vs-trade-containers",
          "pool",
          "executors");

  private static final int PORT = 9_700;

  private final Map<String, Subject> subjects = new TreeMap<>();

  /// @param home the project folder
  public Experiments(Path home) {
    add(new LauncherSubject("processes", "A process for each service.", home, PORT, List.of()));
    add(
        new LauncherSubject(
            "together", "All services in one JVM.", home, PORT, List.of("--together")));
    add(new ServicesSubject("direct", "Three services, a process each.", home, false));
    add(
        new ServicesSubject(
            "relayed", "The same, every connection through a delay relay.", home, true));
    addContainers(home);
    addCatalogs(home);
  }

  private void addContainers(Path home) {
    var engine = new ContainerSubject.ContainerEngine(home);
    add(container("bridge", "Containers on a bridge.", engine, "bridge", "volume"));
    add(container("host", "Containers on the host's network.", engine, "host", "volume"));
    add(
        container(
            "layer",
            "Containers on a bridge, databases in their layers.",
            engine,
            "bridge",
            "overlay"));
  }

  private static Subject container(
      String name,
      String description,
      ContainerSubject.ContainerEngine engine,
      String network,
      String storage) {
    return new ContainerSubject(name, description, engine, network, storage, PORT + 50);
  }

  private void addCatalogs(Path home) {
    String workers = "--toystore.catalog.workers=";
    add(catalog("direct-catalog", "Calls on gRPC's own threads.", home, workers + "direct"));
    add(catalog("virtual", "A virtual thread for each call.", home, workers + "virtual"));
    for (int threads : List.of(1, 5, 10)) {
      add(
          catalog(
              "workers-" + threads,
              "Calls on a pool of " + threads + ".",
              home,
              workers + threads));
    }
    for (int threads : List.of(1, 2, 5, 10, 50)) {
      for (String serving : List.of("request", "connection")) {
        add(
            catalog(
                serving + "-" + threads,
                "The line protocol on a pool of %d, a thread for each %s."
                    .formatted(threads, serving),
                home,
                "--toystore.catalog.line-serving=" + serving,
                "--toystore.catalog.line-pool=" + threads));
      }
    }
  }

  private static Subject catalog(String name, String description, Path home, String... settings) {
    return new CatalogSubject(name, description, home, List.of(settings));
  }

  private void add(Subject subject) {
    subjects.put(subject.name(), subject);
  }

  /// @param name one of [#NAMES], or a file that ends with `.json`
  /// @throws IOException if there is no such experiment, or with the mistake in its file
  public static ExperimentPlan plan(String name) throws IOException {
    if (name.endsWith(".json")) {
      return plan(Path.of(name));
    }
    try (InputStream file =
        Experiments.class.getResourceAsStream("/toystore/lab/experiments/" + name + ".json")) {
      if (file == null) {
        throw new IOException("unknown experiment %s; expected one of %s".formatted(name, NAMES));
      }
      return ExperimentPlan.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8), name);
    }
  }

  private static ExperimentPlan plan(Path file) throws IOException {
    if (Files.notExists(file)) {
      throw new IOException("expected an experiment in %s, which does not exist".formatted(file));
    }
    ExperimentPlan plan = ExperimentPlan.parse(Files.readString(file), file.toString());
    if (plan.scenario().isEmpty()) {
      return plan;
    }
    Path scenario = file.toAbsolutePath().resolveSibling(plan.scenario()).normalize();
    Set<String> known = Scenario.read(scenario).kinds().keySet();
    for (String kind : plan.kinds()) {
      if (!known.contains(kind)) {
        throw new IOException(
            "%s: kinds: unknown kind %s; expected one of %s, which %s has"
                .formatted(file, kind, new TreeSet<>(known), scenario));
      }
    }
    return plan.withScenario(scenario);
  }

  /// The subjects of a plan.
  ///
  /// @throws IOException if one is unknown
  public List<Subject> subjects(ExperimentPlan plan) throws IOException {
    for (String name : plan.subjects()) {
      if (!subjects.containsKey(name)) {
        throw new IOException(
            "%s: unknown subject %s; expected one of %s"
                .formatted(plan.name(), name, subjects.keySet()));
      }
    }
    return plan.subjects().stream().map(subjects::get).toList();
  }
}
