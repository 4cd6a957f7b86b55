package toystore.lab.report;

import static toystore.common.RootLocale.format;
import static toystore.lab.report.MarkdownTable.MISSING;
import static toystore.lab.report.MarkdownTable.number;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.lab.run.ClientFunction;
import toystore.lab.run.Failure;
import toystore.lab.run.FailureRow;
import toystore.lab.run.FailureRun;
import toystore.lab.run.FailureRun.Extent;
import toystore.lab.run.StoredRun;

/// The figures of the experiment `failures`: see [FailureRun].
///
/// | placeholder | figure |
/// |---|---|
/// | `answer failures` | the answer in a sentence |
/// | `table failures N` | functions and failures with N pairs |
/// | `table failures outcome` | what failed, and what held afterwards |
/// | `list failures` | its conditions |
///
/// @param rows of its results; none: it has not run
public record FailureReport(List<FailureRow> rows, Map<String, String> about) {
  /// @param folder of a run, complete or not; may be missing
  public static FailureReport read(Path folder) throws IOException {
    return new FailureReport(
        FailureRow.read(FailureRun.table(folder)), StoredRun.read(folder).about());
  }

  /// Copies the results of a run.
  static void publish(Path run, Path target) throws IOException {
    Files.createDirectories(target);
    for (String name : List.of("about.json", "results.csv")) {
      Files.copy(run.resolve(name), target.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /// Writes the page of a run beside its results.
  public Path writePage(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("failures.md"), ReportTemplate.resource("failures.md").fill(this::figure));
  }

  boolean isComplete() {
    Extent whole = Extent.WHOLE;
    Collection<List<FailureRow>> situations = situations();
    return situations.size() == whole.pairs().size() * whole.failures().size()
        && situations.stream().allMatch(it -> times(it) >= whole.repetitions());
  }

  /// @param words of the placeholder
  String figure(List<String> words) {
    String last = words.getLast();
    return switch (words.getFirst()) {
      case "answer" -> answer();
      case "list" ->
          about.entrySet().stream()
              .map(it -> "- " + it.getKey() + ": `" + it.getValue() + "`")
              .collect(Collectors.joining("\n"));
      default -> last.equals("outcome") ? outcomes() : functions(Integer.parseInt(last));
    };
  }

  private String answer() {
    if (rows.isEmpty()) {
      return "Not run yet.";
    }
    String gaps =
        rows.stream()
            .collect(Collectors.groupingBy(FailureRow::failure, TreeMap::new, Collectors.toList()))
            .entrySet()
            .stream()
            .map(it -> it.getKey().title() + " " + number(median(gaps(it.getValue())) / 1e3) + " s")
            .collect(Collectors.joining(", "));
    long all = times(rows);
    long broken = times(rows.stream().filter(it -> !it.broken().isEmpty()).toList());
    return "The longest time in which some function got no correct response, median by what was killed: "
        + gaps
        + (broken == 0
            ? ". After each of the "
                + all
                + " times, everything acknowledged was there, all invariants held, and no response was wrong."
            : ". After " + broken + " of " + all + " times, a promise was broken.");
  }

  private String functions(int pairs) {
    List<FailureRow> all = rows.stream().filter(it -> it.pairs() == pairs).toList();
    var table = new MarkdownTable<ClientFunction>().text("function", ClientFunction::toString);
    for (Failure failure : Failure.values()) {
      table.figure(
          failure.title(),
          function ->
              medians(
                  all.stream()
                      .filter(it -> it.failure() == failure && it.function() == function)
                      .toList()));
    }
    return table.of(all.isEmpty() ? List.of() : List.of(ClientFunction.values()));
  }

  private static String medians(List<FailureRow> repetitions) {
    if (repetitions.isEmpty()) {
      return MISSING;
    }
    return Stream.<ToLongFunction<FailureRow>>of(
            FailureRow::meanMicros, FailureRow::p99Micros, FailureRow::gapMillis)
        .map(it -> median(values(repetitions, it)))
        .map(it -> it == 0 ? MISSING : number(it / 1e3))
        .collect(Collectors.joining(" / "));
  }

  private String outcomes() {
    return new MarkdownTable<List<FailureRow>>()
        .text("killed", it -> it.getFirst().failure().title())
        .count("pairs", it -> it.getFirst().pairs())
        .count("times", FailureReport::times)
        .figure("longest gap, s: median", it -> number(median(gaps(it)) / 1e3))
        .figure("worst", it -> number(gaps(it).getLast() / 1e3))
        .figure("correct responses", it -> sum(it, FailureRow::correct))
        .figure("503", it -> sum(it, FailureRow::status503))
        .figure("504", it -> sum(it, FailureRow::status504))
        .figure("no response", it -> sum(it, FailureRow::noResponse))
        .figure("other failures", it -> sum(it, FailureRow::otherFailures))
        .figure("whole again, s", it -> number(median(values(it, FailureRow::wholeMillis)) / 1e3))
        .text("broken promises", FailureReport::broken)
        .of(situations());
  }

  /// The rows of each failure and number of pairs.
  private Collection<List<FailureRow>> situations() {
    return rows.stream()
        .sorted(Comparator.comparing(FailureRow::failure).thenComparing(FailureRow::pairs))
        .collect(
            Collectors.groupingBy(
                it -> List.of(it.failure(), it.pairs()), LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  private static int times(List<FailureRow> rows) {
    return gaps(rows).size();
  }

  /// The longest gap of any function, each time, ascending.
  private static List<Long> gaps(List<FailureRow> rows) {
    return rows.stream()
        .collect(Collectors.toMap(FailureRow::cell, FailureRow::gapMillis, Math::max))
        .values()
        .stream()
        .sorted()
        .toList();
  }

  private static List<Long> values(List<FailureRow> rows, ToLongFunction<FailureRow> value) {
    return rows.stream().map(value::applyAsLong).sorted().toList();
  }

  private static double median(List<Long> ascending) {
    int size = ascending.size();
    return (ascending.get((size - 1) / 2) + ascending.get(size / 2)) / 2.0;
  }

  private static String sum(List<FailureRow> rows, ToLongFunction<FailureRow> count) {
    return format("%,d", rows.stream().mapToLong(count).sum());
  }

  private static String broken(List<FailureRow> rows) {
    String broken =
        rows.stream()
            .filter(it -> !it.broken().isEmpty())
            .map(it -> it.function() + ": " + it.broken())
            .distinct()
            .collect(Collectors.joining("<br>"));
    return broken.isEmpty() ? "none" : broken;
  }
}
