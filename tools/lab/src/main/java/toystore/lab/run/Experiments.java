package toystore.lab.run;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import toystore.lab.load.JsonFile;

/// The experiments and the subjects that they measure: JSON files in the resource folder of this
/// package's parent. An experiment is a file in `experiments`, or a file of the user; its subjects
/// are in `subjects.json`.
public final class Experiments {
  public static final List<String> NAMES =
      List.of(
          "query-vs-buy",
          "buy-after-query",
          "containers",
          "remote",
          "lookup-vs-trade",
          "pool",
          "executors",
          "readers",
          "marketplace",
          "marketplace-remote",
          "marketplace-containers",
          "frontends",
          "layers",
          "cache",
          "durability",
          "databases",
          "cores");

  /// The port of the frontend.
  public static final int PORT = 9_700;

  private Experiments() {}

  /// The subjects by name.
  private record Subjects(SortedMap<String, SubjectStart> subjects) {}

  /// How a subject is started. It has one of the lists.
  ///
  /// @param up options of `./toystore up`: a [LauncherSubject]
  /// @param products number of products of its catalog; 0: 200
  /// @param postgresql see [LauncherSubject]
  /// @param services settings of the catalog, such as `readers=5`: a [ServicesSubject]
  /// @param containers which services, network and storage: a [ContainerSubject]
  /// @param reference a class of the module `references` and its arguments: a [ReferenceSubject]
  /// @param warmUpSeconds the most that a service of `references` is warmed up; 0: as planned
  /// @param cores that it may use; 0: all
  /// @param heapMiB see [LauncherSubject]; that of `market-together` is the sum of those of six
  ///   processes
  /// @param relayed see [ServicesSubject], as is `inMemory`
  private record SubjectStart(
      @Nullable List<String> up,
      int products,
      @Nullable String postgresql,
      @Nullable List<String> services,
      @Nullable List<String> containers,
      @Nullable List<String> reference,
      double warmUpSeconds,
      int cores,
      int heapMiB,
      boolean relayed,
      boolean inMemory) {

    Subject subject(String name, Path home) {
      if (up != null) {
        int count = products == 0 ? RunningSubject.PRODUCTS.size() : products;
        return new LauncherSubject(name, home, PORT, cores, heapMiB, count, postgresql, up);
      }
      if (services != null) {
        return new ServicesSubject(name, services, relayed, inMemory);
      }
      if (containers != null) {
        return new ContainerSubject(
            name, home, containers.get(0), containers.get(1), containers.get(2));
      }
      if (reference != null) {
        List<String> arguments = reference.subList(1, reference.size());
        return new ReferenceSubject(name, home, reference.getFirst(), arguments, warmUpSeconds);
      }
      throw new IllegalArgumentException(name + ": expected up, services, containers or reference");
    }
  }

  /// @param name one of [#NAMES], or a file that ends with `.json`
  /// @throws IOException if there is no such experiment, or with the mistake in its file
  public static ExperimentPlan plan(String name) throws IOException {
    if (name.endsWith(".json")) {
      return plan(Path.of(name));
    }
    String json = resource("experiments/" + name + ".json");
    if (json.isEmpty()) {
      throw new IOException(
          "unknown experiment " + name + "; expected one of " + NAMES + " or " + FailureRun.NAME);
    }
    return ExperimentPlan.parse(json, name);
  }

  public static FailurePlan failures() throws IOException {
    String name = "experiments/failures.json";
    return JsonFile.parse(resource(name), FailurePlan.class, name);
  }

  /// @return empty if there is none
  private static String resource(String name) throws IOException {
    try (InputStream file = Experiments.class.getResourceAsStream("/toystore/lab/" + name)) {
      return file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static ExperimentPlan plan(Path file) throws IOException {
    if (Files.notExists(file)) {
      throw new IOException("expected an experiment in " + file + ", which does not exist");
    }
    ExperimentPlan plan = ExperimentPlan.parse(Files.readString(file), file.toString());
    if (plan.scenario().isEmpty()) {
      return plan;
    }
    Path scenario = file.toAbsolutePath().resolveSibling(plan.scenario()).normalize();
    ExperimentPlan found = plan.withScenario(scenario);
    Set<String> known = found.requests().kinds().keySet();
    for (String kind : plan.kinds()) {
      if (!known.contains(kind)) {
        throw new IOException(
            format(
                "%s: kinds: unknown kind %s; expected one of %s, which %s has",
                file, kind, new TreeSet<>(known), scenario));
      }
    }
    return found;
  }

  /// @param home the project folder
  /// @throws IOException if it is unknown
  public static Subject subject(String name, Path home) throws IOException {
    var known = JsonFile.parse(resource("subjects.json"), Subjects.class, "subjects.json").subjects;
    SubjectStart start = known.get(name);
    if (start == null) {
      throw new IOException("unknown subject " + name + "; expected one of " + known.keySet());
    }
    return start.subject(name, home);
  }
}
