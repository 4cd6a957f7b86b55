package toystore.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Measures each [Locking] alone, without a network: lookups, trades, and nine lookups to one
/// trade, by a number of threads. The build does not run it, because its name does not end in
/// `Test`. Run it with `./mvnw -pl tools/references -am test -Dtest=LockBenchmark -Djvm.quick=
/// -Dsurefire.failIfNoSpecifiedTests=false` (16 minutes). It writes a table for each number of
/// threads to `tools/references/target/locks`; the published ones are in `docs/evaluation/locks`.
/// Errors are halves of JMH's 99.9 % intervals.
public class LockBenchmark {
  private static final int FORKS = 5;

  /// The bazaar that all threads share.
  @State(Scope.Benchmark)
  public static class Bazaar {
    @Param({"none", "mutex", "read-write", "writer"})
    public String locking = "";

    LockedBazaar bazaar = new LockedBazaar(Locking.of("none"));

    /// Called by JMH before the first call.
    @Setup
    public void prepare() {
      bazaar = new LockedBazaar(Locking.of(locking));
    }
  }

  /// Counts the calls of a thread.
  @State(Scope.Thread)
  public static class Calls {
    int made;
  }

  @Benchmark
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public @Nullable Object lookup(Bazaar shared) {
    return shared.bazaar.find("FishCo");
  }

  @Benchmark
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public @Nullable Object trade(Bazaar shared) {
    return shared.bazaar.trade("FishCo", 1, true);
  }

  @Benchmark
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public @Nullable Object mixed(Bazaar shared, Calls calls) {
    return calls.made++ % 10 == 0
        ? shared.bazaar.trade("FishCo", 1, true)
        : shared.bazaar.find("FishCo");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void measure(int threads) throws IOException, RunnerException {
    Path folder = Files.createDirectories(Path.of("target", "locks"));
    var options =
        new OptionsBuilder()
            .include(LockBenchmark.class.getName() + "\\.")
            .forks(FORKS)
            .threads(threads)
            .jvmArgs("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC")
            .warmupIterations(2)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(3)
            .measurementTime(TimeValue.seconds(1))
            .resultFormat(ResultFormatType.TEXT)
            .result(folder.resolve("threads-" + threads + ".txt").toString())
            .build();
    new Runner(options).run();
  }
}
