package toystore.gatling.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import toystore.gatling.result.Cell;
import toystore.gatling.result.RunFolder;

/// Resolves ids to figures from stored runs and published.csv. Latencies are means in ms with 95 %
/// intervals. `CELL` is `EXPERIMENT/SUBJECT/CLIENTS/KIND`; `PARTS` is one part or several joined by
/// `+`. A row of published.csv is six words, each as [PublishedResults#word] returns it; the metric
/// is given by a prefix.
///
/// ```
/// CELL/STATISTIC               mean, p50, p95, p99, max, per-second, n-over-mean, calls, repetitions
/// ratio CELL CELL              first ÷ second
/// growth CELL CLIENTS          ÷ the same cell with so many clients
/// growths CELL CELL CLIENTS    growth of the first ÷ growth of the second
/// operation CELL               ns of one operation on a lock, including the wait of its thread
/// operations CELL CELL         first ÷ second of these
/// part CELL PARTS              ms of a call; share CELL PARTS is % of the whole (up: over half)
/// largest-part CELL            its name and share, or several if their order is unclear
/// extra CELL CELL PARTS        ms that the first call takes there beyond the second; part `whole`: all
/// extra-share CELL CELL PARTS  % of all that the first call takes beyond the second (up: over half)
/// carrier CELL CELL            the part with the largest share of that, if one detectably differs
/// calls CELL [SERVICE.METHOD]  gRPC calls per request
/// services CELL                services a request visits, the frontend too
/// slope EXPERIMENT DISTANCE CLIENTS KIND     number of round trips that a call waits for
/// round-trip EXPERIMENT SUBJECT DISTANCE     as measured, ms
/// resolution KIND              ratio of a store to itself in the noise run
/// first-over-last EXPERIMENT   first repetition ÷ last, over all cells
/// about EXPERIMENT KEY         as in about.properties
/// published SOURCE EXPERIMENT PLACEMENT CLIENTS OPERATION METRIC
/// published-ratio ROW / ROW    of two such rows
/// largest ID, smallest ID      over all values of `*` in ID's first cell
/// where-largest ID, where-smallest ID        the value of `*` there
/// plain ID                     without its interval
/// maybe ID                     `not measured` if the data do not contain it
/// ```
final class ReportedValueResolver {
  static final String ABSENT = "not measured";
  private static final String NOISE = "noise";

  private final Map<String, RunByCell> runs;
  private final PublishedResults published;
  private final Resolution resolution;

  ReportedValueResolver(Map<String, RunByCell> runs, PublishedResults published) {
    this.runs = new TreeMap<>(runs);
    this.published = published;
    RunByCell noise = runs.get(NOISE);
    this.resolution = noise == null ? Resolution.UNKNOWN : Resolution.of(noise);
  }

  /// Reads published.csv and every run folder in the folder.
  static ReportedValueResolver read(Path folder) throws IOException {
    var runs = new TreeMap<String, RunByCell>();
    try (var folders = Files.newDirectoryStream(folder, RunFolder::isAt)) {
      for (Path each : folders) {
        RunByCell measured = RunByCell.of(RunFolder.read(each));
        if (runs.put(measured.experiment(), measured) != null) {
          throw new IOException(
              folder + ": more than one run of experiment " + measured.experiment());
        }
      }
    }
    return new ReportedValueResolver(runs, PublishedResults.read(folder.resolve("published.csv")));
  }

  /// @throws NotMeasuredException if the stored data do not contain the figure
  /// @throws IllegalArgumentException if the id is malformed
  ReportedValue find(String id) {
    String[] words = id.strip().split("\\s+", 2);
    String rest = words.length > 1 ? words[1] : "";
    return switch (words[0]) {
      case "maybe" -> maybe(rest);
      case "plain" -> plain(find(rest));
      case "largest" -> extreme(rest, Comparator.naturalOrder()).figure();
      case "smallest" -> extreme(rest, Comparator.reverseOrder()).figure();
      case "where-largest" -> ReportedValue.text(extreme(rest, Comparator.naturalOrder()).star());
      case "where-smallest" -> ReportedValue.text(extreme(rest, Comparator.reverseOrder()).star());
      case "published", "published-ratio" -> new PublishedValueResolver(published).find(id);
      default -> measured(id);
    };
  }

  private ReportedValue maybe(String id) {
    try {
      return find(id);
    } catch (NotMeasuredException _) {
      return new ReportedValue(ABSENT, ABSENT, Double.NaN, null);
    }
  }

  private static ReportedValue plain(ReportedValue figure) {
    return new ReportedValue(figure.plain(), figure.plain(), figure.value(), figure.verdict());
  }

  private record Found(String star, ReportedValue figure) {}

  private Found extreme(String id, Comparator<Double> order) {
    String cell =
        Stream.of(id.split("\\s+"))
            .filter(word -> word.contains("*"))
            .findFirst()
            .orElseThrow(() -> wrong(id, "* in a cell"));
    String[] wanted = cell.split("/");
    int place = Arrays.asList(wanted).indexOf("*");
    if (place < 1 || place > 3 || wanted.length < 4) {
      throw wrong(id, "EXPERIMENT/SUBJECT/CLIENTS/KIND with one * ");
    }
    return run(wanted[0]).cells().stream()
        .map(it -> (wanted[0] + "/" + it).split("/")[place])
        .distinct()
        .flatMap(star -> found(id, star).stream())
        .max(Comparator.comparing(found -> found.figure().value(), order))
        .orElseThrow(() -> new NotMeasuredException(id, run(wanted[0]).cells()));
  }

  // a cell is not compared with itself
  private List<Found> found(String id, String star) {
    String filled = id.replace("*", star);
    List<String> words = List.of(filled.split("\\s+"));
    if (words.stream().distinct().count() < words.size()) {
      return List.of();
    }
    try {
      return List.of(new Found(star, find(filled)));
    } catch (NotMeasuredException _) {
      return List.of();
    }
  }

  private ReportedValue measured(String id) {
    String[] words = id.strip().split("\\s+");
    String pattern = words[0] + " " + (words.length - 1);
    return switch (pattern) {
      case "ratio 2", "growth 2", "growths 3", "resolution 1", "operation 1", "operations 2" ->
          new RatioResolver(this, resolution).find(words);
      case "about 2" -> about(words[1], words[2]);
      case "first-over-last 1" -> {
        double ratio = run(words[1]).firstOverLast();
        yield ReportedValue.number(Numbers.times(ratio), ratio);
      }
      case "part 2", "share 2", "largest-part 1", "extra 3", "extra-share 3", "carrier 2" ->
          new CallPartResolver(this).find(words);
      case "calls 1", "calls 2", "services 1", "slope 4", "round-trip 3" ->
          new RoundTripResolver(this).find(words);
      default -> statistic(id, words);
    };
  }

  RunByCell run(String experiment) {
    RunByCell run = runs.get(experiment);
    if (run == null) {
      throw new NotMeasuredException("experiment " + experiment, runs.keySet());
    }
    return run;
  }

  /// A cell and its run.
  record RunCell(RunByCell measured, Cell cell) {
    private ReportedValue statistic(String name) {
      return switch (name) {
        case "mean" ->
            ReportedValue.of(Numbers.millis(measured.mean(cell)), measured.mean(cell), 0);
        case "p50" -> millis(measured.percentile(cell, 50));
        case "p95" -> millis(measured.percentile(cell, 95));
        case "p99" -> millis(measured.percentile(cell, 99));
        case "max" -> millis(measured.max(cell));
        case "per-second" -> perSecond(measured.perSecond(cell).value());
        case "n-over-mean" -> perSecond(measured.clientsOverMean(cell));
        case "calls" ->
            ReportedValue.number(Numbers.whole(measured.calls(cell)), measured.calls(cell));
        case "repetitions" ->
            ReportedValue.number(
                Numbers.whole(measured.samples(cell).size()), measured.samples(cell).size());
        default -> throw wrong(name, "a statistic such as mean or p99");
      };
    }
  }

  RunCell runCell(String id) {
    String[] parts = id.split("/", 2);
    if (parts.length < 2) {
      throw wrong(id, "EXPERIMENT/SUBJECT/CLIENTS/KIND");
    }
    RunByCell measured = run(parts[0]);
    Cell cell = Cell.parse(parts[1]);
    if (!measured.has(cell)) {
      throw new NotMeasuredException(id, measured.cells());
    }
    return new RunCell(measured, cell);
  }

  private ReportedValue about(String experiment, String key) {
    RunFolder run = run(experiment).run();
    if (run.about(key).isEmpty()) {
      throw new NotMeasuredException(
          "about " + experiment + " " + key, new TreeMap<>(run.about()).keySet());
    }
    return ReportedValue.text(Phrases.literal(run.about(key)).replace('|', '/'));
  }

  private ReportedValue statistic(String id, String[] words) {
    int slash = words[0].lastIndexOf('/');
    if (words.length > 1 || slash < 0) {
      throw wrong(id, "an id as Figures describes them");
    }
    return runCell(words[0].substring(0, slash)).statistic(words[0].substring(slash + 1));
  }

  private static ReportedValue millis(double millis) {
    return ReportedValue.number(Numbers.millis(millis), millis);
  }

  private static ReportedValue perSecond(double answers) {
    return ReportedValue.number(Numbers.number(answers) + " /s", answers);
  }

  static IllegalArgumentException wrong(String id, String expected) {
    return new IllegalArgumentException("expected %s, found '%s'".formatted(expected, id));
  }
}
