package toystore.lab.run;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import toystore.lab.load.CellRow;
import toystore.lab.load.JsonFile;

/// Rows as a CSV file, with a line for each repetition of a cell: published runs, and what other
/// load generators measured. The second start of a subject in a block is the A/A comparison.
public final class ResultsTable {
  public static final String COLUMNS_TEXT =
      "block, start, subject, kind, clients, repetition, mean_us, and optionally count (calls;"
          + " default: what clients without pauses make) and seconds (default: 1).";

  private static final MathContext DIGITS = new MathContext(5);

  /// A column, whose name is in lower case, and its place in a [BlockRow]. An empty phase is the
  /// closed loop. CPU times and context switches are those of all calls of a line. The latencies as
  /// HdrHistogram writes them and the mean times of the parts of sampled calls are in one line of a
  /// cell (in the open loop, of a share of the highest rate), for all its lines.
  private enum Column {
    BLOCK("/block"),
    START("/start"),
    SUBJECT("/subject"),
    PHASE("/cell/phase"),
    CONDITION("/cell/condition"),
    KIND("/cell/kind"),
    CLIENTS("/cell/clients"),
    REPETITION("/cell/repetition"),
    MEAN_US("/cell/meanMicros"),
    COUNT("/cell/count"),
    SECONDS("/cell/seconds"),
    SINCE_READY_S("/cell/sinceReadySeconds"),
    ERRORS("/cell/errors"),
    CPU_US("/cell/cost/cpuMicros/all"),
    CLIENT_CPU_US("/cell/cost/clientCpuMicros"),
    SWITCHES("/cell/cost/contextSwitches"),
    RATE("/cell/rate"),
    ASKED("/cell/asked"),
    COMPLETED("/cell/completed"),
    WINDOW("/cell/window"),
    TRACED("/cell/traced"),
    PARTS_US("/cell/parts"),
    HISTOGRAM("/cell/histogram");

    static final List<Column> TEXTS = List.of(SUBJECT, KIND);
    static final List<Column> NUMBERS = List.of(BLOCK, START, CLIENTS, REPETITION, MEAN_US);

    private final String csv = name().toLowerCase(Locale.ROOT);
    private final JsonPointer place;

    Column(String place) {
      this.place = JsonPointer.compile(place);
    }

    String of(CSVRecord line) {
      return line.isSet(csv) ? line.get(csv) : "";
    }

    /// Empty for zero and for empty texts and lists.
    String of(JsonNode row) {
      JsonNode value = row.at(place);
      if (value.isNumber()) {
        BigDecimal number = value.decimalValue();
        return number.signum() == 0
            ? ""
            : (value.isIntegralNumber() ? number : number.round(DIGITS).stripTrailingZeros())
                .toPlainString();
      }
      return value.isObject() ? value.isEmpty() ? "" : value.toString() : value.asText();
    }

    void set(ObjectNode row, String value) throws IOException {
      row.withObject(place.head())
          .set(
              place.last().getMatchingProperty(),
              this == PARTS_US ? JsonFile.MAPPER.readTree(value) : TextNode.valueOf(value));
    }
  }

  private ResultsTable() {}

  /// Writes rows, with five significant digits and without columns that are always empty.
  public static void write(Path file, List<BlockRow> rows) throws IOException {
    List<JsonNode> lines =
        rows.stream().map(it -> JsonFile.MAPPER.<JsonNode>valueToTree(it)).toList();
    List<Column> columns =
        Stream.of(Column.values())
            .filter(column -> lines.stream().anyMatch(it -> !column.of(it).isEmpty()))
            .toList();
    var format = CSVFormat.DEFAULT.builder().setRecordSeparator('\n');
    try (var out = format.get().print(Files.newBufferedWriter(file))) {
      out.printRecord(columns.stream().map(it -> it.csv));
      for (JsonNode line : lines) {
        out.printRecord(columns.stream().map(it -> it.of(line)));
      }
    }
  }

  /// @throws IOException with the line, the column, what was expected and what was received
  public static List<BlockRow> read(Path file) throws IOException {
    var rows = new ArrayList<BlockRow>();
    var firstStarts = new HashMap<String, Integer>(); // by block and subject
    var cells = new HashSet<List<Object>>();
    var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).setTrim(true);
    try (var lines = format.get().parse(Files.newBufferedReader(file))) {
      List<String> names = lines.getHeaderNames();
      if (!Stream.of(Column.TEXTS, Column.NUMBERS)
          .allMatch(it -> it.stream().allMatch(column -> names.contains(column.csv)))) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s, line 1: expected the columns %s got %s",
                file,
                COLUMNS_TEXT,
                names));
      }
      for (CSVRecord line : lines) {
        String place =
            String.format(Locale.ROOT, "%s, line %d", file, lines.getCurrentLineNumber());
        BlockRow row = row(line, place);
        CellRow cell = row.cell();
        if (!cells.add(
            List.of(
                List.of(row.block(), row.start(), row.subject(), cell.phase(), cell.condition()),
                List.of(cell.kind(), cell.clients(), cell.repetition(), cell.rate())))) {
          throw mistake(place, Column.REPETITION, "one that the cell does not have yet", line);
        }
        int first =
            firstStarts.computeIfAbsent(row.block() + " " + row.subject(), _ -> row.start());
        rows.add(new BlockRow(row.block(), row.start(), row.subject(), first != row.start(), cell));
      }
    }
    if (rows.isEmpty()) {
      throw new IOException(
          String.format(Locale.ROOT, "%s: expected at least one line, found none", file));
    }
    return rows;
  }

  private static BlockRow row(CSVRecord line, String place) throws IOException {
    boolean closed = List.of("", "closed").contains(Column.PHASE.of(line));
    for (Column column : Column.TEXTS) {
      String name = column.of(line);
      if (name.isEmpty() || name.contains("/")) { // separates the parts of a cell's name
        throw mistake(place, column, "a name without /", line);
      }
    }
    for (Column column : closed ? Column.NUMBERS : List.<Column>of()) {
      String number = column.of(line);
      if (!number.matches("[0-9]*\\.?[0-9]+") || Double.parseDouble(number) == 0) {
        throw mistake(place, column, "a number above 0", line);
      }
    }
    ObjectNode row = JsonFile.MAPPER.createObjectNode();
    row.putObject("cell").put("phase", "closed").put("seconds", "1");
    for (String text : List.of("condition", "window", "histogram")) {
      row.withObject("/cell").put(text, "");
    }
    row.withObject("/cell/parts");
    row.withObject("/cell/cost");
    for (Column column : Column.values()) {
      if (!column.of(line).isEmpty()) {
        column.set(row, column.of(line));
      }
    }
    BlockRow read = JsonFile.parse(row.toString(), BlockRow.class, place);
    CellRow cell = read.cell();
    long count =
        cell.count() > 0
            ? cell.count()
            : Math.max(1, Math.round(cell.seconds() * cell.clients() * 1e6 / cell.meanMicros()));
    return !closed
        ? read
        : new BlockRow(
            read.block(),
            read.start(),
            read.subject(),
            false,
            JsonFile.with(
                cell,
                it ->
                    it.put("count", count)
                        .put("asked", count + cell.errors())
                        .put("completed", count)));
  }

  private static IOException mistake(String place, Column column, String expected, CSVRecord line) {
    return new IOException(
        String.format(
            Locale.ROOT,
            "%s: %s: expected %s, got \"%s\"",
            place,
            column.csv,
            expected,
            column.of(line)));
  }
}
