package toystore.cli.launch;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.launch.FakeService.FakeBehaviour;
import toystore.clients.Conditions;
import toystore.clients.FreePorts;

/// Runs the supervisor with real processes.
final class SupervisorIT {
  private static final LauncherTimeouts TIMEOUTS =
      new LauncherTimeouts(
          Duration.ofSeconds(20),
          Duration.ofSeconds(10),
          Duration.ofMillis(10),
          Duration.ofMillis(25));

  @TempDir Path folder;
  private final RecordedEvents events = new RecordedEvents();
  private int late; // so many of the first are late
  private List<ProcessSpec> parts = List.of();
  private Supervisor supervisor = supervisor(TIMEOUTS);
  private CompletableFuture<Integer> exitCode = CompletableFuture.completedFuture(0);

  @AfterEach
  void nothingIsLeftRunning() {
    supervisor.stop();
    exitCode.orTimeout(20, SECONDS).join();
    parts.forEach(part -> assertThat(isAlive(events.pid(part.name()))).isFalse());
  }

  @Test
  void readinessIsAnnouncedInTheOrderOfTheServices() {
    start(FakeBehaviour.SLOW_START, FakeBehaviour.HEALTHY);
    awaitAnswer("b", "/health/readiness");
    awaitAnswer("a", "/go");
    assertThat(events.await("store ready"))
        .containsExactly("started a", "started b", "ready a", "ready b", "store ready");
  }

  @Test
  void lateServiceStartsWhenTheOthersAreReadyAndStopsAfterThem() throws IOException {
    late = 1;
    start(FakeBehaviour.HEALTHY, FakeBehaviour.HEALTHY, FakeBehaviour.HEALTHY);
    assertThat(events.await("store ready"))
        .containsExactly(
            "started b",
            "started c",
            "ready b",
            "ready c",
            "late starting",
            "started a",
            "ready a",
            "store ready");
    supervisor.stop();
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isZero();
    assertThat(Files.readAllLines(folder.resolve("ended"))).containsExactly("c", "b", "a");
  }

  @Test
  void whatSeveralProcessesWaitForIsSaidAtOnceAndOnce() throws IOException {
    start(FakeBehaviour.SLOW_START, FakeBehaviour.SLOW_START);
    Conditions.await(() -> ask("a", "/say?waiting%20up%20to%2020%20s:%20database") == 503);
    Conditions.await(() -> ask("b", "/say?waiting%20up%20to%2020%20s:%20database") == 503);
    events.awaitAll("waiting up to 20 s: database");
    awaitAnswer("a", "/go");
    awaitAnswer("b", "/go");
    assertThat(events.await("store ready"))
        .containsOnlyOnce("waiting up to 20 s: database")
        .containsSubsequence("started b", "waiting up to 20 s: database", "ready a", "ready b");
  }

  @Test
  void deadServiceIsRestartedImmediately() {
    start(FakeBehaviour.HEALTHY, FakeBehaviour.HEALTHY);
    events.await("store ready");
    var dead = events.pid("b");
    ProcessHandle.of(dead).orElseThrow().destroyForcibly();
    assertThat(events.await("started b"))
        .endsWith("b died (signal 9); restarting now", "started b");
    events.await("b is ready again, pid " + events.pid("b"));
    assertThat(events.pid("b")).isNotEqualTo(dead);
  }

  @Test
  void standbyTakesOverAndTheKilledProcessBecomesTheStandby() throws IOException {
    start(
        TIMEOUTS,
        List.of(
            FakeService.elected("a", "a", FreePorts.free(), false),
            FakeService.elected("a", "a-2", FreePorts.free(), true)),
        FakeBehaviour.ELECTED,
        FakeBehaviour.ELECTED);
    assertThat(events.await("store ready"))
        .containsSubsequence(
            "started a", "ready a", "late starting", "started a-2", "standby a-2", "store ready");
    ProcessHandle.of(events.pid("a")).orElseThrow().destroyForcibly();
    events.await("a died (signal 9); restarting now");
    events.awaitAll(
        "a-2 has taken over, pid " + events.pid("a-2"),
        "a is a standby now, pid " + awaitNewPid("a"));
    supervisor.stop();
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isZero();
    assertThat(Files.readAllLines(folder.resolve("ended"))).containsExactly("a", "a-2");
    assertThat(events.rest()).containsExactly("stopping");
  }

  @Test
  void storeIsNotReadyWhileAnotherStoreUsesTheDatabase() throws IOException {
    var elected = folder.resolve("elected");
    try (var foreign =
            FileChannel.open(elected, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = foreign.lock()) {
      start(
          TIMEOUTS,
          List.of(FakeService.elected("a", "a", FreePorts.free(), false)),
          FakeBehaviour.ELECTED);
      assertThat(events.await("starting a (a standby)")).doesNotContain("ready a", "store ready");
    }
    events.await("store ready");
  }

  @Test
  void restartPauseGrowsWhileAServiceDiesBeforeItIsReady() {
    start(FakeBehaviour.CRASHING);
    assertThat(events.await("store ready"))
        .containsExactly(
            "started a",
            "a died before it was ready (exit code 3); restarting now",
            "started a",
            "a died before it was ready (exit code 3); restarting in 10 ms",
            "started a",
            "a died before it was ready (exit code 3); restarting in 20 ms",
            "started a",
            "ready a",
            "store ready");
  }

  @Test
  void restartPauseIsAtMost5Seconds() {
    assertThat(
            IntStream.range(0, 8).mapToObj(LauncherTimeouts.USUAL::pause).map(Duration::toMillis))
        .containsExactly(0L, 250L, 500L, 1_000L, 2_000L, 4_000L, 5_000L, 5_000L);
    assertThat(LauncherTimeouts.USUAL.pause(1_000_000)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void refusedStartPrintsItsReasonAndStopsAllServices() {
    start(FakeBehaviour.SLOW_START, FakeBehaviour.REFUSING_START);
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isEqualTo(1);
    assertThat(events.rest())
        .containsExactly(
            "started a", "started b", "toys.csv line 7: price must be a number, got \"dear\"");
  }

  @Test
  void serviceWithAFailedSyncIsNotRestarted() throws IOException {
    start(FakeBehaviour.HEALTHY, FakeBehaviour.HEALTHY);
    events.await("store ready");
    ask("a", "/die?74");
    events.await(
        "a stopped with exit code 74: an fsync failed or its database is damaged. It is not"
            + " restarted; the other services continue. Check the disk; see docs/reference/failures.md");
    assertThat(ask("b", "/health/readiness")).isEqualTo(200);
    ask("b", "/die?5");
    events.await("b is ready again, pid " + awaitNewPid("b"));
    assertThat(events.rest()).isEmpty();
  }

  @Test
  void launcherExitsWhenNoServiceIsLeft() throws IOException {
    start(FakeBehaviour.HEALTHY);
    events.await("store ready");
    ask("a", "/die?74");
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isEqualTo(74);
  }

  @Test
  void serviceThatIgnoresSigtermIsKilled() {
    var shortTimeouts =
        new LauncherTimeouts(
            TIMEOUTS.start(), Duration.ofMillis(100), TIMEOUTS.firstPause(), TIMEOUTS.firstPause());
    start(shortTimeouts, FakeBehaviour.IGNORING_SIGTERM);
    events.await("store ready");
    supervisor.stop();
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isZero();
    events.await("a did not stop within 0 s; killing it");
  }

  @Test
  void lateServiceIsReportedAndNotKilled() {
    var shortTimeouts =
        new LauncherTimeouts(
            Duration.ofMillis(300), TIMEOUTS.stop(), TIMEOUTS.firstPause(), TIMEOUTS.firstPause());
    start(shortTimeouts, FakeBehaviour.SLOW_START);
    events.await("a is not ready after 0 s; still waiting; see /log/a.log");
    supervisor.stop();
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isZero();
  }

  @Test
  void stderrLinesArePrefixedWithTheService() throws IOException {
    start(FakeBehaviour.HEALTHY);
    events.await("store ready");
    ask("a", "/say?hello");
    events.await("a: hello");
  }

  @Test
  void servicesExitWhenTheLauncherIsKilled() throws Exception {
    var port = FreePorts.free();
    var launcher =
        FakeService.java(FakeLauncher.class, Integer.toString(port), folder.toString()).start();
    var pid = Long.parseLong(launcher.inputReader().readLine());
    var service = ProcessHandle.of(pid).orElseThrow();
    launcher.destroyForcibly().waitFor();
    service.onExit().orTimeout(10, SECONDS).join();
  }

  private void start(FakeBehaviour... behaviours) {
    start(TIMEOUTS, behaviours);
  }

  private void start(LauncherTimeouts timeouts, FakeBehaviour... behaviours) {
    start(
        timeouts,
        IntStream.range(0, behaviours.length)
            .mapToObj(
                i -> FakeService.part(Character.toString('a' + i), FreePorts.free(), i < late))
            .toList(),
        behaviours);
  }

  private void start(
      LauncherTimeouts timeouts, List<ProcessSpec> specs, FakeBehaviour... behaviours) {
    parts = specs;
    supervisor = supervisor(timeouts, behaviours);
    exitCode = CompletableFuture.supplyAsync(supervisor::run);
  }

  private Supervisor supervisor(LauncherTimeouts timeouts, FakeBehaviour... behaviours) {
    return new Supervisor(
        parts,
        part -> FakeService.process(part, folder, behaviours[parts.indexOf(part)]),
        timeouts,
        events);
  }

  private long awaitNewPid(String part) {
    events.await("started " + part);
    return events.pid(part);
  }

  private int ask(String name, String path) throws IOException {
    var part = parts.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    var url = URI.create("http://127.0.0.1:" + part.managementPort() + path).toURL();
    var connection = (HttpURLConnection) url.openConnection();
    connection.setReadTimeout(5_000);
    try {
      return connection.getResponseCode();
    } catch (IOException died) {
      return -1;
    }
  }

  private void awaitAnswer(String part, String path) {
    Conditions.await(() -> ask(part, path) == 200);
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
