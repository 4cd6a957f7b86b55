package toystore.lab.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/// Mean latencies of other systems: part of published.csv. They come from other machines, so only
/// their ratios within one table may be compared.
record PublishedLatencies(List<PublishedRow> all) {
  static final PublishedLatencies NONE = new PublishedLatencies(List.of());

  /// @throws IOException with the file, if it or a column is missing
  static PublishedLatencies read(Path file) throws IOException {
    return new PublishedLatencies(PublishedRow.read(file))
        .filtered(it -> it.metric().equals(PublishedRow.LATENCY) && it.iteration().isEmpty());
  }

  /// Those of an experiment; none if it has no published counterpart.
  PublishedLatencies of(String experiment) {
    return filtered(it -> it.experiment().equals(experiment));
  }

  List<String> placements() {
    return all.stream().map(PublishedRow::placement).distinct().toList();
  }

  List<PublishedRow> of(String placement, String kind) {
    return filtered(it -> it.placement().equals(placement) && it.operation().equals(kind)).all();
  }

  private PublishedLatencies filtered(Predicate<PublishedRow> wanted) {
    return new PublishedLatencies(all.stream().filter(wanted).toList());
  }
}
