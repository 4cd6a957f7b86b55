package toystore.gatling.report;

import java.util.List;
import java.util.function.Function;

/// Figures of published.csv. For ids, see [ReportedValueResolver].
record PublishedValueResolver(PublishedResults published) {
  private static final List<Function<PublishedResults.Row, String>> COLUMNS =
      List.of(
          PublishedResults.Row::source,
          PublishedResults.Row::experiment,
          PublishedResults.Row::placement,
          PublishedResults.Row::clients,
          PublishedResults.Row::operation);

  ReportedValue find(String id) {
    String rest = id.substring(id.indexOf(' ') + 1);
    if (id.startsWith("published ")) {
      PublishedResults.Row row = row(rest);
      return ReportedValue.number(row.text(), row.number().orElse(Double.NaN));
    }
    String[] rows = rest.split(" / ");
    if (rows.length != 2) {
      throw ReportedValueResolver.wrong(id, "published-ratio ROW / ROW");
    }
    double ratio = number(rows[0]) / number(rows[1]);
    return new ReportedValue(
        Numbers.times(ratio),
        Numbers.times(ratio),
        ratio,
        Verdict.of(new Estimate(ratio, ratio, ratio), 1));
  }

  private double number(String id) {
    return row(id)
        .number()
        .orElseThrow(() -> new NotMeasuredException("a number of " + id, row(id).text()));
  }

  private PublishedResults.Row row(String id) {
    String[] words = id.strip().split("\\s+");
    if (words.length != COLUMNS.size() + 1) {
      throw ReportedValueResolver.wrong(id, "SOURCE EXPERIMENT PLACEMENT CLIENTS OPERATION METRIC");
    }
    PublishedResults left = published;
    for (int i = 0; i < COLUMNS.size(); i++) {
      Function<PublishedResults.Row, String> column = COLUMNS.get(i);
      String word = words[i];
      PublishedResults before = left;
      left = before.where(row -> PublishedResults.word(column.apply(row)).equals(word));
      if (left.isEmpty()) {
        throw new NotMeasuredException(
            "published " + id,
            before.rows().stream().map(column).map(PublishedResults::word).distinct().toList());
      }
    }
    PublishedResults found = left;
    return found
        .where(row -> PublishedResults.word(row.metric()).startsWith(words[COLUMNS.size()]))
        .one()
        .orElseThrow(() ->
            new NotMeasuredException(
                "published " + id,
                found.rows().stream().map(PublishedResults.Row::metric).distinct().toList()));
  }
}
