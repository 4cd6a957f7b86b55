package toystore.torture;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import toystore.torture.network.NetworkFaults;
import toystore.torture.postgresql.PostgresFaults;

/// The program behind `./toystore torture`.
///
/// ```
/// run [--minutes=N] [--seed=S] [--only=NAME,…] [--quick] [--strict] [--replay]
/// mistakes [NAME…]    plants bugs and checks that the tests detect them
/// guarantees          copies the newest results to docs/guarantees and updates docs/guarantees.md
/// ```
public final class Torture {
  private static final List<Trial> TRIALS =
      List.of(
          new CrashPointKills(),
          new TradeVolumeLimit(),
          new KillsAndPowerCuts(Workload.ORDERS, false),
          new KillsAndPowerCuts(Workload.ORDERS, true),
          new DiskFaults(),
          new FlippedBits(),
          new TruncatedLogs(),
          new NetworkFaults(false, false),
          new NetworkFaults(true, false),
          new NetworkFaults(true, true),
          new Overload(),
          new HostileClients(),
          new KillsAndPowerCuts(Workload.PURCHASES, false),
          new KillsAndPowerCuts(Workload.PURCHASES, true),
          new KillsAndPowerCuts(Workload.TRADES, false),
          new KillsAndPowerCuts(Workload.TRADES, true),
          new PostgresFaults());

  private Torture() {}

  public static void main(String[] arguments) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(Torture::endAll, "end-all"));
    List<String> words = List.of(arguments);
    List<String> rest = words.subList(1, words.size());
    boolean well =
        switch (words.getFirst()) {
          case "run" -> run(TortureOptions.of(rest));
          case "mistakes" -> new PlantedBugRunner(rest).run();
          case "guarantees" -> GuaranteeReport.refresh();
          default ->
              throw new IllegalArgumentException(
                  "unknown command: "
                      + words.getFirst()
                      + "; expected run, mistakes or guarantees");
        };
    System.exit(well ? 0 : 1);
  }

  /// Kills all child processes, also after Ctrl-C.
  private static void endAll() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }

  static List<String> names() {
    return TRIALS.stream().map(Trial::name).toList();
  }

  private static boolean run(TortureOptions options) throws IOException {
    List<String> names = names();
    if (!names.containsAll(options.only())) {
      System.err.printf(
          Locale.ROOT, "unknown trial in %s; expected some of %s%n", options.only(), names);
      return false;
    }
    return new TrialRunner(
            options,
            TRIALS.stream()
                .filter(it -> options.only().isEmpty() || options.only().contains(it.name()))
                .toList())
        .run();
  }
}
