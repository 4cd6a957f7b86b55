package toystore.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/// Mean latencies of other systems: part of published.csv. They come from other machines, so only
/// their ratios within one table may be compared.
record PublishedLatencies(List<PublishedLatency> all) {
  /// Published names of the lab's kinds that have other names.
  private static final Map<String, String> OPERATIONS =
      Map.of(
          "rating", "get_seller_rating",
          "search-items", "search_items",
          "display-items", "display_items_for_sale",
          "register-item", "register_item_for_sale");

  static final PublishedLatencies NONE = new PublishedLatencies(List.of());

  /// A printed mean latency.
  ///
  /// @param rounded whether the report says "about"
  record PublishedLatency(
      String experiment,
      String placement,
      int clients,
      String operation,
      boolean rounded,
      double millis) {}

  /// Reads the rows whose clients and value are numbers, without those of single iterations.
  ///
  /// @throws IOException with the file, if it or a column is missing
  static PublishedLatencies read(Path file) throws IOException {
    var format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    var all = new ArrayList<PublishedLatency>();
    try (var records = format.parse(Files.newBufferedReader(file))) {
      for (CSVRecord row : records) {
        String iteration = row.get("iteration");
        if (row.get("metric").equals("mean latency")
            && !iteration.matches("[0-9]+")
            && row.get("clients").matches("[0-9]+")
            && row.get("value").matches("[0-9.]+")) {
          all.add(
              new PublishedLatency(
                  row.get("experiment"),
                  row.get("placement"),
                  Integer.parseInt(row.get("clients")),
                  row.get("operation"),
                  iteration.startsWith("about"),
                  Double.parseDouble(row.get("value"))
                      * (row.get("unit").equals("s") ? 1_000 : 1)));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    return new PublishedLatencies(all);
  }

  /// Those of an experiment; none if it has no published counterpart.
  PublishedLatencies of(String experiment) {
    return filtered(it -> it.experiment.equals(experiment));
  }

  List<String> placements() {
    return all.stream().map(PublishedLatency::placement).distinct().toList();
  }

  /// @param kind a kind of requests of the lab
  List<PublishedLatency> of(String placement, String kind) {
    String operation = OPERATIONS.getOrDefault(kind, kind);
    return filtered(it -> it.placement.equals(placement) && it.operation.equals(operation)).all;
  }

  private PublishedLatencies filtered(Predicate<PublishedLatency> wanted) {
    return new PublishedLatencies(all.stream().filter(wanted).toList());
  }
}
