package toystore.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import toystore.lab.load.CellRow;
import toystore.lab.load.JsonFile;

/// A run that another load generator measured: means of repetitions from a CSV file. It has no
/// distributions, costs or drift in time other than between repetitions. The first subject of the
/// file is the baseline; its second start in a block is the A/A comparison.
///
/// @param rows a row for each line
public record ImportedRun(ExperimentPlan plan, List<BlockRow> rows, Path file) {
  public static final String COLUMNS_TEXT =
      "block, start, subject, kind, clients, repetition, mean_us, and optionally count (calls;"
          + " default: what clients without pauses make) and seconds (default: 1).";

  private static final List<String> REQUIRED =
      List.of("block", "start", "subject", "kind", "clients", "repetition", "mean_us");

  /// @throws IOException with the line, the column, what was expected and what was received
  public static ImportedRun read(Path file, String name) throws IOException {
    var rows = new ArrayList<BlockRow>();
    var starts = new HashMap<String, Integer>(); // first start by block and subject
    var cells = new HashSet<List<Object>>();
    var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).setTrim(true);
    try (var lines = format.get().parse(Files.newBufferedReader(file))) {
      if (!lines.getHeaderNames().containsAll(REQUIRED)) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s, line 1: expected the columns %s got %s",
                file,
                COLUMNS_TEXT,
                lines.getHeaderNames()));
      }
      for (CSVRecord line : lines) {
        var fields = new Line(file, lines.getCurrentLineNumber(), line);
        int block = (int) fields.number("block", 1);
        int start = (int) fields.number("start", 1);
        String subject = fields.text("subject");
        int first = starts.computeIfAbsent(block + " " + subject, _ -> start);
        CellRow cell = fields.cell();
        if (!cells.add(
            List.of(block, start, subject, cell.kind(), cell.clients(), cell.repetition()))) {
          throw fields.mistake("repetition", "one that the cell does not have yet");
        }
        rows.add(new BlockRow(block, start, subject, first != start, cell));
      }
    }
    if (rows.isEmpty()) {
      throw new IOException(
          String.format(Locale.ROOT, "%s: expected at least one line, found none", file));
    }
    return new ImportedRun(plan(name, file, rows), rows, file);
  }

  private static ExperimentPlan plan(String name, Path file, List<BlockRow> rows)
      throws IOException {
    var blocks = new TreeSet<>(values(rows, BlockRow::block));
    if (blocks.last() != blocks.size()) {
      throw new IOException(
          String.format(
              Locale.ROOT, "%s: expected the blocks 1 to %d, got %s", file, blocks.size(), blocks));
    }
    var plan = JsonFile.MAPPER.createObjectNode();
    plan.put("name", name).put("title", name).put("question", "What do the results say?");
    plan.putPOJO("subjects", values(rows, BlockRow::subject));
    plan.putPOJO("kinds", values(rows, it -> it.cell().kind()));
    plan.putPOJO("clients", new TreeSet<>(values(rows, it -> it.cell().clients())));
    int repetitions = Collections.max(values(rows, it -> it.cell().repetition()));
    plan.put("repetitions", repetitions);
    plan.put("blocks", blocks.size()).put("warmUpSeconds", 0);
    return ExperimentPlan.parse(plan.toString(), file.toString());
  }

  /// The values of a field, in the order of the file.
  private static <T> Set<T> values(List<BlockRow> rows, Function<BlockRow, T> field) {
    return rows.stream().map(field).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /// @throws IOException if the folder has a run already
  public void store(Path folder) throws IOException {
    if (Files.exists(folder)) {
      throw new IOException(
          String.format(Locale.ROOT, "%s exists; move it away or choose another name", folder));
    }
    StoredRun run = StoredRun.open(folder, plan);
    run.note(Map.of("imported from", file.getFileName().toString()));
    for (int block = 1; block <= plan.blocks(); block++) {
      int number = block;
      run.add(block, rows.stream().filter(it -> it.block() == number).toList());
    }
  }

  private record Line(Path file, long number, CSVRecord fields) {
    CellRow cell() throws IOException {
      double mean = number("mean_us", Double.MIN_VALUE);
      int clients = (int) number("clients", 1);
      double seconds = fields.isSet("seconds") ? number("seconds", Double.MIN_VALUE) : 1;
      long count =
          fields.isSet("count")
              ? (long) number("count", 1)
              : Math.max(1, Math.round(seconds * clients * 1e6 / mean));
      return CellRow.ofMean(
          text("kind"), clients, (int) number("repetition", 1), mean, count, seconds);
    }

    String text(String column) throws IOException {
      String value = value(column);
      if (value.isEmpty() || value.contains("/")) { // separates the parts of a cell's name
        throw mistake(column, "a name without /");
      }
      return value;
    }

    double number(String column, double least) throws IOException {
      try {
        double number = Double.parseDouble(value(column));
        if (number >= least && Double.isFinite(number)) {
          return number;
        }
      } catch (NumberFormatException _) {
        // reported below
      }
      throw mistake(
          column,
          least == Double.MIN_VALUE
              ? "a number above 0"
              : String.format(Locale.ROOT, "a number of at least %.0f", least));
    }

    private String value(String column) {
      return fields.isSet(column) ? fields.get(column) : "";
    }

    IOException mistake(String column, String expected) {
      return new IOException(
          String.format(
              Locale.ROOT,
              "%s, line %d: %s: expected %s, got \"%s\"",
              file,
              number,
              column,
              expected,
              value(column)));
    }
  }
}
