package toystore.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `./toystore lab`: runs experiments and prints what they measured.
///
/// The lab is a program of its own, in gatling/: this one builds it and hands over, so that whoever
/// only starts a store does not download a load generator.
@Command(
    name = "lab",
    description = "Measure stores: each experiment ends in tables, plots and findings.",
    footer = {
      "",
      "An experiment that was interrupted goes on where it stopped. Results land in",
      "gatling/target/results; `lab evaluation` puts the newest full ones, and their figures, into docs/."
    })
final class LabCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "EXPERIMENT",
      description =
          "Such as query-vs-buy (default: all; an unknown one lists them). Or: report [FOLDER...]"
              + " draws reports again; compare A B sets two runs side by side; evaluation fills"
              + " docs/evaluation.md.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--quick",
      description = "Fewer repetitions and calls: all of it in under ten minutes, not an hour.")
  private boolean quick;

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "Measure the store that runs there, and start none.")
  private @Nullable String target;

  @Option(
      names = "--audit",
      paramLabel = "URL",
      description = "Where that store is audited at the end, such as http://HOST:8081/audit.")
  private @Nullable String audit;

  private final Path home = Jvms.projectFolder();
  private final Path module = home.resolve("gatling");

  @Override
  public Integer call() throws IOException, InterruptedException {
    build();
    var command = new ArrayList<String>();
    command.addAll(
        List.of(java(), "-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-cp", classPath()));
    command.add("toystore.gatling.Lab");
    command.addAll(arguments());
    return run(command);
  }

  private List<String> arguments() {
    var arguments = new ArrayList<String>();
    boolean other =
        !words.isEmpty() && List.of("report", "compare", "evaluation").contains(words.getFirst());
    arguments.add(other ? words.getFirst() : "run");
    arguments.add(home.toString());
    if (quick) {
      arguments.add("--quick");
    }
    if (target != null) {
      arguments.addAll(List.of("--target", target));
    }
    if (audit != null) {
      arguments.addAll(List.of("--audit", audit));
    }
    arguments.addAll(other ? words.subList(1, words.size()) : words);
    return arguments;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private String classPath() {
    return module.resolve("target/classes") + ":" + module.resolve("target/lib") + "/*";
  }

  /// Builds the lab where its sources are newer than what was built.
  private void build() throws IOException, InterruptedException {
    var built = module.resolve("target/lab-built");
    if (Files.exists(built) && newest().compareTo(Files.getLastModifiedTime(built)) < 0) {
      return;
    }
    System.err.println("toystore: building the lab (the first time it downloads Gatling)");
    var maven = List.of("./mvnw", "-q", "-B", "-pl", "gatling", "-Dmaven.test.skip=true");
    var command = new ArrayList<>(maven);
    command.addAll(List.of("-Dspotless.check.skip=true", "package"));
    if (run(command) != 0) {
      throw new Refused("the lab was not built");
    }
    Files.writeString(built, "");
  }

  private FileTime newest() throws IOException {
    try (Stream<Path> files =
        Stream.concat(
            Stream.of(home.resolve("pom.xml"), module.resolve("pom.xml")),
            Files.walk(module.resolve("src/main")))) {
      var newest = FileTime.fromMillis(0);
      for (Path file : files.toList()) {
        var changed = Files.getLastModifiedTime(file);
        newest = changed.compareTo(newest) > 0 ? changed : newest;
      }
      return newest;
    }
  }

  /// A child in the project's folder on this program's JDK. Where this program is ended, so is the
  /// child, and waited for: it ends what it started.
  private int run(List<String> command) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command).directory(home.toFile()).inheritIO();
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put(
            "MAVEN_OPTS",
            "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow");
    var child = builder.start();
    var stop =
        new Thread(
            () -> {
              child.toHandle().destroy();
              child.onExit().join();
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(stop);
    int code = child.waitFor();
    Runtime.getRuntime().removeShutdownHook(stop);
    return code;
  }
}
