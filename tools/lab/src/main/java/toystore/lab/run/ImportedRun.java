package toystore.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import toystore.lab.load.JsonFile;

/// A run that another load generator measured: means of repetitions in a [ResultsTable]. It has no
/// distributions, costs or drift in time other than between repetitions. The first subject of the
/// file is the baseline.
///
/// @param rows a row for each line
public record ImportedRun(ExperimentPlan plan, List<BlockRow> rows, Path file) {
  /// @throws IOException with the line, the column, what was expected and what was received
  public static ImportedRun read(Path file, String name) throws IOException {
    List<BlockRow> rows = ResultsTable.read(file);
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
    Files.copy(file, run.table());
  }
}
