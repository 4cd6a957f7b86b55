package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The fixed text of a document. It must not contain a figure or a direction. Markers, comments,
/// code in backquotes and link targets are ignored.
record ProseLinter(String text) {
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "<!--=.*?-->.*?<!--/-->|<!--.*?-->|`[^`\n]*`|(?<=])\\([^)\\s]*\\)", Pattern.DOTALL);
  // a digit right after a letter belongs to a word, such as p99
  private static final Pattern NUMBER = Pattern.compile("(?<!\\p{L})(?<!\\p{N})\\p{N}[\\p{N}.,]*");

  /// Matches whole words, ignoring case.
  private static final Pattern DIRECTION =
      Pattern.compile(
          "\\b(more|less|fewer|most|least|fewest"
              + "|(high|low|fast|slow|long|short|dear|cheap|large|small|great|big|near|steep|flat)(er|est)|better|worse|best|worst"
              + "|flat|unchanged|constant|same|equal|equals|identical"
              + "|grow|grows|growing|grew|grown|rise|rises|rising|rose|fall|falls|falling|fell|drop|drops|climb|climbs"
              + "|shrink|shrinks|shrinking|increase|increases|increasing|decrease|decreases|decreasing"
              + "|exceed|exceeds|outweigh|outweighs|dominate|dominates|double|doubles|triple|triples|halve|halves"
              + "|twice|half|thrice|tenfold|above|below|negligible|significant|significantly)\\b",
          Pattern.CASE_INSENSITIVE);

  List<String> faults() {
    String prose = blanked();
    var faults = new ArrayList<String>();
    find(NUMBER, prose, "a number typed", faults);
    find(DIRECTION, prose, "a direction typed", faults);
    return faults;
  }

  // the same length, so positions stay valid
  private String blanked() {
    return LEFT_OUT.matcher(text).replaceAll(it -> it.group().replaceAll("[^\n]", " "));
  }

  private static void find(Pattern pattern, String prose, String what, List<String> faults) {
    Matcher matcher = pattern.matcher(prose);
    while (matcher.find()) {
      faults.add(
          "line %d: %s outside a marker: '%s'"
              .formatted(line(prose, matcher.start()), what, matcher.group()));
    }
  }

  /// Line number, from 1.
  static long line(String text, int place) {
    return text.substring(0, place).chars().filter(it -> it == '\n').count() + 1;
  }
}
