package toystore.cli.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// `./toystore bench`: measures the store beside what the machine can do. It is an experiment of
/// the lab, which parses all options: `./toystore lab run bench`.
@Command(
    name = "bench",
    description = "Measure the store beside floors: what the machine can do at most.",
    synopsisHeading = "Usage: ./toystore bench [--quick] [--against=FOLDER] [OPTION...]%n",
    customSynopsis = "",
    footer = {"", "For its options: ./toystore lab help run. It runs for about 30 minutes."})
public final class BenchmarkCommand implements Callable<Integer> {
  @Unmatched private List<String> options = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("run", "bench"));
    arguments.addAll(options);
    return LabCommand.run(arguments);
  }
}
