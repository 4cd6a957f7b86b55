package toystore.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import toystore.testkit.Project;

/// The tables of `docs/guarantees.md`, made of the stored results: what is promised, what looks
/// whether it holds, how often it was tried, and which planted mistakes show that it sees.
///
/// ```
/// docs/guarantees/promises.csv       promise, its checks, the mistakes it is to see
/// docs/guarantees/results/*.properties   a Result each
/// docs/guarantees/results/mistakes.csv   what became of each planted mistake
/// ```
final class Guarantees {
  private static final String TABLE_BEGINS = "<!-- made by ./toystore torture guarantees -->\n";
  private static final String TABLE_ENDS = "<!-- end -->";
  private static final Path FOLDER = Path.of("docs/guarantees");

  private final List<CSVRecord> promises;
  private final Map<String, TrialResult> results;
  private final Map<String, CSVRecord> mistakes;

  private Guarantees(Path home) throws IOException {
    Path folder = home.resolve(FOLDER);
    promises = csv(folder.resolve("promises.csv"));
    results =
        TrialResult.readAll(folder.resolve("results")).stream()
            .collect(Collectors.toMap(it -> it.of("check"), Function.identity()));
    mistakes =
        csv(folder.resolve("results/mistakes.csv")).stream()
            .collect(Collectors.toMap(it -> it.get("mistake"), Function.identity()));
  }

  /// Takes over the results of the last run, and makes the tables of them.
  static boolean refresh() throws IOException {
    Path home = Project.HOME;
    Path stored = home.resolve(FOLDER).resolve("results");
    Path fresh = home.resolve("target/results");
    if (Files.isDirectory(fresh)) {
      try (Stream<Path> files = Files.list(fresh)) {
        for (Path file : files.filter(Guarantees::isResult).toList()) {
          Files.write(stored.resolve(file.getFileName()), Files.readAllBytes(file));
        }
      }
    }
    Path page = home.resolve("docs/guarantees.md");
    Files.writeString(page, filled(home, Files.readString(page)));
    return true;
  }

  private static boolean isResult(Path file) {
    return file.toString().endsWith(".properties") || file.endsWith("mistakes.csv");
  }

  /// The page with its tables as the stored results have them.
  static String filled(Path home, String page) throws IOException {
    var tables = new Guarantees(home);
    int from = page.indexOf(TABLE_BEGINS) + TABLE_BEGINS.length();
    int to = page.indexOf(TABLE_ENDS, from);
    return page.substring(0, from) + tables.promises() + "\n" + tables.runs() + page.substring(to);
  }

  private String promises() {
    var table =
        new StringBuilder(
            "| promise | looked at by, tried | planted mistakes it has seen |\n|---|---|---|\n");
    for (CSVRecord promise : promises) {
      String checks =
          words(promise.get("checks")).map(this::check).collect(Collectors.joining("<br>"));
      String seen =
          words(promise.get("mistakes")).map(this::mistake).collect(Collectors.joining("<br>"));
      table.append("| %s | %s | %s |\n".formatted(promise.get("promise"), checks, seen));
    }
    return table.toString();
  }

  private String check(String name) {
    TrialResult result = results.get(name);
    if (result == null) {
      return "**untried**: " + name;
    }
    String link = "[%s](../%s)".formatted(name, result.of("test"));
    if (!result.of("untried").isEmpty()) {
      return "**untried**: %s (%s)".formatted(link, result.of("untried"));
    }
    String broken = result.of("broken").isEmpty() ? "" : ", **broken**: " + result.of("broken");
    return "%s: %,d %s%s".formatted(link, result.tried(), result.of("unit"), broken);
  }

  private String mistake(String name) {
    CSVRecord mistake = mistakes.get(name);
    String link = "[%s](../torture/mistakes/%s.patch)".formatted(name, name);
    if (mistake == null) {
      return "**untried**: " + link;
    }
    return mistake.get("seen").equals("yes")
        ? "%s: `%s`".formatted(link, mistake.get("test"))
        : "**not seen**: " + link;
  }

  private String runs() {
    var table = new StringBuilder("| check | command | commit | took |\n|---|---|---|---|\n");
    results.values().stream()
        .filter(it -> it.of("untried").isEmpty())
        .sorted((a, b) -> a.of("check").compareTo(b.of("check")))
        .forEach(it ->
            table.append(
                "| %s | `%s` | %s | %s s |\n"
                    .formatted(
                        it.of("check"), it.of("command"), it.of("commit"), it.of("seconds"))));
    mistakes.values().stream()
        .limit(1)
        .forEach(it ->
            table.append(
                "| planted mistakes | `./toystore torture mistakes` | %s | |\n"
                    .formatted(it.get("commit"))));
    return table.toString();
  }

  private static Stream<String> words(String text) {
    return Stream.of(text.split(" ")).filter(it -> !it.isEmpty());
  }

  private static List<CSVRecord> csv(Path file) {
    try (CSVParser parser =
        CSVParser.parse(
            file, UTF_8, CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get())) {
      return new ArrayList<>(parser.getRecords());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
