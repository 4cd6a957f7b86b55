package toystore.cli.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// `./toystore lab`: measures stores.
///
/// The lab is a separate program in the module `tools/lab`, which parses all options. This command
/// builds and starts it, so that users who only start a store need not download its libraries.
@Command(
    name = "lab",
    description = "Measure stores: run experiments, compare commits.",
    synopsisHeading = "Usage: ./toystore lab COMMAND [OPTION...] [ARGUMENT...]%n",
    customSynopsis = "",
    footer = {
      "",
      "Commands:",
      "  run [EXPERIMENT...]   run experiments; --quick shows within minutes that it works",
      "  ab COMMIT1 COMMIT2    compare two commits; exit code 3 if the second is slower",
      "  report [FOLDER...]    write the page of each run; evaluation publishes complete runs in docs/",
      "  help [COMMAND]        print all commands, or the options of one"
    })
public final class LabCommand implements Callable<Integer> {
  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return run(arguments);
  }

  static int run(List<String> arguments) throws IOException, InterruptedException {
    var module = new ModuleRunner("lab", "building the lab");
    module.build();
    return module.run(
        "toystore.lab.LabProgram",
        List.of("-Xmx512m", "-Dslf4j.internal.verbosity=ERROR"),
        arguments);
  }
}
