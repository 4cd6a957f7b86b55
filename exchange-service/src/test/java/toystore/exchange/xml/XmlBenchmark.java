package toystore.exchange.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.domain.TradePage;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Side;
import toystore.exchange.engine.Symbol;

/// Measures the XML alone, without sockets, engine and disk: parsing a request into commands, and
/// writing the results of its commands. The request has orders, then as many queries; each query's
/// answer has two executions. The build does not run it, because its name does not end in `Test`.
/// Run it with `-Dtest=XmlBenchmark -Djvm.quick=`.
public class XmlBenchmark {

  /// A request and its results.
  @State(Scope.Thread)
  public static class Request {
    /// Half of the commands of the request.
    @Param({"1", "50"})
    public int orders;

    final RequestParser parser = new RequestParser();
    byte[] xml = {};
    List<RequestChild> children = List.of();
    @Nullable OrderWithTrades found;

    /// Called by JMH before the first call.
    @Setup
    public void prepare() {
      String order = "<order sym=\"SPY\" amount=\"-400.5\" limit=\"124.25\"/>";
      String query = "<query id=\"1234567\"/>";
      xml =
          ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<transactions id=\"123456\">"
                  + order.repeat(orders)
                  + query.repeat(orders)
                  + "</transactions>\n")
              .getBytes(UTF_8);
      children = parse();
      var spy = new Symbol(1, "SPY");
      long time = 1_700_000_000_000L;
      var limitOrder =
          new LimitOrder(1_234_567, 1, spy, Side.SELL, 4_005_000, 1_242_500, 5_000, 0, time, 0);
      var trade = new MatchedTrade(1, spy, 1_270_000, 2_000_000, 2, 1_234_567, time);
      found = new OrderWithTrades(limitOrder, new TradePage(List.of(trade, trade), 0));
    }

    List<RequestChild> parse() {
      return switch (parser.parse(xml, 0, xml.length)) {
        case ParsedRequest.Valid valid -> valid.children();
        case ParsedRequest.Malformed malformed ->
            throw new IllegalStateException(malformed.message());
      };
    }

    byte[] write() throws IOException {
      var writer = new ResultsWriter(false, _ -> {});
      writer.begin();
      for (RequestChild child : children) {
        if (child.kind() == RequestChild.Kind.ORDER) {
          writer.opened(child, 1_234_567);
        } else {
          writer.status(child, requireNonNull(found));
        }
      }
      writer.end();
      return writer.take();
    }
  }

  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public List<RequestChild> parse(Request request) {
    return request.parse();
  }

  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public byte[] write(Request request) throws IOException {
    return request.write();
  }

  @Test
  void measure() throws RunnerException {
    var options =
        new OptionsBuilder()
            .include(XmlBenchmark.class.getName() + "\\.")
            .forks(1)
            .jvmArgs("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC")
            .addProfiler(GCProfiler.class)
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(1))
            .build();
    new Runner(options).run();
  }
}
