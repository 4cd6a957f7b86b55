package toystore.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// `./toystore lab`: runs experiments, each on a fresh store of its own, and prints what they
/// measured.
///
/// ```
/// lab -+- ./toystore up --fresh …       until SIGTERM; its output goes to store.log
///      +- ./mvnw -pl gatling …          drives the load, checks each answer, writes the report
///      +- GET /audit                    what the load did must add up
/// ```
///
/// The load runs in a JVM of the gatling module: this program neither holds Gatling nor steals the
/// load's time. All results land under `gatling/target/results`, since whatever can be made again
/// by one command belongs where git does not look and one `clean` removes it.
@Command(
    name = "lab",
    description = "Measure a fresh store: each experiment ends in a table, a chart and a report.")
final class LabCommand implements Callable<Integer> {
  /// What can be measured. Another experiment is a simulation in gatling/ and a line here.
  private enum Experiment {
    QUERY_VS_BUY("query-vs-buy", "toystore.gatling.QueryVsBuySimulation");

    private final String title;
    private final String simulation;

    Experiment(String title, String simulation) {
      this.title = title;
      this.simulation = simulation;
    }

    static Experiment named(String title) {
      return Arrays.stream(values())
          .filter(experiment -> experiment.title.equals(title))
          .findFirst()
          .orElseThrow(
              () -> Refused.usage("unknown experiment: %s; there are: %s".formatted(title, all())));
    }

    private static String all() {
      return Arrays.stream(values()).map(known -> known.title).collect(Collectors.joining(", "));
    }
  }

  private static final long PIECES = 10_000_000;
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration STOP = Duration.ofMinutes(1);
  private static final Duration AUDIT = Duration.ofMinutes(2);
  private static final Pattern PROGRESS = Pattern.compile("\\d+ clients?: .*");
  private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Parameters(
      arity = "0..*",
      paramLabel = "EXPERIMENT",
      description = "query-vs-buy (default: all there are).")
  private List<String> names = new ArrayList<>();

  @Option(names = "--quick", description = "A tenth of the calls: about a minute, not ten.")
  private boolean quick;

  private final Path home = Jvms.projectFolder();
  private final List<Process> children = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var experiments =
        names.isEmpty()
            ? List.of(Experiment.values())
            : names.stream().map(Experiment::named).toList();
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopChildren, "stop"));
    for (var experiment : experiments) {
      measure(experiment);
    }
    return 0;
  }

  private void measure(Experiment experiment) throws IOException, InterruptedException {
    var results =
        home.resolve("gatling/target/results")
            .resolve(experiment.title + "-" + FOLDER.format(LocalDateTime.now()));
    var log = results.resolve("gatling.log");
    Files.createDirectories(results);
    say(experiment.title + ": starting a fresh store");
    var port = freePort(results);
    var store = startStore(port, stockedCatalog(results), results.resolve("store.log"));
    try {
      drive(experiment, port, results, log);
      checkAudit(port);
    } finally {
      stop(store);
    }
    say("");
    System.out.print(Files.readString(results.resolve("report.txt")));
    say("report " + gatlingReport(log));
    say("audit  ok");
  }

  /// The first place, 100 ports apart, where a whole store has room. Not 8080 itself: that is the
  /// user's.
  private static int freePort(Path results) {
    for (int port = Ports.DEFAULT + 100; port < Ports.DEFAULT + 10_000; port += 100) {
      var plan =
          new StorePlan(false, new Ports(port), results, null, StorePlan.LOOPBACK, List.of());
      if (plan.busyPort(InetAddress.getLoopbackAddress()).isEmpty()) {
        return port;
      }
    }
    throw new Refused("no room for a store on the ports from 8180 on");
  }

  /// The shipped toys, so many of each that no run empties a shelf.
  private Path stockedCatalog(Path results) throws IOException {
    var shipped = home.resolve("catalog-service/src/main/resources/catalog.csv");
    var file = results.resolve("catalog.csv");
    try (var in =
            CSVFormat.RFC4180.builder().setHeader().get().parse(Files.newBufferedReader(shipped));
        var out = CSVFormat.RFC4180.print(Files.newBufferedWriter(file))) {
      out.printRecord("name", "price", "quantity", "category");
      for (var toy : in) {
        out.printRecord(toy.get("name"), toy.get("price"), PIECES, toy.get("category"));
      }
    }
    return file;
  }

  private Process startStore(int port, Path catalog, Path log)
      throws IOException, InterruptedException {
    var up = List.of("./toystore", "up", "--fresh", "--port", String.valueOf(port));
    var command = new ArrayList<>(up);
    command.addAll(List.of("--catalog", catalog.toString()));
    var ready = new CompletableFuture<String>();
    var store = start(command);
    Thread.ofVirtual()
        .start(() ->
            copy(
                store,
                log,
                line -> {
                  if (line.startsWith("ready http://")) {
                    ready.complete(line);
                  }
                }));
    store.onExit().thenRun(() -> ready.completeExceptionally(new IOException("it ended")));
    try {
      say("  store " + ready.get(START.toMillis(), TimeUnit.MILLISECONDS));
      return store;
    } catch (ExecutionException | TimeoutException notReady) {
      stop(store);
      throw new Refused("the store did not become ready, %s says why".formatted(log));
    }
  }

  private void drive(Experiment experiment, int port, Path results, Path log)
      throws IOException, InterruptedException {
    var command =
        List.of(
            "./mvnw",
            "-q",
            "-B",
            "-Dspotless.check.skip=true", // the formatter is for those who build
            "-pl",
            "gatling",
            "gatling:test",
            "-Dgatling.simulationClass=" + experiment.simulation,
            "-DbaseUrl=http://127.0.0.1:" + port,
            "-Dclients=1-5",
            "-Dqueries=" + (quick ? 1_000 : 10_000),
            "-Dbuys=" + (quick ? 100 : 1_000),
            "-Dresults=" + results);
    var load = start(command);
    copy(
        load,
        log,
        line -> {
          if (PROGRESS.matcher(line).matches()) {
            say("  " + line);
          }
        });
    if (load.waitFor() != 0) {
      throw new Refused("%s: a check failed, %s says which".formatted(experiment.title, log));
    }
  }

  private static void checkAudit(int port) throws IOException, InterruptedException {
    var url = URI.create("http://127.0.0.1:%d/audit".formatted(port + 1));
    try (var http = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build()) {
      var answer =
          http.send(HttpRequest.newBuilder(url).timeout(AUDIT).build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200 || !isOk(answer.body())) {
        throw new Refused("the audit after the run is not ok: %s".formatted(answer.body()));
      }
    }
  }

  private static boolean isOk(String audit) {
    try {
      return JsonMapper.shared().readTree(audit).path("ok").asBoolean(false);
    } catch (JacksonException noJson) {
      return false;
    }
  }

  /// The file of Gatling's own report, as Gatling tells it at its end.
  private static Path gatlingReport(Path log) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines
          .filter(line -> line.startsWith("Reports generated"))
          .map(line -> Path.of(URI.create(line.substring(line.indexOf("file:///")))))
          .findFirst()
          .orElseThrow(() -> new Refused(log + " names no report of Gatling"));
    }
  }

  /// A child in the project's folder, on this program's JDK.
  private Process start(List<String> command) throws IOException {
    var builder = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put(
            "MAVEN_OPTS",
            "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow");
    var child = builder.start();
    synchronized (children) {
      children.add(child);
    }
    return child;
  }

  /// Copies each line the child prints to the log, and hands it over, until the child ends.
  private static void copy(Process child, Path log, Consumer<String> lines) {
    try (var in = new BufferedReader(child.inputReader(StandardCharsets.UTF_8));
        var out = Files.newBufferedWriter(log)) {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        out.write(line);
        out.newLine();
        out.flush();
        lines.accept(line);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static void stop(Process child) throws InterruptedException {
    terminate(child);
    if (!child.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
      child.destroyForcibly();
      throw new Refused("the store did not stop within " + STOP.toSeconds() + " s of SIGTERM");
    }
  }

  /// By SIGTERM. `Process.destroy` would also close the pipe its last words come through.
  private static void terminate(Process child) {
    child.toHandle().destroy();
  }

  /// Ends what still runs when this program is interrupted; at a normal end nothing does. Gatling's
  /// JVM is a grandchild: it ends by itself at its first call to a store that is gone.
  private void stopChildren() {
    synchronized (children) {
      children.forEach(LabCommand::terminate);
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
