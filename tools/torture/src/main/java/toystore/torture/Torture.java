package toystore.torture;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import toystore.torture.KillsAndPowerCuts.FaultKind;
import toystore.torture.network.NetworkFaults;
import toystore.torture.postgresql.PostgresFaults;

/// The program behind `./toystore torture`: the list of its trials. [TrialRunner] has its options.
public final class Torture {
  private static final Supplier<Optional<String>> NOTHING = Optional::empty;
  private static final List<Trial> TRIALS =
      List.of(
          faults(
              "crash-points", "kills at crash points", 60, Workload.ORDERS, FaultKind.CRASH_POINT),
          faults(
              "volume-cap",
              "kills below the volume limit",
              60,
              Workload.LIMITED_TRADES,
              FaultKind.CRASH_POINT),
          faults("random-kills", "kills", 300, Workload.ORDERS, FaultKind.KILL),
          faults("power-cuts", "power cuts", 300, Workload.ORDERS, FaultKind.POWER_CUT),
          new Trial(
              "bad-disk",
              "disk faults",
              40,
              DiskFaults.class,
              FaultInjectingFileSystem::missing,
              DiskFaults::round),
          new Trial(
              "flipped-bits", "damaged files", 500, FlippedBits.class, NOTHING, FlippedBits::round),
          new Trial(
              "cut-logs", "truncated logs", 10, TruncatedLogs.class, NOTHING, TruncatedLogs::round),
          linearizable("linearizable", false),
          linearizable("linearizable-cached", true),
          new Trial("overload", "requests", 100_000, Overload.class, NOTHING, Overload::round),
          new Trial(
              "hostile-clients",
              "hostile connections",
              HostileClients.CONNECTIONS,
              HostileClients.class,
              NOTHING,
              HostileClients::round),
          faults("purchases", "kills", 200, Workload.PURCHASES, FaultKind.KILL),
          faults("purchase-power-cuts", "power cuts", 100, Workload.PURCHASES, FaultKind.POWER_CUT),
          faults("exchange", "kills", 200, Workload.TRADES, FaultKind.KILL),
          faults("exchange-power-cuts", "power cuts", 100, Workload.TRADES, FaultKind.POWER_CUT),
          new Trial(
              "postgresql",
              "faults",
              150,
              PostgresFaults.class,
              PostgresFaults::missing,
              new PostgresFaults()::round));

  private static Trial faults(
      String name, String unit, long target, Workload workload, FaultKind kind) {
    return new Trial(
        name,
        unit,
        target,
        KillsAndPowerCuts.class,
        kind == FaultKind.POWER_CUT ? FaultInjectingFileSystem::missing : NOTHING,
        round -> KillsAndPowerCuts.round(round, workload, kind));
  }

  private static Trial linearizable(String name, boolean cached) {
    return new Trial(
        name,
        "requests",
        5_000,
        NetworkFaults.class,
        NetworkFaults::missing,
        round -> NetworkFaults.round(round, cached));
  }

  private Torture() {}

  public static void main(String[] arguments) {
    Runtime.getRuntime().addShutdownHook(new Thread(Torture::endAll, "end-all"));
    System.exit(new CommandLine(new TrialRunner(TRIALS)).execute(arguments));
  }

  /// Kills all child processes, also after Ctrl-C.
  private static void endAll() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }

  static Trial trial(String name) {
    return TRIALS.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }
}
