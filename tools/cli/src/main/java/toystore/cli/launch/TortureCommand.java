package toystore.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import toystore.cli.command.CommandRefusal;

/// `./toystore torture`: injects faults into its own stores and checks the guarantees. The program
/// is in the module torture.
@Command(
    name = "torture",
    description =
        "Inject faults into stores (kills, power cuts, bad disks, lossy networks, overload) and check"
            + " the guarantees of docs/guarantees.md.",
    footer = {
      "",
      "It starts its own stores on free ports and does not touch yours. Results are written to "
          + "target/results; `torture guarantees` copies them into docs/."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the spec
public final class TortureCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "WHAT",
      description =
          "mistakes [NAME...] injects bugs into a clone of this repository and checks that the tests detect them;"
              + " guarantees updates docs/guarantees.md. Default: run the trials.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How long to run (default: until each trial has reached its target count).")
  private @Nullable Integer minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "The random seed (default: a new one, which is printed).")
  private @Nullable Long seed;

  @Option(
      names = "--only",
      paramLabel = "TRIAL",
      split = ",",
      description = "Run only these trials, such as power-cuts; an unknown name prints the list.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--faults",
      paramLabel = "FAULT",
      split = ",",
      description =
          "Only with --only postgresql: the faults of a round, such as catalog-cut; each as often as it is named"
              + " (default: one of each).")
  private List<String> faults = new ArrayList<>();

  @Option(names = "--quick", description = "Run one short round of each trial.")
  private boolean quick;

  @Option(names = "--strict", description = "Fail if the tool that a trial needs is not installed.")
  private boolean strict;

  @Option(
      names = "--replay",
      description = "Repeat one round of the trial given by --only, with the seed that it printed.")
  private boolean replay;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (minutes != null && minutes < 1) {
      throw CommandRefusal.usage("--minutes must be at least 1; got " + minutes);
    }
    if (replay && (seed == null || only.size() != 1)) {
      throw CommandRefusal.usage("--replay requires --seed and exactly one trial in --only");
    }
    if (!faults.isEmpty() && !only.equals(List.of("postgresql"))) {
      throw CommandRefusal.usage("--faults requires --only postgresql");
    }
    if (!words.isEmpty() && !List.of("mistakes", "guarantees").contains(words.getFirst())) {
      throw CommandRefusal.usage(
          "unknown command of torture: %s; available: mistakes, guarantees", words.getFirst());
    }
    var module = new ModuleRunner("torture", "building the torture tests");
    Path folder = module.home().resolve("tools/torture");
    for (String bug : words.stream().skip(1).toList()) {
      if (!Files.exists(folder.resolve("mistakes").resolve(bug + ".patch"))) {
        throw CommandRefusal.usage(
            "unknown planted bug: %s; tools/torture/mistakes has a patch for each", bug);
      }
    }
    module.build();
    return module.run(
        "toystore.torture.Torture",
        List.of(
            "-Xmx512m",
            "-Dlogback.configurationFile=" + folder.resolve("logback.xml"),
            "-Dtoystore.programs=launcher"),
        words.isEmpty() ? run() : words);
  }

  /// The options as given, and a seed.
  private List<String> run() {
    var arguments = new ArrayList<>(List.of("run"));
    if (seed == null) {
      arguments.add("--seed=" + System.currentTimeMillis() % 1_000_000);
    }
    spec.commandLine().getParseResult().matchedOptions().stream()
        .distinct()
        .map(it ->
            it.arity().max() == 0
                ? it.longestName()
                : it.longestName() + "=" + String.join(",", it.originalStringValues()))
        .forEach(arguments::add);
    return arguments;
  }
}
