package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import toystore.gatling.result.Cell;

/// Compares the first subject with published figures of the same experiment. They are from other
/// machines, so changes can be compared, but hardly the figures themselves.
record PublishedComparison(ReportData evidence) implements Section {
  @Override
  public String heading() {
    return "Comparison with published figures";
  }

  @Override
  public String text() {
    var text = new StringBuilder();
    for (String name : evidence.measured().run().about("published").split("[ ,]+")) {
      PublishedResults experiment = evidence.published().of(name);
      for (String source : name.isEmpty() ? List.<String>of() : experiment.sources()) {
        text.append(text(source, experiment.where(row -> row.source().equals(source))));
      }
    }
    return text.isEmpty() ? "" : text.toString().stripTrailing() + "\n";
  }

  private String text(String source, PublishedResults here) {
    String ours = "`" + evidence.measured().subjects().getFirst() + "`";
    return """
    Published: %s. Ours is %s. `×` is published ÷ ours.

    %s
    Change with the number of clients, relative to the smallest number:

    %s
    %s
    """
        .formatted(
            Phrases.literal(source),
            ours,
            means(here).markdown(),
            growth(here).markdown(),
            throughput(here));
  }

  private TextTable means(PublishedResults here) {
    var header = new ArrayList<>(List.of("operation", "clients", "ours, mean"));
    here.placements().forEach(it -> header.addAll(List.of(Phrases.literal(it), "×")));
    return new TextTable(
        1,
        header,
        rows(
            here,
            (operation, clients) -> {
              var row = new ArrayList<String>();
              row.add(ours(operation, clients).map(it -> Numbers.millis(it)).orElse(Numbers.NONE));
              for (String placement : here.placements()) {
                OptionalDouble theirs = theirs(here, placement, clients, operation);
                row.add(printed(here, placement, clients, operation, PublishedResults.MEAN));
                row.add(
                    ours(operation, clients)
                        .filter(_ -> theirs.isPresent())
                        .map(it -> Numbers.times(theirs.getAsDouble() / it))
                        .orElse(Numbers.NONE));
              }
              return row;
            }));
  }

  private TextTable growth(PublishedResults here) {
    var header = new ArrayList<>(List.of("operation", "clients", "ours"));
    here.placements().forEach(it -> header.add(Phrases.literal(it)));
    int fewest = here.clients().isEmpty() ? 1 : here.clients().getFirst();
    return new TextTable(
        1,
        header,
        rows(
                here,
                (operation, clients) -> {
                  var row = new ArrayList<String>();
                  Cell first = cell(operation, fewest).orElse(null);
                  row.add(
                      first == null
                          ? Numbers.NONE
                          : cell(operation, clients)
                              .flatMap(it -> evidence.ratio(it, first))
                              .map(Ratio::text)
                              .orElse(Numbers.NONE));
                  for (String placement : here.placements()) {
                    OptionalDouble from = theirs(here, placement, fewest, operation);
                    OptionalDouble to = theirs(here, placement, clients, operation);
                    row.add(
                        from.isPresent() && to.isPresent()
                            ? Numbers.times(to.getAsDouble() / from.getAsDouble())
                            : PublishedResults.NOT);
                  }
                  return row;
                })
            .stream()
            .filter(row -> !row.get(1).equals(Numbers.whole(fewest)))
            .toList());
  }

  private String throughput(PublishedResults here) {
    var header =
        new ArrayList<>(List.of("operation", "clients", "ours, answers/s", "ours, N ÷ mean"));
    here.placements()
        .forEach(it -> header.addAll(List.of(Phrases.literal(it) + ", throughput", "N ÷ mean")));
    return "Throughput, and clients ÷ mean latency:\n\n"
        + new TextTable(
                1,
                header,
                rows(
                    here,
                    (operation, clients) -> {
                      var row = new ArrayList<String>();
                      RunByCell measured = evidence.measured();
                      row.add(
                          cell(operation, clients)
                              .map(it -> Numbers.number(measured.perSecond(it).value()) + " /s")
                              .orElse(Numbers.NONE));
                      row.add(
                          cell(operation, clients)
                              .map(it -> Numbers.number(measured.clientsOverMean(it)) + " /s")
                              .orElse(Numbers.NONE));
                      for (String placement : here.placements()) {
                        OptionalDouble mean = theirs(here, placement, clients, operation);
                        row.add(
                            printed(
                                here, placement, clients, operation, PublishedResults.THROUGHPUT));
                        row.add(
                            mean.isPresent()
                                ? Numbers.number(clients * 1e3 / mean.getAsDouble()) + " /s"
                                : Numbers.NONE);
                      }
                      return row;
                    }))
            .markdown();
  }

  private interface Rest {
    List<String> of(String operation, int clients);
  }

  // operation and clients, then the rest
  private static List<List<String>> rows(PublishedResults here, Rest rest) {
    var rows = new ArrayList<List<String>>();
    for (String operation : here.operations()) {
      for (int clients : here.clients()) {
        var row = new ArrayList<>(List.of("`" + operation + "`", Numbers.whole(clients)));
        row.addAll(rest.of(operation, clients));
        rows.add(row);
      }
    }
    return rows;
  }

  private static String printed(
      PublishedResults here, String placement, int clients, String operation, String metric) {
    return here.find(placement, clients, operation, metric)
        .map(PublishedResults.Row::text)
        .map(Phrases::literal)
        .orElse(PublishedResults.NOT);
  }

  private static OptionalDouble theirs(
      PublishedResults here, String placement, int clients, String operation) {
    return here.find(placement, clients, operation, PublishedResults.MEAN)
        .map(PublishedResults.Row::number)
        .orElse(OptionalDouble.empty());
  }

  private Optional<Double> ours(String operation, int clients) {
    return cell(operation, clients).map(it -> evidence.measured().mean(it).value());
  }

  // of the first subject, if such a call was measured
  private Optional<Cell> cell(String operation, int clients) {
    RunByCell measured = evidence.measured();
    return measured.cells().stream()
        .filter(it ->
            it.subject().equals(measured.subjects().getFirst())
                && it.kind().equals(operation)
                && it.clients() == clients)
        .findFirst();
  }
}
