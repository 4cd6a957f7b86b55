package toystore.gatling.report;

import java.util.List;
import java.util.function.Function;

/// Figures of published.csv. For ids, see [Figures].
record PublishedFigures(Published published) {
  private static final List<Function<Published.Row, String>> COLUMNS =
      List.of(
          Published.Row::source,
          Published.Row::experiment,
          Published.Row::placement,
          Published.Row::clients,
          Published.Row::operation);

  Figure find(String id) {
    String rest = id.substring(id.indexOf(' ') + 1);
    if (id.startsWith("published ")) {
      Published.Row row = row(rest);
      return Figure.number(row.text(), row.number().orElse(Double.NaN));
    }
    String[] rows = rest.split(" / ");
    if (rows.length != 2) {
      throw Figures.wrong(id, "published-ratio ROW / ROW");
    }
    double ratio = number(rows[0]) / number(rows[1]);
    return new Figure(
        Numbers.times(ratio),
        Numbers.times(ratio),
        ratio,
        Verdict.of(new Estimate(ratio, ratio, ratio), 1));
  }

  private double number(String id) {
    return row(id).number().orElseThrow(() -> new NotMeasured("a number of " + id, row(id).text()));
  }

  private Published.Row row(String id) {
    String[] words = id.strip().split("\\s+");
    if (words.length != COLUMNS.size() + 1) {
      throw Figures.wrong(id, "SOURCE EXPERIMENT PLACEMENT CLIENTS OPERATION METRIC");
    }
    Published left = published;
    for (int i = 0; i < COLUMNS.size(); i++) {
      Function<Published.Row, String> column = COLUMNS.get(i);
      String word = words[i];
      Published before = left;
      left = before.where(row -> Published.word(column.apply(row)).equals(word));
      if (left.isEmpty()) {
        throw new NotMeasured(
            "published " + id,
            before.rows().stream().map(column).map(Published::word).distinct().toList());
      }
    }
    Published found = left;
    return found
        .where(row -> Published.word(row.metric()).startsWith(words[COLUMNS.size()]))
        .one()
        .orElseThrow(() ->
            new NotMeasured(
                "published " + id,
                found.rows().stream().map(Published.Row::metric).distinct().toList()));
  }
}
