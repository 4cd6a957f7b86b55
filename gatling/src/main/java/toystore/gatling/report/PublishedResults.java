package toystore.gatling.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/// Published figures of other systems, as in published.csv. Missing figures are not filled in.
public record PublishedResults(List<Row> rows) {
  static final PublishedResults NONE = new PublishedResults(List.of());
  static final String NOT = "not published";
  static final String MEAN = "mean latency";
  static final String THROUGHPUT = "throughput";
  // the only row of a cell, or the summary of its iterations
  private static final List<String> ITERATIONS = List.of("", "average", "about");

  /// @param clients empty if the row does not state a number of clients
  /// @param iteration empty, a number, `average` or `about`
  /// @param value usually a number; also `1-2` or [#NOT]
  public record Row(
      String source,
      String experiment,
      String placement,
      String clients,
      String iteration,
      String operation,
      String metric,
      String value,
      String unit) {

    /// In ms if it is a time; empty if it is not a number.
    OptionalDouble number() {
      if (!value.matches("[0-9]+(\\.[0-9]+)?")) {
        return OptionalDouble.empty();
      }
      return OptionalDouble.of(Double.parseDouble(value) * (unit.equals("s") ? 1_000 : 1));
    }

    /// With its unit, times in ms.
    String text() {
      if (number().isEmpty()) {
        return value.equals(NOT) || unit.isEmpty() ? value : value + " " + unit;
      }
      return Numbers.unit(Numbers.number(number().getAsDouble()), unit.equals("s") ? "ms" : unit);
    }
  }

  public PublishedResults {
    rows = List.copyOf(rows);
  }

  /// @throws IOException with the file, if it or a column is missing
  public static PublishedResults read(Path file) throws IOException {
    var format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    var rows = new ArrayList<Row>();
    try (var in = Files.newBufferedReader(file);
        var records = format.parse(in)) {
      for (CSVRecord it : records) {
        rows.add(row(it));
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    return new PublishedResults(rows);
  }

  private static Row row(CSVRecord it) {
    return new Row(
        it.get("source"),
        it.get("experiment"),
        it.get("placement"),
        it.get("clients"),
        it.get("iteration"),
        it.get("operation"),
        it.get("metric"),
        it.get("value"),
        it.get("unit"));
  }

  PublishedResults of(String experiment) {
    return where(row -> row.experiment().equals(experiment));
  }

  PublishedResults where(Predicate<Row> wanted) {
    return new PublishedResults(rows.stream().filter(wanted).toList());
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /// The row for these values; of several iterations the average.
  Optional<Row> find(String placement, int clients, String operation, String metric) {
    PublishedResults here =
        where(row ->
            row.placement().equals(placement)
                && row.clients().equals(String.valueOf(clients))
                && row.operation().equals(operation)
                && row.metric().equals(metric));
    return here.one();
  }

  Optional<Row> one() {
    return ITERATIONS.stream()
        .flatMap(iteration -> rows.stream().filter(row -> row.iteration().equals(iteration)))
        .findFirst();
  }

  List<String> sources() {
    return distinct(Row::source);
  }

  List<String> placements() {
    return distinct(Row::placement);
  }

  List<String> operations() {
    return distinct(Row::operation);
  }

  /// In ascending order.
  List<Integer> clients() {
    return distinct(Row::clients).stream()
        .filter(clients -> clients.matches("\\d+"))
        .map(Integer::valueOf)
        .sorted()
        .toList();
  }

  private List<String> distinct(Function<Row, String> column) {
    var values = new LinkedHashSet<String>();
    rows.forEach(row -> values.add(column.apply(row)));
    return List.copyOf(values);
  }

  /// Converts text to a word of an id: `layered (REST, gRPC, MySQL)` becomes
  /// `layered-rest-grpc-mysql`.
  static String word(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-").replaceAll("^-|-$", "");
  }
}
