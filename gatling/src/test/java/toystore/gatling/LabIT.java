package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ObservedValue;
import toystore.gatling.result.RepetitionSummary;

/// Tests that the lab detects injected faults.
@Timeout(240)
class LabIT {
  private static final Map<String, Integer> STOCK = Map.of("Tux", 10_000_000, "Whale", 10_000_000);

  @TempDir Path folder;

  @Test
  @EnabledIfSystemProperty(named = "tests.long", matches = "true")
  void delayInjectedIntoOneServiceAppearsInItsPartAndInTheFindings() throws Exception {
    assumeTrue(RealStore.isBuilt(), "the services' jars are not built");
    try (var store = new RealStore(folder)) {
      int catalog = store.catalog();
      var agent =
          "-javaagent:%s=toystore/order/OrderRpc.placeOrder".formatted(PlantedDelay.jar(folder));
      int plain = store.order("order", catalog, List.of());
      int slow = store.order("slow-order", catalog, List.of(agent));
      var frontend = store.frontend("frontend", catalog, plain);
      var slowFrontend = store.frontend("slow-frontend", catalog, slow);
      var before = measured(frontend, "before");
      var after = measured(slowFrontend, "after");

      System.out.println(parts("as it is", before) + parts("5 ms planted in order", after));
      assertThat(part(after, "buy", "order")).isGreaterThan(PlantedDelay.MILLIS * 1e3);
      double seen = part(after, "buy", "order") - part(before, "buy", "order");
      assertThat(seen).as("µs in the planted column").isGreaterThan(PlantedDelay.MILLIS * 500);
      for (String part : List.of("network", "frontend", "catalog", "queue", "decide", "commit")) {
        assertThat(part(after, "buy", part) - part(before, "buy", part))
            .as("noise in " + part)
            .isLessThan(seen);
      }
      assertThat(largestPart(after)).contains("largest part is order");
      assertThat(largestPart(before)).doesNotContain("largest part is order");
    }
  }

  private LoadRun measured(RealStore.Front store, String name) throws Exception {
    RealStore.awaitReady(store);
    var run =
        LoadRun.start(
            folder.resolve(name),
            Map.of(
                "baseUrl", store.url().toString(),
                "audit", store.audit().toString(),
                "queries", "40",
                "buys", "200", // by the last repetitions what is measured is warm
                "repetitions", "4"));
    assertThat(run.ended()).as(() -> name + ", see " + run.results()).isZero();
    assertThat(run.stored().about("audit.target")).startsWith("ok: ");
    return run;
  }

  /// The smallest mean, in µs, over repetitions: other activity of the machine only adds time.
  private static double part(LoadRun run, String kind, String part) throws IOException {
    return run.stored().observations().stream()
        .filter(it -> it.cell().kind().equals(kind) && it.name().equals("part." + part))
        .mapToDouble(ObservedValue::value)
        .min()
        .orElseThrow();
  }

  private static String parts(String what, LoadRun run) throws IOException {
    var line = new StringBuilder(String.format("%-22s", what));
    for (String part :
        List.of("network", "frontend", "order", "catalog", "queue", "decide", "commit")) {
      line.append(String.format(" %s %.2f ms", part, part(run, "buy", part) / 1e3));
    }
    return line.append('\n').append(largestPart(run)).append('\n').toString();
  }

  private static String largestPart(LoadRun run) throws IOException {
    return run.report()
        .lines()
        .map(it -> it.replaceAll("[`*]", ""))
        .filter(it -> it.contains("Of buy") && it.contains("largest part"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(names = {"WRONG_NAME", "NUMBER_TWICE", "AUDIT"})
  void runFailsWhenTheStoreRespondsWrongly(FakeStore.Fault fault) throws Exception {
    assumeTrue(fault == FakeStore.Fault.WRONG_NAME || Boolean.getBoolean("tests.long"));
    try (var store = new FakeStore(0, fault, STOCK)) {
      var run =
          LoadRun.start(
              folder,
              Map.of(
                  "baseUrl",
                  store.url().toString(),
                  "audit",
                  store.url() + "/audit",
                  "queries",
                  "50",
                  "buys",
                  "50"));
      assertThat(run.ended()).as("exit code").isNotZero();
      assertThat(run.stored().about("failed")).isNotEmpty();
      assertThat(run.stored().isFinished()).isFalse();
      assertThat(folder.resolve("report.md")).doesNotExist();
      System.out.println(fault + ": " + run.stored().about("failed"));
    }
  }

  /// The load client is alternately stopped and resumed, so it has half the time. Its own call
  /// timings cannot distinguish this from a slow store.
  @Test
  @EnabledIfSystemProperty(named = "tests.long", matches = "true")
  void overloadedLoadClientIsReported() throws Exception {
    try (var store = new FakeStore(0, FakeStore.Fault.NONE, STOCK)) {
      var free = LoadRun.start(folder.resolve("free"), upToOneSecond(store));
      assertThat(free.ended()).isZero();
      var overloaded = LoadRun.start(folder.resolve("overloaded"), upToOneSecond(store));
      while (overloaded.process().isAlive()) {
        signal("STOP", overloaded);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(40));
        signal("CONT", overloaded);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(40));
      }
      assertThat(overloaded.ended()).isZero();
      System.out.printf("late: %.1f ms free, %.1f ms overloaded%n", late(free), late(overloaded));
      assertThat(late(overloaded)).isGreaterThan(30);
      assertThat(overloaded.report()).contains("overloaded in 2 of 2 cells");
      assertThat(free.report()).doesNotContain("overloaded in 2 of 2 cells");
    }
  }

  private static Map<String, String> upToOneSecond(FakeStore store) {
    return Map.of("baseUrl", store.url().toString(), "queries", "1000", "buys", "1000");
  }

  private static void signal(String signal, LoadRun run) throws Exception {
    new ProcessBuilder("kill", "-" + signal, String.valueOf(run.process().pid()))
        .redirectError(ProcessBuilder.Redirect.DISCARD) // it may have ended
        .start()
        .waitFor();
  }

  private static double late(LoadRun run) throws IOException {
    return run.stored().samples().stream()
            .mapToDouble(it -> it.strain().lateMicros())
            .min()
            .orElseThrow()
        / 1e3;
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.long", matches = "true")
  void killedRunResumesWhereItStopped() throws Exception {
    try (var store = new FakeStore(0, FakeStore.Fault.NONE, STOCK)) {
      var given =
          Map.of(
              "baseUrl", store.url().toString(),
              "clients", "1,2",
              "queries", "100",
              "buys", "100",
              "repetitions", "3");
      var killed = LoadRun.start(folder, given);
      Path samples = folder.resolve("samples.csv");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> {
            assertThat(killed.process().isAlive()).as(killed.said()).isTrue();
            return Files.exists(samples) && Files.readAllLines(samples).size() >= 5;
          });
      killed.process().destroyForcibly().waitFor();
      List<RepetitionSummary> kept = killed.stored().samples();

      var again = LoadRun.start(folder, given);
      assertThat(again.ended()).as("exit code").isZero();
      assertThat(again.stored().samples())
          .startsWith(kept.toArray(RepetitionSummary[]::new))
          .hasSize(12);
      assertThat(again.stored().samples())
          .extracting(it -> it.repetition() + "/" + it.cell())
          .doesNotHaveDuplicates();
      assertThat(again.stored().histograms().get(new Cell("target", 2, "buy")))
          .isNotNull()
          .satisfies(it -> assertThat(it.getTotalCount()).isEqualTo(3 * 2 * 100));
      assertThat(again.stored().about("sessions")).isEqualTo("2");
    }
  }
}
