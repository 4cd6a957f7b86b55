package toystore.lab.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Checks published tables against what every closed loop obeys, without measuring anything. In a
/// closed loop each client sends its next request after the response to the previous one, so that
/// its rate is at most 1 ÷ its mean latency.
///
/// @param rows of one file
public record PublishedTables(List<PublishedRow> rows) {
  private static final double ROUNDING = 0.005; // relative; the tables have three or more digits
  private static final double LOST = 0.03; // share of the time that clients may spend between calls
  private static final double SMALL_SPREAD = 0.01; // standard deviation ÷ mean
  private static final double WEAK_CORRELATION = -0.9;
  private static final int FEWEST_ITERATIONS = 5;

  /// The first operation does all that the second does, and more.
  private static final Map<String, String> CONTAINS = Map.of("buy", "query", "trade", "lookup");

  /// A contradiction.
  ///
  /// @param law what the figure breaks
  /// @param where the table and its row
  /// @param expected what would agree with the other figures
  record Finding(String law, String where, String printed, String expected) {}

  /// The iterations of a cell of a table, in their order.
  ///
  /// @param first its place in the table
  /// @param latencies ms
  /// @param throughputs 1/s
  private record Iterations(PublishedRow first, List<Double> latencies, List<Double> throughputs) {
    double correlation() {
      return PublishedTables.correlation(latencies, throughputs);
    }
  }

  /// A latency and the throughput printed beside it.
  private record Rate(PublishedRow latency, PublishedRow throughput) {
    double possible() {
      return latency.clients() * 1_000.0 / latency.value();
    }

    double share() {
      return throughput.value() / possible();
    }

    /// The law that it breaks; empty: none.
    String law() {
      if (share() > 1 + ROUNDING) {
        return "throughput is at most clients ÷ mean latency";
      }
      return share() < 1 - LOST ? "throughput is about clients ÷ mean latency" : "";
    }
  }

  /// @throws IOException with the file, if it or a column is missing
  public static PublishedTables read(Path file) throws IOException {
    return new PublishedTables(PublishedRow.read(file));
  }

  /// A table of all findings, and one of the iterations.
  public String markdown() {
    String findings =
        new MarkdownTable<Finding>()
            .text("in a closed loop", Finding::law)
            .text("where", Finding::where)
            .text("printed", Finding::printed)
            .text("expected", Finding::expected)
            .of(findings());
    String iterations =
        new MarkdownTable<Iterations>()
            .text("iterations of", it -> place(it.first()))
            .figure("spread of latency", it -> MarkdownTable.percent(spread(it.latencies())))
            .figure("spread of throughput", it -> MarkdownTable.percent(spread(it.throughputs())))
            .figure(
                "correlation of the two",
                it -> String.format(Locale.ROOT, "%.2f", it.correlation()))
            .of(iterations());
    return findings + "\n\n" + iterations + "\n";
  }

  List<Finding> findings() {
    return Stream.of(
            rates(), averages(), fallingLatencies(), containedOperations(), iterationLaws())
        .flatMap(it -> it)
        .toList();
  }

  /// Throughput = clients ÷ mean latency, less the time that clients spend between calls.
  private Stream<Finding> rates() {
    return rows.stream()
        .filter(it -> it.metric().equals(PublishedRow.LATENCY))
        .flatMap(latency ->
            rows.stream()
                .filter(it -> it.metric().equals(PublishedRow.THROUGHPUT))
                .filter(it -> samePlace(it, latency))
                .filter(it -> it.iteration().equals(latency.iteration()))
                .map(throughput -> new Rate(latency, throughput)))
        .filter(it -> !it.law().isEmpty())
        .collect(inOrder(it -> List.of(it.law(), place(it.latency()))))
        .values()
        .stream()
        .map(PublishedTables::rates);
  }

  /// @param wrong rates of one cell that break the same law
  private static Finding rates(List<Rate> wrong) {
    Rate worst = Collections.max(wrong, Comparator.comparing(it -> Math.abs(it.share() - 1)));
    String iterations =
        wrong.stream().map(it -> it.latency().iteration()).collect(Collectors.joining(", "));
    return new Finding(
        worst.law(),
        place(worst.latency()) + (iterations.isEmpty() ? "" : ": " + iterations),
        String.format(
            Locale.ROOT, "%.2f/s at %.2f ms", worst.throughput().value(), worst.latency().value()),
        String.format(Locale.ROOT, "%.2f/s", worst.possible()));
  }

  private Stream<Finding> averages() {
    return rows.stream()
        .filter(it -> it.iteration().equals(PublishedRow.AVERAGE))
        .flatMap(average -> {
          double mean = mean(iterations(average, average.metric()));
          return Math.abs(average.value() / mean - 1) <= ROUNDING
              ? Stream.empty()
              : Stream.of(
                  new Finding(
                      "the average is that of the iterations",
                      String.format(Locale.ROOT, "%s, %s", place(average), average.metric()),
                      String.format(Locale.ROOT, "%.2f", average.value()),
                      String.format(Locale.ROOT, "%.2f", mean)));
        });
  }

  /// More clients cannot be served faster, unless something else changed meanwhile.
  private Stream<Finding> fallingLatencies() {
    Map<List<String>, List<PublishedRow>> curves =
        rows.stream()
            .filter(it -> it.metric().equals(PublishedRow.LATENCY) && !it.isIteration())
            .collect(inOrder(it -> List.of(it.source(), it.placement(), it.operation())));
    return curves.values().stream()
        .flatMap(curve -> {
          List<PublishedRow> byClients =
              curve.stream().sorted(Comparator.comparing(PublishedRow::clients)).toList();
          return IntStream.range(1, byClients.size())
              .filter(
                  it -> byClients.get(it).value() < byClients.get(it - 1).value() * (1 - ROUNDING))
              .mapToObj(it ->
                  new Finding(
                      "latency does not fall with more clients",
                      place(byClients.get(it)),
                      String.format(Locale.ROOT, "%.2f ms", byClients.get(it).value()),
                      String.format(
                          Locale.ROOT,
                          "at least %.2f ms, as with %d",
                          byClients.get(it - 1).value(),
                          byClients.get(it - 1).clients())));
        });
  }

  private Stream<Finding> containedOperations() {
    return rows.stream()
        .filter(it -> CONTAINS.containsKey(it.operation()))
        .flatMap(more ->
            rows.stream()
                .filter(it -> it.operation().equals(CONTAINS.get(more.operation())))
                .filter(it -> it.source().equals(more.source()))
                .filter(it -> it.placement().equals(more.placement()))
                .filter(it -> it.clients() == more.clients())
                .filter(it -> it.value() > more.value())
                .map(less ->
                    new Finding(
                        "an operation takes as long as one that it contains",
                        place(more),
                        String.format(Locale.ROOT, "%.2f ms", more.value()),
                        String.format(
                            Locale.ROOT,
                            "at least %.2f ms, as %s",
                            less.value(),
                            less.operation()))));
  }

  private Stream<Finding> iterationLaws() {
    return iterations().stream()
        .flatMap(it -> {
          var laws = Stream.<Finding>builder();
          if (it.correlation() > WEAK_CORRELATION) {
            laws.add(
                new Finding(
                    "the throughput of an iteration follows its latency",
                    place(it.first()),
                    String.format(Locale.ROOT, "correlation %.2f", it.correlation()),
                    "near -1"));
          }
          double spread = Math.min(spread(it.latencies()), spread(it.throughputs()));
          if (spread < SMALL_SPREAD) {
            laws.add(
                new Finding(
                    "repetitions differ",
                    place(it.first()),
                    "spread " + MarkdownTable.percent(spread),
                    "more than " + MarkdownTable.percent(SMALL_SPREAD)));
          }
          if (isRising(it.latencies())) {
            laws.add(
                new Finding(
                    "repetitions have no order",
                    place(it.first()),
                    "each iteration is slower than the one before",
                    String.format(
                        Locale.ROOT,
                        "by chance one in %,d",
                        IntStream.rangeClosed(1, it.latencies().size())
                            .reduce(1, (product, each) -> product * each))));
          }
          return laws.build();
        });
  }

  private List<Iterations> iterations() {
    return rows.stream()
        .filter(it -> it.metric().equals(PublishedRow.LATENCY) && it.iteration().equals("1"))
        .map(it ->
            new Iterations(
                it, iterations(it, PublishedRow.LATENCY), iterations(it, PublishedRow.THROUGHPUT)))
        .filter(it -> it.latencies().size() >= FEWEST_ITERATIONS)
        .filter(it -> it.latencies().size() == it.throughputs().size())
        .toList();
  }

  private List<Double> iterations(PublishedRow place, String metric) {
    return rows.stream()
        .filter(it -> it.isIteration() && it.metric().equals(metric) && samePlace(it, place))
        .map(PublishedRow::value)
        .toList();
  }

  private static boolean samePlace(PublishedRow one, PublishedRow other) {
    return place(one).equals(place(other));
  }

  private static String place(PublishedRow row) {
    return String.format(
        Locale.ROOT,
        "%s, %s, %s, %d %s",
        row.source(),
        row.placement(),
        row.operation(),
        row.clients(),
        row.clients() == 1 ? "client" : "clients");
  }

  private static <T, K> Collector<T, ?, Map<K, List<T>>> inOrder(Function<T, K> key) {
    return groupingBy(key, LinkedHashMap::new, toList());
  }

  private static boolean isRising(List<Double> values) {
    return IntStream.range(1, values.size()).allMatch(it -> values.get(it) > values.get(it - 1));
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(it -> it).average().orElse(Double.NaN);
  }

  /// Standard deviation ÷ mean.
  private static double spread(List<Double> values) {
    return Math.sqrt(covariance(values, values)) / mean(values);
  }

  private static double correlation(List<Double> one, List<Double> other) {
    return covariance(one, other) / Math.sqrt(covariance(one, one) * covariance(other, other));
  }

  private static double covariance(List<Double> one, List<Double> other) {
    double meanOfOne = mean(one);
    double meanOfOther = mean(other);
    return IntStream.range(0, one.size())
            .mapToDouble(it -> (one.get(it) - meanOfOne) * (other.get(it) - meanOfOther))
            .sum()
        / (one.size() - 1);
  }
}
