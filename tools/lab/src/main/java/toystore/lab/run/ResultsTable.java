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
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import toystore.lab.load.JsonFile;

/// The rows of a published run as a CSV file, with a line for each repetition of a cell. The second
/// start of a subject in a block is the A/A comparison.
final class ResultsTable {
  private static final MathContext DIGITS = new MathContext(5);

  /// A column, whose name is in lower case, and its place in a [BlockRow]. CPU times and context
  /// switches are those of all calls of a line. The latencies as HdrHistogram writes them are in
  /// one line of a cell (in the open loop, of a share of the highest rate), for all its lines.
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
    TIMES_US("/cell/cost/timeMicros"),
    CLIENT_CPU_US("/cell/cost/clientCpuMicros"),
    SWITCHES("/cell/cost/contextSwitches"),
    CACHE_HITS("/cell/cost/cacheHits"),
    CACHE_MISSES("/cell/cost/cacheMisses"),
    RATE("/cell/rate"),
    ASKED("/cell/asked"),
    COMPLETED("/cell/completed"),
    WINDOW("/cell/window"),
    HISTOGRAM("/cell/histogram");

    private final String csv = name().toLowerCase(Locale.ROOT);
    private final JsonPointer place;

    Column(String place) {
      this.place = JsonPointer.compile(place);
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
              this == TIMES_US ? JsonFile.MAPPER.readTree(value) : TextNode.valueOf(value));
    }
  }

  private ResultsTable() {}

  /// Writes rows, with five significant digits and without columns that are always empty.
  static void write(Path file, List<BlockRow> rows) throws IOException {
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

  /// @throws IOException with the line and its mistake
  static List<BlockRow> read(Path file) throws IOException {
    var rows = new ArrayList<BlockRow>();
    var firstStarts = new HashMap<String, Integer>(); // by block and subject
    var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true);
    try (var lines = format.get().parse(Files.newBufferedReader(file))) {
      for (CSVRecord line : lines) {
        BlockRow row = row(line, file + ", line " + lines.getCurrentLineNumber());
        int first =
            firstStarts.computeIfAbsent(row.block() + " " + row.subject(), _ -> row.start());
        boolean second = first != row.start();
        rows.add(new BlockRow(row.block(), row.start(), row.subject(), second, row.cell()));
      }
    }
    return rows;
  }

  private static BlockRow row(CSVRecord line, String place) throws IOException {
    ObjectNode row = JsonFile.MAPPER.createObjectNode();
    ObjectNode cell = row.putObject("cell").put("condition", "").put("window", "");
    cell.put("histogram", "");
    cell.putObject("cost");
    for (Column column : Column.values()) {
      if (line.isSet(column.csv) && !line.get(column.csv).isEmpty()) {
        column.set(row, line.get(column.csv));
      }
    }
    if (!cell.path("phase").asText().equals("open")) { // follow from the others
      long count = cell.path("count").asLong();
      cell.put("completed", count).put("asked", count + cell.path("errors").asLong());
    }
    return JsonFile.parse(row.toString(), BlockRow.class, place);
  }
}
