package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import toystore.clients.Conditions;
import toystore.clients.StoreProcesses;
import toystore.torture.crash.CrashPoints;
import toystore.torture.crash.CrashPoints.CrashPoint;
import toystore.torture.trial.TrialRound;

/// While clients use a store, services fail. They are started again each time. The next fault may
/// happen during this start. At the end, the store is compared with what the clients were told.
///
/// @param disk null: services keep what they wrote
record KillsAndPowerCuts(
    TrialRound round,
    StoreProcesses store,
    Workload workload,
    @Nullable FaultInjectingFileSystem disk,
    Random random) {
  private static final int QUICK = 5;
  private static final int FAULTS = 20;
  private static final int WRITES = 1_200;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final int PASSAGES = 20;
  private static final int QUICK_PASSAGES = 6;
  private static final List<ServiceCrash> CRASHES =
      List.of(
          new ServiceCrash("catalog", CrashPoint.BEFORE_COMMIT),
          new ServiceCrash("catalog", CrashPoint.BEFORE_PUBLISHING),
          new ServiceCrash("catalog", CrashPoint.BEFORE_ANSWER),
          new ServiceCrash("order", CrashPoint.BEFORE_ANSWER));

  /// How services fail.
  enum FaultKind {
    /// One or two are killed (SIGKILL) at a random moment.
    KILL,
    /// One kills itself at a point of a buy where a crash could leave the order incomplete.
    CRASH_POINT,
    /// The power of their disk is cut at a random write (of data, a checkpoint or a start): all
    /// services with data are killed, and what was not synced is lost.
    POWER_CUT
  }

  private record ServiceCrash(String service, CrashPoint point) {}

  static long round(TrialRound round, Workload workload, FaultKind kind) throws Exception {
    Path folder = round.folder();
    try (var disk =
            kind == FaultKind.POWER_CUT
                ? FaultInjectingFileSystem.mount(folder.resolve("disk"))
                : null;
        var store = new StoreProcesses(folder)) {
      Path data = (disk == null ? folder : disk.folder()).resolve("data");
      for (String service : workload.services) {
        store.with(service, "toystore.data", data.toString());
      }
      return new KillsAndPowerCuts(round, store, workload, disk, new Random(round.seed()))
          .execute(kind);
    }
  }

  private long execute(FaultKind kind) throws Exception {
    workload.prepare(store, round);
    start(workload.services);
    awaitReady();
    List<ServiceCrash> crashes = new ArrayList<>(CRASHES);
    Collections.shuffle(crashes, random);
    int faults = 0;
    try (var clients = workload.start(store, round, random)) {
      while (faults < (round.quick() ? QUICK : FAULTS) && !clients.areDone()) {
        clients.disturb(random);
        long moment = clients.answers() + random.nextInt(workload.answers);
        long latest = System.nanoTime() + PATIENCE_NANOS;
        Conditions.await(() -> clients.answers() >= moment || System.nanoTime() > latest);
        faults +=
            switch (kind) {
              case KILL -> kill();
              case CRASH_POINT -> crash(crashes.get(faults % crashes.size()), clients);
              case POWER_CUT -> cutPower();
            };
        if (random.nextInt(3) > 0) {
          awaitReady();
        }
      }
      awaitReady();
      String counts = clients.check();
      round.print("%s, %d faults, no loss", counts, faults);
    }
    return faults;
  }

  private int kill() throws IOException, InterruptedException {
    List<String> services = workload.services;
    int first = random.nextInt(services.size());
    List<String> victims =
        random.nextInt(4) > 0 || services.size() == 1
            ? List.of(services.get(first))
            : List.of(services.get(first), services.get((first + 1) % services.size()));
    kill(victims);
    start(victims);
    return victims.size();
  }

  /// @return 0 if the clients were done before
  private int crash(ServiceCrash crash, TrialClients clients)
      throws IOException, InterruptedException {
    String service = crash.service;
    int passage = 1 + random.nextInt(round.quick() ? QUICK_PASSAGES : PASSAGES);
    store.kill(service);
    store
        .withBean(service, CrashPoints.class)
        .with(service, CrashPoints.POINT, crash.point.name())
        .with(service, CrashPoints.PASSAGE, Integer.toString(passage))
        .start(service);
    Conditions.await(() -> !store.process(service).isAlive() || clients.areDone());
    boolean crashed = !store.process(service).isAlive();
    store.kill(service);
    assertThat(store.process(service).exitValue()).as(service).isEqualTo(CrashPoints.KILLED);
    store.withBean(service, null).start(service);
    return crashed ? 1 : 0;
  }

  private int cutPower() throws IOException, InterruptedException {
    FaultInjectingFileSystem from = Objects.requireNonNull(disk);
    List<String> victims = workload.services.stream().filter(it -> !it.equals("frontend")).toList();
    long moment = from.readCounter("writes") + random.nextInt(WRITES);
    Conditions.await(() -> {
      assertThat(victims)
          .as("services that are alive until the power cut")
          .allMatch(it -> store.process(it).isAlive());
      return from.readCounter("writes") >= moment;
    });
    kill(victims);
    from.cut(random.nextInt(3) > 0, random.nextLong());
    start(victims);
    return 1;
  }

  private void kill(List<String> victims) throws InterruptedException {
    for (String victim : victims) {
      store.kill(victim);
    }
  }

  private void start(List<String> victims) throws IOException {
    for (String victim : victims) {
      store.start(victim);
    }
  }

  private void awaitReady() {
    workload.services.forEach(it -> Conditions.await(() -> store.isReady(it)));
  }
}
