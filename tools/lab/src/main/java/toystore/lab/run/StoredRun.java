package toystore.lab.run;

import static toystore.common.RootLocale.format;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The folder of a run:
///
/// ```
/// plan.json      what was to be measured, and the contrasts
/// about.json     machine, versions, commit, file system; blocks that were run again
/// block-N.jsonl  the rows of a complete block, a line of JSON each
/// results.csv    instead of blocks, in a published run
/// ```
///
/// A block's file is written when the block is complete, so an interrupted run resumes with the
/// next block. One thread.
public final class StoredRun {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final Path folder;

  private StoredRun(Path folder) {
    this.folder = folder;
  }

  /// Creates a run, or opens the interrupted run of the same plan.
  ///
  /// @throws IOException if the folder has a run of another plan
  public static StoredRun open(Path folder, ExperimentPlan plan) throws IOException {
    Files.createDirectories(folder);
    var run = new StoredRun(folder);
    Path file = folder.resolve("plan.json");
    if (Files.notExists(file)) {
      write(file, plan.json() + "\n");
    } else if (!run.plan().equals(plan)) {
      throw new IOException(
          folder + " contains a run with another plan; move it away or delete it");
    }
    return run;
  }

  /// The stored run of a folder, complete or not.
  public static StoredRun read(Path folder) {
    return new StoredRun(folder);
  }

  public Path folder() {
    return folder;
  }

  public ExperimentPlan plan() throws IOException {
    Path file = folder.resolve("plan.json");
    return ExperimentPlan.parse(Files.readString(file), file.toString());
  }

  /// Facts about the run: machine, commit, versions, flags.
  @SuppressWarnings("unchecked") // JSON objects of texts
  private Map<String, String> about() throws IOException {
    Path file = folder.resolve("about.json");
    return Files.exists(file) ? JSON.readValue(file.toFile(), TreeMap.class) : new TreeMap<>();
  }

  /// Adds facts about the run.
  public void note(Map<String, String> facts) throws IOException {
    Map<String, String> all = about();
    all.putAll(facts);
    write(
        folder.resolve("about.json"),
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all));
  }

  boolean hasBlock(int block) {
    return Files.exists(file(block));
  }

  void add(int block, List<BlockRow> rows) throws IOException {
    var lines = new StringBuilder();
    for (BlockRow row : rows) {
      lines.append(JSON.writeValueAsString(row)).append('\n');
    }
    write(file(block), lines.toString());
  }

  /// The rows of all complete blocks.
  public List<BlockRow> rows() throws IOException {
    var rows = new ArrayList<BlockRow>();
    for (int block = 1; hasBlock(block); block++) {
      try (var ofBlock =
          JSON.readerFor(BlockRow.class).<BlockRow>readValues(file(block).toFile())) {
        rows.addAll(ofBlock.readAll());
      }
    }
    return rows;
  }

  private Path file(int block) {
    return folder.resolve(format("block-%02d.jsonl", block));
  }

  private static void write(Path file, String text) throws IOException {
    Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
