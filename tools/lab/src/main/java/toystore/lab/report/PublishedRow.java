package toystore.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/// A printed figure of a published report: a row of published.csv whose clients and value are
/// numbers. Latencies are in milliseconds.
///
/// @param iteration `average`, a number, `about` or empty
record PublishedRow(
    String source,
    String experiment,
    String placement,
    int clients,
    String iteration,
    String operation,
    String metric,
    double value) {
  static final String LATENCY = "mean latency";
  static final String THROUGHPUT = "throughput";
  static final String AVERAGE = "average";

  /// @throws IOException with the file, if it or a column is missing
  static List<PublishedRow> read(Path file) throws IOException {
    var format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    var all = new ArrayList<PublishedRow>();
    try (var in = Files.newBufferedReader(file);
        var records = format.parse(in)) {
      for (CSVRecord row : records) {
        if (row.get("clients").matches("[0-9]+") && row.get("value").matches("[0-9.]+")) {
          all.add(
              new PublishedRow(
                  row.get("source"),
                  row.get("experiment"),
                  row.get("placement"),
                  Integer.parseInt(row.get("clients")),
                  row.get("iteration"),
                  row.get("operation"),
                  row.get("metric"),
                  Double.parseDouble(row.get("value")) * unit(row.get("unit"))));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    return all;
  }

  private static double unit(String name) {
    return name.equals("s") ? 1_000 : 1;
  }

  /// Whether the report says "about".
  boolean isRounded() {
    return iteration.startsWith("about");
  }

  boolean isIteration() {
    return iteration.matches("[0-9]+");
  }
}
