package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import toystore.clients.Conditions;
import toystore.clients.StoreProcesses;

/// While clients use a store, services are killed (SIGKILL) at random moments, one or two at once;
/// or the power of their disk is cut at a random write (of data, a checkpoint or a start): all
/// services with data are killed, and what was not synced is lost. They are started again each
/// time. The next fault may happen during this start.
record KillsAndPowerCuts(Workload workload, boolean powerCuts) {
  private static final int QUICK = 5;
  private static final int FAULTS = 20;
  private static final int WRITES = 1_200;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(8);

  long round(TrialRound round) throws Exception {
    Path folder = round.folder();
    try (var disk = powerCuts ? FaultInjectingFileSystem.mount(folder.resolve("disk")) : null;
        var store = new StoreProcesses(folder)) {
      Path data = (disk == null ? folder : disk.folder()).resolve("data");
      Path token = folder.resolve("admin-token");
      for (String service : workload.services) {
        store.with(service, "toystore.data", data.toString());
        store.with(service, "toystore.admin-token-file", token.toString());
      }
      store.with("order", "toystore.order.payment-deadline", "1s");
      var run = new FaultRun(store, workload.services, disk, new Random(round.seed()));
      return run.execute(workload, round, token);
    }
  }

  /// @param disk null: services are killed, and keep what they wrote
  private record FaultRun(
      StoreProcesses store,
      List<String> services,
      @Nullable FaultInjectingFileSystem disk,
      Random random) {
    long execute(Workload workload, TrialRound round, Path token) throws Exception {
      restart(services);
      awaitReady();
      int faults = 0;
      try (var clients = workload.start(store, round.folder(), token, random)) {
        while (faults < (round.quick() ? QUICK : FAULTS)) {
          clients.disturb(random);
          long moment = clients.answers() + random.nextInt(workload.answers);
          long latest = System.nanoTime() + PATIENCE_NANOS;
          Conditions.await(() -> clients.answers() >= moment || System.nanoTime() > latest);
          faults += disk == null ? kill() : cut(disk);
          if (random.nextInt(3) > 0) {
            awaitReady();
          }
        }
        awaitReady();
        String counts = clients.check();
        round.out().printf(Locale.ROOT, "%s, %d faults, no loss%n", counts, faults);
      }
      return faults;
    }

    private int kill() throws IOException, InterruptedException {
      int first = random.nextInt(services.size());
      List<String> victims =
          random.nextInt(4) > 0 || services.size() == 1
              ? List.of(services.get(first))
              : List.of(services.get(first), services.get((first + 1) % services.size()));
      for (String victim : victims) {
        store.kill(victim);
      }
      restart(victims);
      return victims.size();
    }

    private int cut(FaultInjectingFileSystem from) throws IOException, InterruptedException {
      List<String> victims = services.stream().filter(it -> !it.equals("frontend")).toList();
      long moment = from.counted("writes") + random.nextInt(WRITES);
      Conditions.await(() -> {
        assertThat(victims)
            .as("services that are alive until the power cut")
            .allMatch(it -> store.process(it).isAlive());
        return from.counted("writes") >= moment;
      });
      for (String victim : victims) {
        store.kill(victim);
      }
      from.cut(random.nextInt(3) > 0, random.nextLong());
      restart(victims);
      return 1;
    }

    private void restart(List<String> victims) throws IOException {
      for (String victim : victims) {
        store.start(victim);
      }
    }

    private void awaitReady() {
      services.forEach(it -> Conditions.await(store.http(it)::isReady));
    }
  }
}
