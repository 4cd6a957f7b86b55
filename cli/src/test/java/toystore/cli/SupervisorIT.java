package toystore.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.FakeService.Behaviour;
import toystore.testkit.Conditions;
import toystore.testkit.FreePorts;

/// The supervisor with real processes.
final class SupervisorIT {
  private static final LauncherTimeouts PATIENCE =
      new LauncherTimeouts(
          Duration.ofSeconds(20),
          Duration.ofSeconds(10),
          Duration.ofMillis(10),
          Duration.ofMillis(25));

  @TempDir Path folder;
  private final RecordedEvents heard = new RecordedEvents();
  private List<ProcessSpec> parts = List.of();
  private Supervisor supervisor = supervisor(PATIENCE);
  private CompletableFuture<Integer> exitCode = CompletableFuture.completedFuture(0);

  @AfterEach
  void nothingIsLeftRunning() {
    supervisor.stop();
    exitCode.orTimeout(20, SECONDS).join();
    parts.forEach(part -> assertThat(isAlive(heard.pid(part.app()))).isFalse());
  }

  @Test
  void tellsWhatIsReadyInTheSameOrderAlways() {
    start(Behaviour.WAITING, Behaviour.WELL);
    awaitAnswer("b", "/health/readiness");
    awaitAnswer("a", "/go");
    assertThat(heard.await("store ready"))
        .containsExactly("started a", "started b", "ready a", "ready b", "store ready");
  }

  @Test
  void startsAgainAtOnceWhatDies() {
    start(Behaviour.WELL, Behaviour.WELL);
    heard.await("store ready");
    var dead = heard.pid("b");
    ProcessHandle.of(dead).orElseThrow().destroyForcibly();
    assertThat(heard.await("started b")).endsWith("b died (signal 9); restarting now", "started b");
    heard.await("b is ready again, pid " + heard.pid("b"));
    assertThat(heard.pid("b")).isNotEqualTo(dead);
  }

  @Test
  void waitsLongerAndLongerForWhatDiesBeforeItIsReady() {
    start(Behaviour.SICKLY);
    assertThat(heard.await("store ready"))
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
  void pausesGrowToABound() {
    assertThat(
            IntStream.range(0, 8).mapToObj(LauncherTimeouts.USUAL::pause).map(Duration::toMillis))
        .containsExactly(0L, 250L, 500L, 1_000L, 2_000L, 4_000L, 5_000L, 5_000L);
    assertThat(LauncherTimeouts.USUAL.pause(1_000_000)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aRefusedStartIsToldAsItIsAndStopsTheOthers() {
    start(Behaviour.WAITING, Behaviour.REFUSING);
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isEqualTo(1);
    assertThat(heard.rest())
        .containsExactly(
            "started a", "started b", "toys.csv line 7: price must be a number, got \"dear\"");
  }

  @Test
  void neverStartsAgainWhatCouldNotSync() throws IOException {
    start(Behaviour.WELL, Behaviour.WELL);
    heard.await("store ready");
    ask("a", "/die?74");
    heard.await(
        "a could not sync its file (exit code 74): the contents of the disk are unknown, so it is"
            + " not restarted; the other services continue");
    assertThat(ask("b", "/health/readiness")).isEqualTo(200);
    ask("b", "/die?5");
    heard.await("b is ready again, pid " + awaitNewPid("b"));
    assertThat(heard.rest()).isEmpty();
  }

  @Test
  void endsWhenNothingIsLeftToKeep() throws IOException {
    start(Behaviour.WELL);
    heard.await("store ready");
    ask("a", "/die?74");
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isEqualTo(74);
  }

  @Test
  void stopsWhoCallsBeforeWhoIsCalled() throws IOException {
    start(Behaviour.WELL, Behaviour.WELL, Behaviour.WELL);
    heard.await("store ready");
    supervisor.stop();
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isZero();
    assertThat(Files.readAllLines(folder.resolve("ended"))).containsExactly("c", "b", "a");
  }

  @Test
  void killsWhatDoesNotEnd() {
    var impatient =
        new LauncherTimeouts(
            PATIENCE.start(), Duration.ofMillis(100), PATIENCE.firstPause(), PATIENCE.firstPause());
    start(impatient, Behaviour.STUBBORN);
    heard.await("store ready");
    supervisor.stop();
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isZero();
    heard.await("a did not stop within 0 s; killing it");
  }

  @Test
  void tellsWhatIsNotReadyInTimeAndWaitsOn() {
    var impatient =
        new LauncherTimeouts(
            Duration.ofMillis(300), PATIENCE.stop(), PATIENCE.firstPause(), PATIENCE.firstPause());
    start(impatient, Behaviour.WAITING);
    heard.await("a is not ready after 0 s; still waiting; see /log/a.log");
    supervisor.stop();
    assertThat(exitCode.orTimeout(20, SECONDS).join()).isZero();
  }

  @Test
  void relaysWhatAServiceSaysWithItsName() throws IOException {
    start(Behaviour.WELL);
    heard.await("store ready");
    ask("a", "/say?hello");
    heard.await("a: hello");
  }

  @Test
  void servicesEndWithAKilledLauncher() throws Exception {
    var port = FreePorts.free();
    var launcher =
        FakeService.java(FakeLauncher.class, Integer.toString(port), folder.toString()).start();
    var pid = Long.parseLong(launcher.inputReader().readLine());
    var service = ProcessHandle.of(pid).orElseThrow();
    launcher.destroyForcibly().waitFor();
    service.onExit().orTimeout(10, SECONDS).join();
  }

  private void start(Behaviour... behaviours) {
    start(PATIENCE, behaviours);
  }

  private void start(LauncherTimeouts patience, Behaviour... behaviours) {
    parts =
        IntStream.range(0, behaviours.length)
            .mapToObj(i -> FakeService.part(Character.toString('a' + i), FreePorts.free()))
            .toList();
    supervisor = supervisor(patience, behaviours);
    exitCode = CompletableFuture.supplyAsync(this::run);
  }

  private Supervisor supervisor(LauncherTimeouts patience, Behaviour... behaviours) {
    return new Supervisor(
        parts,
        part -> FakeService.process(part, folder, behaviours[parts.indexOf(part)]),
        patience,
        heard);
  }

  private int run() {
    try {
      return supervisor.run();
    } catch (IOException | InterruptedException failure) {
      throw new IllegalStateException(Arrays.toString(failure.getStackTrace()), failure);
    }
  }

  private long awaitNewPid(String part) {
    heard.await("started " + part);
    return heard.pid(part);
  }

  private int ask(String name, String path) throws IOException {
    var part = parts.stream().filter(one -> one.app().equals(name)).findFirst().orElseThrow();
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
