package toystore.cli.launch;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import toystore.cli.launch.ReadinessClient.Readiness;

/// `./toystore status`: prints which processes use a data folder, whether they are ready, and why
/// not.
@Command(
    name = "status",
    description = "Show the processes of the store; exit code 0 when all services are ready.")
public final class StatusCommand implements Callable<Integer> {
  @Mixin private final DataOption data = new DataOption();

  @Override
  public Integer call() throws IOException {
    DataFolder folder = data.folder();
    if (folder.exists()) {
      folder.requireWritable(); // otherwise the lock may not even be visible
    }
    Optional<RunState> running = RunState.of(folder);
    if (running.isEmpty()) {
      System.out.println("no store is running on data folder " + folder.path());
      StoppedProcesses.on(folder)
          .forEach(it ->
              System.out.println(
                  StoppedProcesses.describe(it)
                      + " is stopped (SIGSTOP) and holds ports and locks, because its launcher was"
                      + " killed; ./toystore up ends it"));
      return 1;
    }
    return print(folder, running.get()) ? 0 : 1;
  }

  private static boolean print(DataFolder folder, RunState running) throws IOException {
    StoreLayout layout = running.layout();
    System.out.printf(
        Locale.ROOT,
        "data folder %s, launcher pid %d, %s, running since %s%n",
        folder.path(),
        running.launcher(),
        layout.together() ? "all services in one process" : "one process per service",
        running.since());
    var plan = new StorePlan(Services.ofProject(), layout, null, folder.path(), null, List.of());
    var working = new HashSet<String>(); // programs of which a process is ready
    var allUp = true;
    for (ProcessSpec part : plan.parts()) {
      Long pid = running.pids().getOrDefault(part.name(), -1L);
      Boolean alive = ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
      ReadinessClient.State state = alive ? state(part) : ReadinessClient.State.AWAY;
      for (ProcessSpec.Service service : part.services()) {
        System.out.printf(
            Locale.ROOT,
            "%-18s  %s, %s, %s%s%n",
            service.name(),
            alive ? "pid " + pid : "no process",
            service.describePorts(),
            state,
            database(running, service.name()));
      }
      allUp &= state.readiness() != Readiness.NOT_READY;
      if (state.readiness() == Readiness.READY) {
        working.add(part.app());
      }
    }
    return allUp && plan.parts().stream().map(ProcessSpec::app).allMatch(working::contains);
  }

  private static ReadinessClient.State state(ProcessSpec part) {
    try (var client = new ReadinessClient(part)) {
      return client.state();
    }
  }

  /// @param service its name, of a standby with a number
  private static String database(RunState running, String service) {
    String place = running.databases().get(service.replaceFirst("-\\d+$", ""));
    return place == null ? "" : ", data in " + place;
  }
}
