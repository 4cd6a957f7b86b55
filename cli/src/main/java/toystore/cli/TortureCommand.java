package toystore.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `./toystore torture`: breaks stores of its own on purpose, and says what held. The program is in
/// torture/.
@Command(
    name = "torture",
    description =
        "Break stores on purpose (kills, power cuts, bad disks, lossy networks, overload) and check"
            + " what docs/guarantees.md promises.",
    footer = {
      "",
      "It starts stores of its own on free ports and leaves yours alone. Results land in",
      "target/results; `torture guarantees` puts them into docs/."
    })
final class TortureCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "WHAT",
      description =
          "mistakes [NAME...] plants mistakes in a clone and looks whether the tests see them;"
              + " guarantees fills docs/guarantees.md. Without: the trials.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "For how long (default: until each trial was tried as often as it wants).")
  private @Nullable Integer minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Of everything random (default: a new one, which is printed).")
  private @Nullable Long seed;

  @Option(
      names = "--only",
      paramLabel = "TRIAL",
      split = ",",
      description = "Such as power-cuts; an unknown one lists them.")
  private List<String> only = new ArrayList<>();

  @Option(names = "--quick", description = "One short round of each.")
  private boolean quick;

  @Option(names = "--strict", description = "A trial whose tool is missing is a failure.")
  private boolean strict;

  @Option(names = "--replay", description = "One round of --only, with the seed it printed.")
  private boolean replay;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (minutes != null && minutes < 1) {
      throw CommandRefused.usage("--minutes must be from 1, got " + minutes);
    }
    if (replay && (seed == null || only.size() != 1)) {
      throw CommandRefused.usage("--replay needs --seed and one --only");
    }
    var workshop = new ModuleRunner("torture", "building what breaks stores");
    workshop.build();
    return workshop.run(
        "toystore.torture.Torture",
        List.of(
            "-Xmx512m",
            "--sun-misc-unsafe-memory-access=allow", // protobuf
            "-Dlogback.configurationFile=" + workshop.home().resolve("torture/logback.xml"),
            "-Dtoystore.programs=launcher"),
        words.isEmpty() ? run() : words);
  }

  private List<String> run() {
    var arguments = new ArrayList<>(List.of("run"));
    arguments.add("--seed=" + (seed == null ? System.currentTimeMillis() % 1_000_000 : seed));
    if (minutes != null) {
      arguments.add("--minutes=" + minutes);
    }
    if (!only.isEmpty()) {
      arguments.add("--only=" + String.join(",", only));
    }
    if (quick) {
      arguments.add("--quick");
    }
    if (strict) {
      arguments.add("--strict");
    }
    if (replay) {
      arguments.add("--replay");
    }
    return arguments;
  }
}
