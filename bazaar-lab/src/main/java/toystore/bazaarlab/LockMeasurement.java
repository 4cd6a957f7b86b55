package toystore.bazaarlab;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;
import toystore.gatling.LoadClientMonitor;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ObservedValue;
import toystore.gatling.result.RepetitionSummary;

/// Measures one number of threads on a stock map with JMH in this JVM. Adds the observation
/// `operation`: ns of one operation, including the time that its thread waits.
///
/// @param strategy see [LockBenchmark.SharedStockMap#strategy]
/// @param milliseconds measured time, and the same time of warm-up before it
record LockMeasurement(
    String strategy, int threads, Mix mix, int milliseconds, LoadClientMonitor loadClient)
    implements BenchmarkCase {

  /// The mix of operations.
  ///
  /// @param reads percentage of reads
  /// @param commit whether each write is on disk when it returns
  record Mix(int reads, boolean commit) {
    private static final int MANY = 1_000;
    private static final int FEW = 10; // a commit takes as long as thousands of others

    static List<Mix> all() {
      var all = new ArrayList<Mix>();
      for (boolean commit : List.of(false, true)) {
        for (int reads : List.of(100, 90, 0)) {
          all.add(new Mix(reads, commit));
        }
      }
      return all;
    }

    String kind() {
      return "reads-" + reads + (commit ? "-commit" : "");
    }

    /// Operations that are timed together.
    int operations() {
      return commit && reads < 100 ? FEW : MANY;
    }

    String what() {
      return "a call is %,d operations, %d %% of them reads, %s"
          .formatted(
              operations(), reads, commit ? "a write is on disk when it returns" : "in memory");
    }
  }

  @Override
  public List<Cell> cells() {
    return List.of(new Cell(strategy, threads, mix.kind()));
  }

  @Override
  public long calls() {
    return milliseconds; // a weight, equal for all
  }

  @Override
  public List<Result> measure(int repetition) {
    loadClient.begin();
    RunResult run = run();
    var strain = loadClient.end(0);
    Histogram micros = micros(run.getPrimaryResult().getStatistics());
    double meanMicros = run.getPrimaryResult().getScore();
    long calls = calls(run);
    double seconds = calls * meanMicros / 1e6 / threads; // every thread is always in a call
    RepetitionSummary sample =
        RepetitionSummary.of(repetition, cells().getFirst(), calls, micros, seconds, strain);
    double nanos = meanMicros * 1e3 / mix.operations();
    return List.of(
        new Result(
            sample,
            micros,
            List.of(new ObservedValue(repetition, sample.cell(), "operation", nanos, "ns"))));
  }

  private RunResult run() {
    var time = TimeValue.milliseconds(milliseconds);
    var options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(LockBenchmark.class.getName()) + "\\.call$")
            .param("strategy", strategy)
            .param("reads", String.valueOf(mix.reads))
            .param("commit", String.valueOf(mix.commit))
            .param("operations", String.valueOf(mix.operations()))
            .threads(threads)
            .forks(0) // this JVM runs only this experiment
            .warmupIterations(1)
            .warmupTime(time)
            .measurementIterations(1)
            .measurementTime(time)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    try {
      return new Runner(options).runSingle();
    } catch (RunnerException failed) {
      throw new WrongResponseException(
          cells().getFirst().toString(),
          "a completed benchmark",
          failed + ", " + failed.getCause());
    }
  }

  private static Histogram micros(Statistics statistics) {
    var micros = new Histogram(3);
    Iterator<Map.Entry<Double, Long>> raw = statistics.getRawData();
    while (raw.hasNext()) {
      var each = raw.next();
      micros.recordValueWithCount(Math.round(each.getKey()), each.getValue());
    }
    return micros;
  }

  /// The number of calls; JMH times only some of them.
  private static long calls(RunResult run) {
    return run.getBenchmarkResults().stream()
        .flatMap(result -> result.getIterationResults().stream())
        .mapToLong(iteration -> iteration.getMetadata().getMeasuredOps())
        .sum();
  }
}
