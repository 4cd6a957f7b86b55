package toystore.gatling.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fills the markers of a document with figures and words from stored results. Rendered Markdown
/// does not show the markers:
///
/// ```
/// A buy takes <!--=query-vs-buy/processes/1/buy/mean-->3.21 ms [3.05, 3.37]<!--/--> and
/// <!--=word ratio A B : takes longer than ; takes less time than ; does not detectably differ from-->…<!--/--> …
/// ```
///
/// For ids, see [ReportedValueResolver]. `word ID : UP ; DOWN ; NONE` selects one of three texts by
/// the figure's verdict; `word maybe ID : …` is `not measured` if the data lack the figure. (The
/// separator is not a bar, because a bar would end a table cell.) The rest of the document must not
/// contain figures or directions, see [ProseLinter].
public final class EvaluationDocument {
  private static final Pattern MARKER =
      Pattern.compile("<!--=(.*?)-->(.*?)<!--/-->", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("word (.+?) : (.+?) ; (.+?) ; (.+)");

  private EvaluationDocument() {}

  /// Writes the current value into each marker, from the runs and published.csv in the folder.
  ///
  /// @return the remaining errors; a marker with an unresolved id keeps its text
  public static List<String> fill(Path document, Path runs) throws IOException {
    ReportedValueResolver figures = ReportedValueResolver.read(runs);
    String filled = filled(Files.readString(document), figures);
    Files.writeString(document, filled);
    return faults(filled, figures);
  }

  /// The errors in the document, one line each, with their line numbers.
  public static List<String> faults(Path document, Path runs) throws IOException {
    return faults(Files.readString(document), ReportedValueResolver.read(runs));
  }

  static String filled(String text, ReportedValueResolver figures) {
    return MARKER
        .matcher(text)
        .replaceAll(it -> {
          String now = textOr(it.group(2), it.group(1), figures);
          return Matcher.quoteReplacement("<!--=%s-->%s<!--/-->".formatted(it.group(1), now));
        });
  }

  private static String textOr(String otherwise, String id, ReportedValueResolver figures) {
    try {
      return textOf(id, figures);
    } catch (NotMeasuredException | IllegalArgumentException _) {
      return otherwise;
    }
  }

  static List<String> faults(String text, ReportedValueResolver figures) {
    var faults = new ArrayList<String>();
    MARKER.matcher(text).results().forEach(marker -> fault(text, marker, figures, faults));
    long opened = Pattern.compile("<!--=").matcher(text).results().count();
    long closed = Pattern.compile("<!--/-->").matcher(text).results().count();
    if (opened != closed || opened != MARKER.matcher(text).results().count()) {
      faults.add("%d opening markers, %d closing markers".formatted(opened, closed));
    }
    faults.addAll(new ProseLinter(text).faults());
    return faults;
  }

  private static void fault(
      String text, MatchResult marker, ReportedValueResolver figures, List<String> faults) {
    String where =
        "line %d: %s: ".formatted(ProseLinter.line(text, marker.start()), marker.group(1));
    if (marker.start() == 0 || text.charAt(marker.start() - 1) == '\n') {
      faults.add(
          where + "a marker at the start of a line turns it into raw HTML; put a word before it");
    }
    try {
      String wanted = textOf(marker.group(1), figures);
      if (!wanted.equals(marker.group(2))) {
        faults.add(
            where + "the stored results say '%s', found '%s'".formatted(wanted, marker.group(2)));
      }
    } catch (NotMeasuredException | IllegalArgumentException e) {
      faults.add(where + e.getMessage());
    }
  }

  private static String textOf(String id, ReportedValueResolver figures) {
    if (!id.startsWith("word ")) {
      return figures.find(id).text();
    }
    Matcher word = WORD.matcher(id);
    if (!word.matches()) {
      throw ReportedValueResolver.wrong(id, "word ID : UP ; DOWN ; NONE");
    }
    ReportedValue figure = figures.find(word.group(1));
    if (figure.text().equals(ReportedValueResolver.ABSENT)) {
      return ReportedValueResolver.ABSENT;
    }
    Verdict verdict = figure.verdict();
    if (verdict == null) {
      throw ReportedValueResolver.wrong(
          word.group(1), "a figure with a direction, such as a ratio");
    }
    return switch (verdict) {
      case UP -> word.group(2);
      case DOWN -> word.group(3);
      case NONE -> word.group(4);
    };
  }
}
