package toystore.exchange.engine;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Measures the figures in docs/decisions/0005, which contains the command line: commands per
/// second and the time of a command with 10,000 open orders. The build does not run it, because its
/// name does not end in `Test`.
public class MatchingEngineBenchmark {

  /// An engine and its commands. Each thread has its own.
  @State(Scope.Thread)
  public static class Engine {
    /// Number of symbols.
    @Param({"1", "100"})
    public int symbols;

    OrderFlow flow = open(1, 0);

    /// Called by JMH before the first call.
    @Setup
    public void open() {
      flow = open(symbols, OrderFlow.OPEN_ORDERS);
    }

    private static OrderFlow open(int symbols, int orders) {
      return new OrderFlow(
          OrderFlow.Target.of(new MatchingEngine(EngineRows.UNBOUNDED)), symbols, orders, 1);
    }
  }

  /// As [Engine], and the changes are taken when the clock is stopped.
  @State(Scope.Thread)
  public static class EngineBetweenBatches extends Engine {
    /// Called by JMH before each call.
    @Setup(Level.Invocation)
    public void endBatch() {
      flow.endBatch();
    }
  }

  /// The floor.
  @State(Scope.Thread)
  public static class Naive {
    /// Number of symbols.
    @Param({"1", "100"})
    public int symbols;

    OrderFlow flow = open(1, 0);

    /// Called by JMH before the first call.
    @Setup
    public void open() {
      flow = open(symbols, OrderFlow.OPEN_ORDERS);
    }

    private static OrderFlow open(int symbols, int orders) {
      return new OrderFlow(OrderFlow.Target.of(new NaiveExchange()), symbols, orders, 1);
    }
  }

  /// A million open orders, as after a restart.
  @State(Scope.Thread)
  public static class MillionOpenOrders {
    final EngineRows rows = new EngineRows();

    /// Called by JMH before the first call.
    @Setup
    public void open() {
      var engine = new MatchingEngine(EngineRows.UNBOUNDED);
      var _ = new OrderFlow(OrderFlow.Target.of(engine, rows::apply), 100, 1_000_000, 1);
    }
  }

  /// A command. The changes are taken after each 500 commands.
  @Benchmark
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.SECONDS)
  public void commands(Engine engine) {
    engine.flow.command();
  }

  /// Two engines on two threads, as if each had half of the symbols and accounts.
  @Benchmark
  @Threads(2)
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.SECONDS)
  public void commandsOfTwoEngines(Engine engine) {
    engine.flow.command();
  }

  /// The time of a single command.
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public EngineOutcome<LimitOrder> command(EngineBetweenBatches engine) {
    return engine.flow.next();
  }

  /// A command of the naive exchange.
  @Benchmark
  @BenchmarkMode({Mode.Throughput, Mode.SampleTime})
  @OutputTimeUnit(TimeUnit.SECONDS)
  public void naive(Naive naive) {
    naive.flow.command();
  }

  /// Loading an engine.
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public MatchingEngine load(MillionOpenOrders orders) {
    return orders.rows.load();
  }

  @Test
  void measure() throws RunnerException {
    var options =
        new OptionsBuilder()
            .include(
                MatchingEngineBenchmark.class.getName()
                    + "\\."
                    + System.getProperty("benchmark", ""))
            .forks(1)
            .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseSerialGC") // as the services
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(2))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(2))
            .build();
    new Runner(options).run();
  }
}
