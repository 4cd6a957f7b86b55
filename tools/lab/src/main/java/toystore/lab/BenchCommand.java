package toystore.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import toystore.lab.floor.Floors;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.run.LauncherSubject;
import toystore.lab.run.ReferenceSubject;
import toystore.lab.run.StartingStore;
import toystore.lab.run.StoredRun;
import toystore.lab.run.Subject;

/// `lab bench`, which is `./toystore bench`: the store beside what the machine can do, and beside
/// another version.
@Command(
    name = "bench",
    description = {
      "Measure the store's paths beside floors: programs that do one part of its work.",
      "Floors: an empty Spring MVC controller, an HTTP answer of Netty, an empty gRPC call, a"
          + " synced write, a batched SQLite commit. Each block starts all of them and the store in"
          + " random order. The last output is tables in Markdown: rates, latencies, CPU time by"
          + " process, ratios with intervals, memory, and the buys in each second since up was"
          + " typed."
    })
final class BenchCommand implements Callable<Integer> {
  private static final int PORT = 9_900;

  @Option(
      names = "--quick",
      description = "Two blocks with short cells: shows that it works, and measures little.")
  private boolean quick;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Blocks to run, 6 minutes each. Default: 5.")
  private @Nullable Integer blocks;

  @Option(
      names = "--against",
      paramLabel = "FOLDER",
      description = "Another clone of this project, built: its store is measured too, as before.")
  private @Nullable Path against;

  @Option(
      names = "--direct",
      description = "Measure the store without the frontend's product cache too, as direct.")
  private boolean direct;

  @Option(
      names = "--jpa",
      description =
          "Measure a Spring Boot service with JPA and PostgreSQL too, as jpa. Its first build"
              + " downloads Hibernate and PostgreSQL.")
  private boolean jpa;

  @Option(
      names = "--postgresql",
      paramLabel = "URL",
      description =
          "Measure the store on this PostgreSQL database too, as postgresql. It must be empty at"
              + " first; its user is in TOYSTORE_DATABASE_USER and TOYSTORE_DATABASE_PASSWORD.")
  private @Nullable String postgresql;

  @Option(
      names = "--replicated",
      paramLabel = "URL",
      description = "The same, as replicated: for a server with a synchronous standby.")
  private @Nullable String replicated;

  @Option(
      names = "--only",
      paramLabel = "SUBJECT",
      split = ",",
      description =
          "Measure only these of mvc, netty, grpc, sync, commit, store, marketplace, together,"
              + " start. Those of the options above are measured in any case.")
  private List<String> only = new ArrayList<>();

  @Mixin private ResultsOption results = new ResultsOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Subject> subjects = subjects(Path.of("").toAbsolutePath());
    ExperimentPlan planned =
        Experiments.plan("bench").only(subjects.stream().map(Subject::name).toList());
    ExperimentPlan plan = quick ? planned.quick() : planned;
    StoredRun run = results.create(plan);
    run.note(against == null ? Map.of() : Map.of("before", against.toAbsolutePath().toString()));
    new BlockRunner(plan, subjects, run, System.out::println)
        .run(blocks == null ? plan.blocks() : blocks);
    return Analysis.report(run.folder());
  }

  private List<Subject> subjects(Path home) throws IOException {
    var subjects = new ArrayList<>(Floors.of(home));
    subjects.add(store("store", home));
    subjects.add(store("marketplace", home));
    subjects.add(store("together", home, "--together"));
    subjects.add(new StartingStore("start", store("store", home)));
    List<String> names = subjects.stream().map(Subject::name).toList();
    if (!names.containsAll(only)) {
      throw new IOException("--only: expected some of " + names + ", got " + only);
    }
    subjects.removeIf(it -> !only.isEmpty() && !only.contains(it.name()));
    if (against != null) {
      Path other = against.toAbsolutePath().normalize();
      if (Files.notExists(other.resolve("target/app/built"))) {
        throw new IOException(
            "--against: expected a clone of this project, built by ./toystore status, in " + other);
      }
      subjects.add(store("before", other));
    }
    if (jpa) {
      subjects.add(new ReferenceSubject("jpa", home, "JpaStore", 0, List.of()));
    }
    if (postgresql != null) {
      subjects.add(store("postgresql", home, "--database", postgresql));
    }
    if (replicated != null) {
      subjects.add(store("replicated", home, "--database", replicated));
    }
    if (direct) {
      subjects.add(store("direct", home, "--toystore.frontend.reads=direct"));
    }
    return subjects;
  }

  private static LauncherSubject store(String name, Path home, String... options) {
    return new LauncherSubject(name, home, PORT, 0, List.of(options));
  }
}
