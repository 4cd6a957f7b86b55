package toystore.gatling;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import toystore.gatling.environment.SkippedException;
import toystore.gatling.report.PublishedResults;
import toystore.gatling.report.Report;
import toystore.gatling.report.RunComparison;
import toystore.gatling.result.RunFolder;

/// Runs experiments, each in its own JVM, so that no experiment inherits heap or compiled code of
/// another. `./toystore lab` starts this program:
///
/// ```
/// Lab run HOME [--quick] [--target URL] [--audit URL] [EXPERIMENT…]
/// Lab report HOME [FOLDER…]      draws reports again from what is stored
/// Lab compare HOME A B           folders of two runs
/// Lab evaluation HOME            the newest full runs into docs/evaluation, its figures into the text
/// ```
///
/// An experiment is a class whose name ends in `Simulation`, which Gatling runs, or in
/// `Experiment`, which is a program. Its command-line name is derived from the class name:
/// `QueryVsBuySimulation` is `query-vs-buy`.
final class Lab {
  /// Folders of classes with experiments. The second exists only if the launcher built it.
  private static final List<String> CLASSES =
      List.of(
          "gatling/target/classes/toystore/gatling",
          "bazaar-lab/target/classes/toystore/bazaarlab");

  private static final String LAB_PROGRAM = "Experiment";
  private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /// Exit code for a wrong command line.
  private static final int USAGE = 2;

  private final Path home;
  private final RunFolders runs;

  private Lab(Path home) {
    this.home = home;
    this.runs = RunFolders.of(home);
  }

  public static void main(String[] arguments) throws Exception {
    var rest = new ArrayList<>(List.of(arguments));
    String command = rest.removeFirst();
    var lab = new Lab(Path.of(rest.removeFirst()).toAbsolutePath().normalize());
    try {
      System.exit(
          switch (command) {
            case "run" -> lab.run(rest);
            case "report" -> lab.report(rest);
            case "compare" -> lab.compare(rest);
            case "evaluation" -> lab.evaluation();
            default ->
                throw new IllegalArgumentException(
                    "unknown command: %s; expected run, report, compare or evaluation"
                        .formatted(command));
          });
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(USAGE);
    } catch (IOException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(1);
    }
  }

  private int run(List<String> arguments) throws IOException, InterruptedException {
    var options = new LinkedHashMap<String, String>();
    var names = new ArrayList<String>();
    for (var it = arguments.iterator(); it.hasNext(); ) {
      String argument = it.next();
      switch (argument) {
        case "--quick" -> options.put("quick", "true");
        case "--target" -> options.put("baseUrl", it.next());
        case "--audit" -> options.put("audit", it.next());
        default -> names.add(argument);
      }
    }
    var all = experiments();
    for (String name : names) {
      if (!all.containsKey(name)) {
        throw new IllegalArgumentException(
            "unknown experiment: %s; available: %s"
                .formatted(name, String.join(", ", all.keySet())));
      }
    }
    var chosen = names.isEmpty() ? List.copyOf(all.keySet()) : names;
    int worst = 0;
    for (String name : chosen) {
      if (chosen.size() > 1) {
        print("%s  experiment %d of %d".formatted(name, chosen.indexOf(name) + 1, chosen.size()));
      }
      int code = run(name, Objects.requireNonNull(all.get(name)), options);
      worst = Math.max(worst, code == SkippedException.EXIT_CODE && names.isEmpty() ? 0 : code);
    }
    return worst;
  }

  private int run(String name, Class<?> experiment, Map<String, String> options)
      throws IOException, InterruptedException {
    Path results = folder(name, options);
    Files.createDirectories(results);
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "--add-opens=java.base/java.lang=ALL-UNNAMED", // Gatling's log writer
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                // keeps Gatling from checking for updates, see pom.xml
                "-Dhttps.proxyHost=127.0.0.1",
                "-Dhttps.proxyPort=9",
                "-Djava.util.prefs.userRoot=" + home.resolve("gatling/target"),
                "-Dhome=" + home,
                "-Dkey=" + key(name, options),
                "-Dresults=" + results));
    options.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        experiment.getName().endsWith(LAB_PROGRAM)
            ? List.of(experiment.getName())
            : List.of(
                "io.gatling.app.Gatling",
                "-s",
                experiment.getName(),
                "-rf",
                results.resolve("gatling").toString()));
    return runProcess(name, command, results);
  }

  /// Returns the folder of an interrupted run with the same key, otherwise a new folder.
  private Path folder(String name, Map<String, String> options) throws IOException {
    var interrupted = runs.interrupted(key(name, options));
    if (interrupted.isPresent()) {
      RunFolder run = interrupted.get();
      print(
          "%s  resuming the run started at %s (%d samples exist; to start over, delete %s)"
              .formatted(name, run.about("started"), run.samples().size(), run.folder()));
      return run.folder();
    }
    String quick = options.containsKey("quick") ? "-quick" : "";
    return runs.folder().resolve(name + quick + "-" + FOLDER.format(LocalDateTime.now()));
  }

  /// The values that must be equal for a run to be resumed.
  private String key(String name, Map<String, String> options) {
    return name + options + RunMetadata.commit(home).get("commit");
  }

  /// Runs an experiment. All its output goes to a log; only progress lines are printed.
  private int runProcess(String name, List<String> command, Path results)
      throws IOException, InterruptedException {
    Path log = results.resolve("gatling.log");
    var builder = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process), "stop"));
    String last = copy(process, log);
    int code = process.waitFor();
    if (code == 0) {
      System.out.println();
      writeReports(List.of(RunFolder.read(results)));
    } else if (code == SkippedException.EXIT_CODE) {
      print(name + "  skipped: " + last);
    } else {
      System.err.println("lab: %s failed: %s (log: %s)".formatted(name, last, log));
    }
    return code;
  }

  /// The stores are child processes of the experiment and stop with it.
  private static void end(Process process) {
    process.toHandle().destroy();
    process.onExit().join();
  }

  /// @return the last line that is neither blank nor part of a stack trace
  private static String copy(Process process, Path log) throws IOException {
    String last = "";
    try (var in = process.inputReader(StandardCharsets.UTF_8);
        var out = Files.newBufferedWriter(log)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.append(line).append('\n').flush();
        last = line.isBlank() || line.startsWith("\tat ") ? last : line;
        if (line.startsWith(Progress.PREFIX)) {
          System.out.println(line);
          System.out.flush();
        }
      }
    }
    return last;
  }

  private int report(List<String> folders) throws IOException {
    writeReports(folders.isEmpty() ? runs.newest() : read(folders));
    return 0;
  }

  private int compare(List<String> folders) throws IOException {
    var two = read(folders);
    if (two.size() != 2) {
      throw new IllegalArgumentException("compare: expected two run folders, found " + folders);
    }
    System.out.print(RunComparison.text(two.getFirst(), two.getLast(), runs.noise().orElse(null)));
    return 0;
  }

  private void writeReports(List<RunFolder> written) throws IOException {
    var published = PublishedResults.read(home.resolve("docs/evaluation/published.csv"));
    var noise = runs.noise().orElse(null);
    for (RunFolder run : written) {
      System.out.println(Report.write(run, published, noise));
    }
    Report.writeIndex(runs.folder(), runs.newest());
  }

  private static List<RunFolder> read(List<String> folders) throws IOException {
    var read = new ArrayList<RunFolder>();
    for (String folder : folders) {
      if (!RunFolder.isAt(Path.of(folder))) {
        throw new IllegalArgumentException(
            "not a run folder (about.properties or samples.csv is missing): " + folder);
      }
      read.add(RunFolder.read(Path.of(folder)));
    }
    return read;
  }

  private int evaluation() throws IOException {
    List<String> errors = new Publication(home, runs).publish(experiments().keySet());
    errors.forEach(System.err::println);
    System.out.println("updated docs/evaluation.md; the reports are in docs/evaluation");
    return errors.isEmpty() ? 0 : 1;
  }

  /// Experiments by name, in the order of their names, but `noise` first, because the others use
  /// its resolution.
  private Map<String, Class<?>> experiments() throws IOException {
    var files = new ArrayList<String>();
    for (String folder : CLASSES) {
      files.addAll(experiments(folder));
    }
    return files.stream()
        .map(Lab::named)
        .sorted(
            Comparator.comparing((Class<?> it) -> it != NoiseSimulation.class)
                .thenComparing(Class::getSimpleName))
        .collect(Collectors.toMap(Lab::name, it -> it, (a, _) -> a, LinkedHashMap::new));
  }

  /// The experiments in a folder that is on the class path.
  private List<String> experiments(String folder) throws IOException {
    String prefix = folder.substring(folder.indexOf("toystore/"));
    Path classes = home.resolve(folder);
    if (Lab.class.getResource("/" + prefix + "/package-info.class") == null
        || !Files.isDirectory(classes)) {
      return List.of();
    }
    try (var files = Files.list(classes)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.matches("\\w+(Simulation|Experiment)\\.class"))
          .map(file -> (prefix + "/" + file.replace(".class", "")).replace('/', '.'))
          .toList();
    }
  }

  private static Class<?> named(String experiment) {
    try {
      return Class.forName(experiment, false, Lab.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /// `QueryVsBuySimulation` → `query-vs-buy`.
  static String name(Class<?> experiment) {
    return experiment
        .getSimpleName()
        .replaceAll("Simulation$|Experiment$", "")
        .replaceAll("(?<!^)([A-Z])", "-$1")
        .toLowerCase(Locale.ROOT);
  }

  private static void print(String line) {
    System.out.println(Progress.PREFIX + line);
    System.out.flush();
  }
}
