package toystore.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import toystore.lab.load.StartPlan;
import toystore.lab.run.ContainerSubject.ContainerEngine;

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
          "executors",
          "readers",
          "marketplace",
          "marketplace-remote",
          "marketplace-containers",
          "frontends",
          "layers",
          "reads",
          "durability",
          "cores");

  /// Makes the logins of the set-up short.
  public static final String CHEAP_HASH = "--toystore.account.bcrypt-strength=4";

  /// Each query is a call of the catalog, which is the architecture that the published claims are
  /// about.
  public static final String DIRECT_READS = "--toystore.frontend.reads=direct";

  private static final int PORT = 9_700;
  private static final int CONTAINERS_PORT = 9_750;

  private final Map<String, Subject> subjects = new TreeMap<>();
  private final Path home;

  /// @param home the project folder
  public Experiments(Path home) {
    this.home = home;
    addStore("processes", "A process for each service.", DIRECT_READS);
    addStore("together", "One JVM.", "--together", DIRECT_READS);
    addStore("cached", "A product cache in the frontend.");
    addStore("market", "All services.", CHEAP_HASH, DIRECT_READS);
    addStore(
        "market-2-frontends",
        "All services, two frontends.",
        "--frontends=2",
        CHEAP_HASH,
        DIRECT_READS);
    addStore("market-together", "All services in one JVM.", "--together", CHEAP_HASH, DIRECT_READS);
    addServices("direct");
    add(new ServicesSubject("in-memory", home, false, true, List.of()));
    addServices("each-synced", "batch=1"); // a commit for each buy
    for (int readers : List.of(5, 32, 100)) {
      addServices("readers-" + readers, "readers=" + readers);
    }
    addServices("readers-5-refusing", "readers=5", "read-queue=1");
    add(new ServicesSubject("relayed", home, true, false, List.of()));
    var engine = new ContainerEngine(home);
    add(new ContainerSubject("bridge", engine, "store", "bridge", "volume", CONTAINERS_PORT));
    add(new ContainerSubject("market-bridge", engine, "all", "bridge", "volume", CONTAINERS_PORT));
    add(new ContainerSubject("host", engine, "store", "host", "volume", CONTAINERS_PORT));
    add(new ContainerSubject("layer", engine, "store", "bridge", "overlay", CONTAINERS_PORT));
    addBazaar("io-threads", "none", "direct", "request"); // gRPC's own
    addBazaar("virtual", "none", "virtual", "request"); // a virtual thread for each call
    for (int threads : List.of(1, 5, 10)) {
      addBazaar("workers-" + threads, "none", Integer.toString(threads), "request");
    }
    for (int cores : List.of(1, 2)) {
      add(
          new LauncherSubject(
              "store-on-" + cores,
              "All services on the first cores.",
              home,
              PORT,
              cores,
              List.of(CHEAP_HASH, DIRECT_READS)));
      add(new ReferenceSubject("reference-on-" + cores, home, "LockedExchange", cores, List.of()));
    }
    addBazaar("unlocked", "none", "50", "request");
    addBazaar("mutex", "mutex", "50", "request");
    addBazaar("read-write", "read-write", "50", "request");
    addBazaar("writer", "writer", "50", "request");
    addBazaar("pool-5", "none", "5", "request");
    addBazaar("pool-5-connection", "none", "5", "connection");
  }

  private void addStore(String name, String description, String... options) {
    add(new LauncherSubject(name, description, home, PORT, List.of(options)));
  }

  private void addBazaar(String name, String locking, String threads, String serving) {
    List<String> arguments = List.of(locking, threads, serving);
    add(new ReferenceSubject(name, home, "LockedBazaar", 0, arguments));
  }

  /// @param settings of the catalog, such as `readers=5`
  private void addServices(String name, String... settings) {
    List<String> options = Stream.of(settings).map("--toystore.catalog."::concat).toList();
    add(new ServicesSubject(name, home, false, false, options));
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
        throw new IOException(
            String.format(Locale.ROOT, "unknown experiment %s; expected one of %s", name, NAMES));
      }
      return ExperimentPlan.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8), name);
    }
  }

  private static ExperimentPlan plan(Path file) throws IOException {
    if (Files.notExists(file)) {
      throw new IOException(
          String.format(Locale.ROOT, "expected an experiment in %s, which does not exist", file));
    }
    ExperimentPlan plan = ExperimentPlan.parse(Files.readString(file), file.toString());
    if (plan.scenario().isEmpty()) {
      return plan;
    }
    Path scenario = file.toAbsolutePath().resolveSibling(plan.scenario()).normalize();
    Set<String> known = StartPlan.scenario(scenario).kinds().keySet();
    for (String kind : plan.kinds()) {
      if (!known.contains(kind)) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s: kinds: unknown kind %s; expected one of %s, which %s has",
                file,
                kind,
                new TreeSet<>(known),
                scenario));
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
            String.format(
                Locale.ROOT,
                "%s: unknown subject %s; expected one of %s",
                plan.name(),
                name,
                subjects.keySet()));
      }
    }
    return plan.subjects().stream().map(subjects::get).toList();
  }
}
