package toystore.lab.chart;

import java.util.List;
import java.util.Locale;

/// Colours and dashes of charts, as CSS. A chart in a page takes its text colour from the page; a
/// chart in a file has its own text and background. Paper is light.
public final class ChartStyle {
  static final String LIGHT_BACKGROUND = "#ffffff";
  static final String DARK_BACKGROUND = "#111827";
  static final List<String> LIGHT =
      List.of(
          "#1668b8", "#c2410c", "#15803d", "#7e22ce", "#92600a", "#be185d", "#0f766e", "#475569");
  static final List<String> DARK =
      List.of(
          "#6db3f2", "#fb923c", "#4ade80", "#c084fc", "#fcd34d", "#f472b6", "#2dd4bf", "#cbd5e1");
  static final List<String> DASHES =
      List.of("none", "8 4", "2 3", "10 3 2 3", "5 3", "14 4", "10 3 2 3 2 3", "4 6");

  /// Style sheet of a page that contains charts ([Chart#html]). Every series colour has a contrast
  /// of at least 5.0 on the light and 6.6 on the dark background.
  public static final String CSS =
      String.format(
          Locale.ROOT,
          """
          .charts { container-type: inline-size; margin: 1rem 0; break-inside: avoid; }
          .chart { display: block; width: 100%%; height: auto; font: 13px system-ui, sans-serif; --series: currentColor; }
          .chart.narrow { display: none; }
          @container (max-width: 560px) { .chart.narrow { display: block; } .chart.wide { display: none; } }
          .chart text { fill: currentColor; }
          .chart .title { font-size: 16px; font-weight: 600; }
          .chart .grid { stroke: currentColor; stroke-opacity: 0.15; }
          .chart .axis { stroke: currentColor; stroke-opacity: 0.7; }
          .chart .band { fill: currentColor; fill-opacity: 0.1; }
          .chart .line { fill: none; stroke: var(--series); stroke-width: 2; stroke-linejoin: round; }
          .chart .interval { fill: none; stroke: var(--series); stroke-width: 1.5; }
          .chart .measured { fill: var(--series); }
          .chart .start { fill: var(--series); fill-opacity: 0.4; }
          .chart .drifting, .chart .shared, .chart .overloaded, .chart .published { fill: none; stroke: var(--series); stroke-width: 1.5; }
          %s.file { background: %s; color: #1f2937; }
          @media screen and (prefers-color-scheme: dark) {
          %s.file { background: %s; color: #e5e7eb; }
          }
          """,
          dashes() + colours(LIGHT),
          LIGHT_BACKGROUND,
          colours(DARK),
          DARK_BACKGROUND);

  private ChartStyle() {}

  private static String dashes() {
    var rules = new StringBuilder();
    for (int i = 1; i < DASHES.size(); i++) {
      rules.append(
          String.format(
              Locale.ROOT, ".chart .line.s%d { stroke-dasharray: %s; }\n", i, DASHES.get(i)));
    }
    return rules.toString();
  }

  private static String colours(List<String> colours) {
    var rules = new StringBuilder();
    for (int i = 0; i < colours.size(); i++) {
      rules.append(
          String.format(Locale.ROOT, ".chart .s%d { --series: %s; }\n", i, colours.get(i)));
    }
    return rules.toString();
  }
}
