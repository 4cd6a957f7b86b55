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
          new Trial(
              "crash-points",
              "kills at crash points",
              60,
              CrashPointKills.class,
              CrashPointKills::round),
          new Trial(
              "volume-cap",
              "kills below the volume limit",
              60,
              TradeVolumeLimit.class,
              TradeVolumeLimit::round),
          kills("random-kills", 300, Workload.ORDERS),
          powerCuts("power-cuts", 300, Workload.ORDERS),
          new Trial(
              "bad-disk",
              "disk faults",
              40,
              DiskFaults.class,
              FaultInjectingFileSystem::missing,
              new DiskFaults()::round),
          new Trial("flipped-bits", "damaged files", 500, FlippedBits.class, FlippedBits::round),
          new Trial("cut-logs", "truncated logs", 10, TruncatedLogs.class, TruncatedLogs::round),
          linearizable("linearizable", false),
          linearizable("linearizable-cached", true),
          new Trial("overload", "requests", 100_000, Overload.class, Overload::round),
          new Trial(
              "hostile-clients",
              "hostile connections",
              HostileClients.connections(),
              HostileClients.class,
              HostileClients::round),
          kills("purchases", 200, Workload.PURCHASES),
          powerCuts("purchase-power-cuts", 100, Workload.PURCHASES),
          kills("exchange", 200, Workload.TRADES),
          powerCuts("exchange-power-cuts", 100, Workload.TRADES),
          new Trial(
              "postgresql",
              "faults",
              104,
              PostgresFaults.class,
              PostgresFaults::missing,
              new PostgresFaults()::round));

  private static Trial kills(String name, long target, Workload workload) {
    var kills = new KillsAndPowerCuts(workload, false);
    return new Trial(name, "kills", target, KillsAndPowerCuts.class, kills::round);
  }

  private static Trial powerCuts(String name, long target, Workload workload) {
    return new Trial(
        name,
        "power cuts",
        target,
        KillsAndPowerCuts.class,
        FaultInjectingFileSystem::missing,
        new KillsAndPowerCuts(workload, true)::round);
  }

  private static Trial linearizable(String name, boolean cached) {
    return new Trial(
        name,
        "requests",
        5_000,
        NetworkFaults.class,
        NetworkFaults::missing,
        new NetworkFaults(cached)::round);
  }

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

  static Trial trial(String name) {
    return TRIALS.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
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
