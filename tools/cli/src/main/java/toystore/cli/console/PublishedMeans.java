package toystore.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Mean latencies of queries and buys that others published: rows of published.csv. They come from
/// other machines, so only their ratios may be compared.
final class PublishedMeans {
  /// A published figure.
  ///
  /// @param placement where client and server were, such as `remote`
  record Published(String placement, int clients, String kind, double millis) {}

  private PublishedMeans() {}

  /// Reads the table of the experiment that the sweep repeats; its rows have no quotes.
  ///
  /// @return nothing if the project folder has no such file
  static List<Published> read(Path project) throws IOException {
    Path file = project.resolve("docs/evaluation/published.csv");
    if (!Files.exists(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .map(line -> line.split(",", -1))
        .filter(row -> row[1].equals("query-vs-buy") && row[6].equals("mean latency"))
        .map(row ->
            new Published(
                row[2],
                Integer.parseInt(row[3]),
                row[5],
                Double.parseDouble(row[7]) * (row[8].equals("s") ? 1_000 : 1)))
        .toList();
  }
}
