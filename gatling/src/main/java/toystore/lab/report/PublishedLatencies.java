package toystore.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/// Mean latencies of other systems that are published in a unit of time: part of published.csv.
/// They come from other machines, so only their ratios within one table may be compared.
record PublishedLatencies(List<PublishedLatency> all) {
  static final PublishedLatencies NONE = new PublishedLatencies(List.of());

  /// A published mean.
  ///
  /// @param placement such as `local` or `containers`
  record PublishedLatency(
      String experiment, String placement, int clients, String kind, double millis) {}

  /// @throws IOException with the file, if it or a column is missing
  static PublishedLatencies read(Path file) throws IOException {
    var format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    var all = new ArrayList<PublishedLatency>();
    try (var in = Files.newBufferedReader(file);
        var records = format.parse(in)) {
      for (CSVRecord row : records) {
        boolean seconds = row.get("unit").equals("s");
        if (row.get("metric").equals("mean latency")
            && (seconds || row.get("unit").equals("ms"))
            && row.get("iteration").isEmpty()
            && row.get("clients").matches("[0-9]+")
            && row.get("value").matches("[0-9.]+")) {
          all.add(
              new PublishedLatency(
                  row.get("experiment"),
                  row.get("placement"),
                  Integer.parseInt(row.get("clients")),
                  row.get("operation"),
                  Double.parseDouble(row.get("value")) * (seconds ? 1_000 : 1)));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    return new PublishedLatencies(all);
  }

  /// Those of an experiment; none if it has no published counterpart.
  PublishedLatencies of(String experiment) {
    return new PublishedLatencies(filtered(it -> it.experiment().equals(experiment)));
  }

  List<String> placements() {
    return all.stream().map(PublishedLatency::placement).distinct().toList();
  }

  List<PublishedLatency> of(String placement, String kind) {
    return filtered(it -> it.placement().equals(placement) && it.kind().equals(kind));
  }

  private List<PublishedLatency> filtered(Predicate<PublishedLatency> wanted) {
    return all.stream().filter(wanted).toList();
  }
}
