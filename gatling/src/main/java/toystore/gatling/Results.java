package toystore.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/// A folder with what one run measured:
///
/// ```
/// cells.csv          one row a cell, µs
/// cells.hlog         all histograms, µs, one tagged line a cell (HdrHistogram's log format 1.3)
/// 3-query.hgrm       one cell's percentile distribution, µs (for HdrHistogram's plotter)
/// about.properties   experiment, when, where, on what, with which settings
/// ```
///
/// @param about keys as in about.properties; `experiment` is always there
record Results(Path folder, Map<String, String> about, List<Cell> cells) {
  private static final String HEADER =
      "clients,kind,count,mean_us,p50_us,p95_us,p99_us,max_us,per_second";

  Results {
    if (!about.containsKey("experiment")) {
      throw new IllegalArgumentException(aboutFile(folder) + ": no experiment named");
    }
    about = Map.copyOf(about);
    cells = List.copyOf(cells);
  }

  String experiment() {
    return about.getOrDefault("experiment", "");
  }

  static Path cellsFile(Path folder) {
    return folder.resolve("cells.csv");
  }

  private static Path aboutFile(Path folder) {
    return folder.resolve("about.properties");
  }

  /// Writes all files; cells.csv comes last, so a folder that has it is whole.
  static Results write(Path folder, Map<String, String> about, List<Measurement> measurements)
      throws IOException {
    var results = new Results(folder, about, measurements.stream().map(Measurement::cell).toList());
    Files.createDirectories(folder);
    Files.deleteIfExists(cellsFile(folder));
    Histograms.write(folder, measurements);
    writeAbout(folder, about);
    writeCells(folder, results.cells());
    return results;
  }

  private static void writeAbout(Path folder, Map<String, String> about) throws IOException {
    var properties = new Properties();
    properties.putAll(about);
    try (var out = Files.newBufferedWriter(aboutFile(folder))) {
      properties.store(out, null);
    }
  }

  private static void writeCells(Path folder, List<Cell> cells) throws IOException {
    var lines = new ArrayList<String>();
    lines.add(HEADER);
    for (Cell cell : cells) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%d,%s,%d,%.1f,%d,%d,%d,%d,%.1f",
              cell.clients(),
              cell.kind(),
              cell.count(),
              cell.meanMicros(),
              cell.p50Micros(),
              cell.p95Micros(),
              cell.p99Micros(),
              cell.maxMicros(),
              cell.perSecond()));
    }
    Files.write(cellsFile(folder), lines);
  }

  /// Reads cells.csv and about.properties; the histograms stay where they are.
  ///
  /// @throws IOException naming the file that is missing, or its line that is not a cell
  static Results read(Path folder) throws IOException {
    var properties = new Properties();
    try (var in = Files.newBufferedReader(aboutFile(folder))) {
      properties.load(in);
    }
    var about = new HashMap<String, String>();
    properties.stringPropertyNames().forEach(key -> about.put(key, properties.getProperty(key)));
    return new Results(folder, about, readCells(cellsFile(folder)));
  }

  private static List<Cell> readCells(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
      throw new IOException(file + ": header '" + HEADER + "' wanted");
    }
    var cells = new ArrayList<Cell>();
    for (int i = 1; i < lines.size(); i++) {
      cells.add(cell(lines.get(i), file + ", line " + (i + 1)));
    }
    return cells;
  }

  // a kind has no comma and no quote, so splitting is enough
  private static Cell cell(String line, String where) throws IOException {
    String[] fields = line.split(",", -1);
    if (fields.length != HEADER.split(",").length) {
      throw new IOException(where + ": '" + HEADER + "' wanted, found '" + line + "'");
    }
    try {
      return new Cell(
          Integer.parseInt(fields[0]),
          fields[1],
          Long.parseLong(fields[2]),
          Double.parseDouble(fields[3]),
          Long.parseLong(fields[4]),
          Long.parseLong(fields[5]),
          Long.parseLong(fields[6]),
          Long.parseLong(fields[7]),
          Double.parseDouble(fields[8]));
    } catch (IllegalArgumentException e) {
      throw new IOException(where + ": " + e.getMessage(), e);
    }
  }
}
