package toystore.cli.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// `./toystore torture`: injects faults into its own stores and checks the guarantees. The program
/// is in the module torture, which parses all options.
@Command(
    name = "torture",
    description =
        "Inject faults into stores (kills, power cuts, bad disks, lossy networks, overload) and check"
            + " their guarantees.",
    synopsisHeading = "Usage: ./toystore torture [OPTION...] [mistakes [NAME...] | guarantees]%n",
    customSynopsis = "",
    footer = {"", "For its options: ./toystore torture help. It does not touch your stores."})
public final class TortureCommand implements Callable<Integer> {
  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var module = new ModuleRunner("torture", "building the torture tests");
    module.build();
    Path log = module.home().resolve("tools/torture/logback.xml");
    return module.run(
        "toystore.torture.Torture",
        List.of("-Xmx512m", "-Dlogback.configurationFile=" + log, "-Dtoystore.programs=launcher"),
        arguments);
  }
}
