package toystore.lab.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Colours and dashes of charts, in `chart.css`. A chart in a page takes its text colour from the
/// page; a chart in a file has its own text and background. Paper is light.
public final class ChartStyle {
  /// Style sheet of a page that contains charts ([Chart#html]).
  public static final String CSS = css();

  private ChartStyle() {}

  private static String css() {
    try (var file = ChartStyle.class.getResourceAsStream("chart.css")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
