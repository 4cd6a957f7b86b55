package toystore.lab.chart;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The point shape of a series: no corners make a circle. Its colour and dashes are the CSS class
/// `s` with the series' number ([ChartStyle]).
enum SeriesStyle {
  CIRCLE(0, 0),
  SQUARE(4, 45),
  TRIANGLE(3, -90),
  DIAMOND(4, 0),
  INVERTED_TRIANGLE(3, 90),
  PENTAGON(5, -90),
  LEFT_TRIANGLE(3, 180),
  RIGHT_TRIANGLE(3, 0);

  private final int corners;
  private final int degrees;

  SeriesStyle(int corners, int degrees) {
    this.corners = corners;
    this.degrees = degrees;
  }

  static SeriesStyle of(int series) {
    return values()[series];
  }

  String cssClass() {
    return "s" + ordinal();
  }

  /// An element without its end tag, so that a title fits into it, and the end tag.
  String[] mark(String cssClass, double x, double y, double radius) {
    if (corners == 0) {
      return new String[] {
        String.format(
            Locale.ROOT,
            "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\">",
            cssClass,
            x,
            y,
            radius),
        "</circle>"
      };
    }
    return path(cssClass, polygon(corners, degrees, x, y, 1.25 * radius, 1.25 * radius));
  }

  static String[] star(String cssClass, double x, double y, double radius) {
    return path(cssClass, polygon(10, -90, x, y, 1.6 * radius, 0.7 * radius));
  }

  static String[] cross(String cssClass, double x, double y, double radius) {
    return path(
        cssClass,
        String.format(
            Locale.ROOT,
            "M%.1f,%.1f L%.1f,%.1f M%.1f,%.1f L%.1f,%.1f",
            x - radius,
            y - radius,
            x + radius,
            y + radius,
            x - radius,
            y + radius,
            x + radius,
            y - radius));
  }

  private static String[] path(String cssClass, String path) {
    return new String[] {"<path class=\"" + cssClass + "\" d=\"" + path + "\">", "</path>"};
  }

  private static String polygon(
      int corners, int degrees, double x, double y, double even, double odd) {
    return IntStream.range(0, corners)
        .mapToObj(i -> {
          double angle = Math.toRadians(degrees + 360.0 * i / corners);
          double radius = i % 2 == 0 ? even : odd;
          return String.format(
              Locale.ROOT, "%.1f,%.1f", x + radius * Math.cos(angle), y + radius * Math.sin(angle));
        })
        .collect(Collectors.joining(" L", "M", "Z"));
  }
}
