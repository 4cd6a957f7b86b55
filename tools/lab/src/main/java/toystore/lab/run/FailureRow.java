package toystore.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import toystore.lab.load.JsonFile;

/// What the clients of a function saw in a cell of a [FailureRun]: a line of its `results.csv`.
///
/// @param repetition from 1
/// @param meanMicros mean latency of the correct responses in the 10 s after the failure; 0 if
///   there were none
/// @param p99Micros their 99th percentile
/// @param gapMillis the longest time without a correct response of any client, from the failure on
/// @param correct number of correct responses in the whole cell
/// @param status503 number of requests that were not done
/// @param status504 number of requests whose outcome is unknown
/// @param noResponse number of requests whose connection ended, or that found no frontend
/// @param otherFailures number of all other responses
/// @param wholeMillis from the failure until every process was there again
/// @param broken promises that were broken; empty: none
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record FailureRow(
    int repetition,
    int pairs,
    String failure,
    String function,
    long meanMicros,
    long p99Micros,
    long gapMillis,
    long correct,
    long status503,
    long status504,
    long noResponse,
    long otherFailures,
    long wholeMillis,
    String broken) {
  /// A repetition of a failure with a number of pairs.
  public record Cell(int repetition, int pairs, String failure) {}

  public Cell cell() {
    return new Cell(repetition, pairs, failure);
  }

  public long failures() {
    return status503 + status504 + noResponse + otherFailures;
  }

  /// The lines of a file; none if it does not exist.
  public static List<FailureRow> read(Path file) throws IOException {
    var rows = new ArrayList<FailureRow>();
    if (Files.exists(file)) {
      var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true);
      try (var lines = format.get().parse(Files.newBufferedReader(file))) {
        for (CSVRecord line : lines) {
          String json = JsonFile.MAPPER.writeValueAsString(line.toMap());
          String place = file + ", line " + lines.getCurrentLineNumber();
          rows.add(JsonFile.parse(json, FailureRow.class, place));
        }
      }
    }
    return rows;
  }

  /// Replaces a file.
  static void write(Path file, List<FailureRow> rows) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    var format = CSVFormat.DEFAULT.builder().setRecordSeparator('\n');
    try (var out = format.get().print(Files.newBufferedWriter(next))) {
      List<JsonNode> lines =
          rows.stream().map(it -> JsonFile.MAPPER.<JsonNode>valueToTree(it)).toList();
      out.printRecord(lines.getFirst().propertyStream().map(it -> it.getKey()));
      for (JsonNode line : lines) {
        out.printRecord(line.valueStream().map(it -> it.asText()));
      }
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
