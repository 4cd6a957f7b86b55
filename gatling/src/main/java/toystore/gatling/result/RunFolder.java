package toystore.gatling.result;

import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;

/// The folder of one run of an experiment:
///
/// ```
/// about.properties   experiment, question, subjects, machine, versions, commit, settings
/// samples.csv        a row a repetition of a cell, µs
/// observations.csv   parts of a call, gRPC calls a request, round trips
/// samples.hlog       the histogram of each sample, µs, tagged REPETITION/CELL (HdrHistogram's log 1.3)
/// ```
///
/// The files are written during the run, the row of a sample last. An interrupted run therefore
/// contains only complete samples and can be resumed. One thread.
public final class RunFolder {
  private static final String SAMPLES =
      "repetition,subject,clients,kind,count,mean_us,p50_us,p95_us,p99_us,max_us,seconds,"
          + "client_cores,machine_share,gap_us,late_us";
  private static final String OBSERVATIONS = "repetition,subject,clients,kind,name,value,unit";

  private final Path folder;
  private final Map<String, String> about = new TreeMap<>();
  private final List<RepetitionSummary> samples = new ArrayList<>();
  private final List<ObservedValue> observations = new ArrayList<>();

  private RunFolder(Path folder) {
    this.folder = folder;
  }

  /// Starts a run. Creates the folder if it does not exist.
  public static RunFolder create(Path folder, Map<String, String> about) throws IOException {
    var run = new RunFolder(folder);
    Files.createDirectories(folder);
    Files.writeString(run.file("samples.csv"), SAMPLES + "\n");
    Files.writeString(run.file("observations.csv"), OBSERVATIONS + "\n");
    Files.writeString(run.file("samples.hlog"), "");
    run.note(about);
    return run;
  }

  /// Reads a stored run, finished or not.
  ///
  /// @throws IOException with the file that is missing, or the line that is malformed
  public static RunFolder read(Path folder) throws IOException {
    var run = new RunFolder(folder);
    var properties = new Properties();
    try (var in = Files.newBufferedReader(run.file("about.properties"))) {
      properties.load(in);
    }
    properties
        .stringPropertyNames()
        .forEach(key -> run.about.put(key, properties.getProperty(key)));
    for (String[] row : run.rows("samples.csv", SAMPLES)) {
      run.samples.add(sample(row));
    }
    var last =
        new LinkedHashMap<
            String, ObservedValue>(); // a repetition that was started twice counts once
    for (String[] row : run.rows("observations.csv", OBSERVATIONS)) {
      var it = observation(row);
      if (run.has(it.repetition(), it.cell())) { // its sample is complete
        last.put(it.repetition() + "/" + it.cell() + "/" + it.name(), it);
      }
    }
    run.observations.addAll(last.values());
    return run;
  }

  public static boolean isAt(Path folder) {
    return Files.exists(folder.resolve("about.properties"))
        && Files.exists(folder.resolve("samples.csv"));
  }

  public Path folder() {
    return folder;
  }

  /// Keys: `experiment`, `title`, `question`, `published` (its name in published.csv), `subjects`
  /// (in order, the first is the one others are compared with), `subject.NAME` (what it is),
  /// `audit.NAME`, `clients`, `repetitions`, `quick`, `started`, `finished`, `commit`, `cpu`,
  /// `cores`, `memory`, `os`, `java`, `engine`, `waiting` (`asked`: from how many clients on calls
  /// wait), `kinds` (`unlike`: not to be compared with each other), `kind.NAME` (what it is) …
  public Map<String, String> about() {
    return Map.copyOf(about);
  }

  public String about(String key) {
    return about.getOrDefault(key, "");
  }

  public List<String> subjects() {
    return List.of(about("subjects").split(" "));
  }

  public boolean isFinished() {
    return about.containsKey("finished");
  }

  public List<RepetitionSummary> samples() {
    return List.copyOf(samples);
  }

  public List<ObservedValue> observations() {
    return List.copyOf(observations);
  }

  public boolean has(int repetition, Cell cell) {
    return samples.stream()
        .anyMatch(sample -> sample.repetition() == repetition && sample.cell().equals(cell));
  }

  /// Adds metadata entries.
  public void note(Map<String, String> more) throws IOException {
    about.putAll(more);
    var properties = new Properties();
    properties.putAll(about);
    Path next = file("about.properties.new");
    try (BufferedWriter out = Files.newBufferedWriter(next)) {
      properties.store(out, null);
    }
    Files.move(
        next,
        file("about.properties"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  public void add(RepetitionSummary sample, Histogram micros, List<ObservedValue> seen)
      throws IOException {
    micros.setTag(sample.repetition() + "/" + sample.cell());
    append("samples.hlog", line(micros));
    for (ObservedValue it : seen) {
      append("observations.csv", row(it));
    }
    append("samples.csv", row(sample));
    samples.add(sample);
    observations.addAll(seen);
  }

  /// All latencies of each cell, in µs, all repetitions together.
  public Map<Cell, Histogram> histograms() throws IOException {
    var byTag = new HashMap<String, Histogram>(); // a repetition that was started twice counts once
    try (var reader = new HistogramLogReader(file("samples.hlog").toFile())) {
      while (reader.hasNext()) {
        if (reader.nextIntervalHistogram() instanceof Histogram next && next.getTag() != null) {
          byTag.put(next.getTag(), next);
        }
      }
    }
    var byCell = new HashMap<Cell, Histogram>();
    byTag.forEach((tag, micros) -> {
      int slash = tag.indexOf('/');
      Cell cell = Cell.parse(tag.substring(slash + 1));
      byCell.computeIfAbsent(cell, _ -> new Histogram(3)).add(micros);
    });
    return byCell;
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /// Appends complete lines and replaces an incomplete last line.
  private void append(String name, String text) throws IOException {
    try (var file = new RandomAccessFile(file(name).toFile(), "rw")) {
      long end = file.length();
      for (; end > 0; end--) {
        file.seek(end - 1);
        if (file.read() == '\n') {
          break;
        }
      }
      file.setLength(end);
      file.seek(end);
      file.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String line(Histogram micros) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      new HistogramLogWriter(out).outputIntervalHistogram(micros);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  // no field contains a comma; a last line without line break is incomplete
  private List<String[]> rows(String name, String header) throws IOException {
    String text = Files.readString(file(name));
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(header)) {
      throw new IOException(file(name) + ": expected the header '" + header + "'");
    }
    var rows = new ArrayList<String[]>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      if (fields.length != header.split(",", -1).length) {
        throw new IOException(file(name) + ": expected '" + header + "', found '" + line + "'");
      }
      rows.add(fields);
    }
    return rows;
  }

  private static String row(RepetitionSummary it) {
    return csv(
        it.repetition(),
        it.cell(),
        "%d,%.1f,%d,%d,%d,%d,%.6f,%.3f,%.3f,%.1f,%.1f",
        it.count(),
        it.meanMicros(),
        it.p50Micros(),
        it.p95Micros(),
        it.p99Micros(),
        it.maxMicros(),
        it.seconds(),
        it.strain().clientCores(),
        it.strain().machineShare(),
        it.strain().gapMicros(),
        it.strain().lateMicros());
  }

  private static String row(ObservedValue it) {
    return csv(it.repetition(), it.cell(), "%s,%.3f,%s", it.name(), it.value(), it.unit());
  }

  private static String csv(int repetition, Cell cell, String pattern, Object... values) {
    return "%d,%s,%d,%s,".formatted(repetition, cell.subject(), cell.clients(), cell.kind())
        + String.format(Locale.ROOT, pattern, values)
        + "\n";
  }

  private static RepetitionSummary sample(String[] row) {
    double[] number = Stream.of(row).skip(4).mapToDouble(Double::parseDouble).toArray();
    return new RepetitionSummary(
        Integer.parseInt(row[0]),
        cell(row),
        (long) number[0],
        number[1],
        (long) number[2],
        (long) number[3],
        (long) number[4],
        (long) number[5],
        number[6],
        new RepetitionSummary.Strain(number[7], number[8], number[9], number[10]));
  }

  private static ObservedValue observation(String[] row) {
    return new ObservedValue(
        Integer.parseInt(row[0]), cell(row), row[4], Double.parseDouble(row[5]), row[6]);
  }

  private static Cell cell(String[] row) {
    return new Cell(row[1], Integer.parseInt(row[2]), row[3]);
  }
}
