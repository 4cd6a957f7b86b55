package toystore.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// Estimates the width of text. The widths are those of DejaVu Sans, one of the widest fonts that a
/// browser uses for `system-ui`, rounded up.
final class TextWidth {
  private static final String NARROWEST = "ijl'";
  private static final String NARROW = " .,:;|()[]/frtIJ!-";
  private static final String WIDE = "mwMWOQG@%…—";
  private static final String ELLIPSIS = "…";
  private static final double ROUNDING = 0.1;

  private TextWidth() {}

  static double of(String text, double size) {
    return size * text.codePoints().mapToDouble(TextWidth::ofCharacter).sum();
  }

  // as a share of the font's size
  private static double ofCharacter(int character) {
    if (character > 0x2e00) {
      return 1.4; // full-width scripts, symbols and emoji
    }
    if (NARROWEST.indexOf(character) >= 0) {
      return 0.29;
    }
    if (NARROW.indexOf(character) >= 0) {
      return 0.42;
    }
    if (WIDE.indexOf(character) >= 0) {
      return 1.0;
    }
    boolean usual =
        character < 0x80 && !Character.isUpperCase(character) && "+=<>".indexOf(character) < 0;
    return usual ? 0.65 : 0.84;
  }

  /// The text itself, or its beginning with an ellipsis if it is wider.
  static String shortened(String text, double size, double width) {
    if (of(text, size) <= width + ROUNDING) {
      return text;
    }
    int end = text.length();
    while (end > 0 && of(text.substring(0, end) + ELLIPSIS, size) > width) {
      end = text.offsetByCodePoints(end, -1);
    }
    return text.substring(0, end).stripTrailing() + ELLIPSIS;
  }

  /// Lines of at most this width, broken at spaces. The last line may be wider if it cannot be
  /// broken or the lines are used up; the drawing shortens it.
  static List<String> wrapped(String text, double size, double width, int mostLines) {
    var lines = new ArrayList<String>();
    var line = "";
    for (String word : text.strip().split("\\s+", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (line.isEmpty() || lines.size() == mostLines - 1 || of(longer, size) <= width + ROUNDING) {
        line = longer;
      } else {
        lines.add(line);
        line = word;
      }
    }
    if (!line.isEmpty()) {
      lines.add(line);
    }
    return lines;
  }
}
