package toystore.frontend.page;

import static toystore.common.RootLocale.format;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.frontend.exchange.ExchangeClient.DepthView;
import toystore.frontend.exchange.ExchangeClient.DepthView.LevelView;

/// A chart of a symbol's best open prices: at each price, how many shares can be sold at it or
/// better (bids, falling to the right) or bought (asks, rising). The drawing is 600 × 200 and is
/// stretched to the width of the page.
///
/// @param bids the area of the bids, as `d` of a path; empty if there are none
/// @param asks that of the asks
/// @param low the lowest price that is shown
/// @param high the highest one
/// @param most the most shares of a side
public record DepthChart(String bids, String asks, String low, String high, String most) {
  private static final int LEVELS = 20;
  private static final double WIDTH = 600;
  private static final double HEIGHT = 200;
  private static final double TOP = 8;

  /// Returns null if there are no open orders.
  public static @Nullable DepthChart of(DepthView depth) {
    List<LevelView> bids = depth.bids().stream().limit(LEVELS).toList();
    List<LevelView> asks = depth.asks().stream().limit(LEVELS).toList();
    List<LevelView> byPrice = Stream.concat(bids.reversed().stream(), asks.stream()).toList();
    if (byPrice.isEmpty()) {
      return null;
    }
    double low = number(byPrice.getFirst().price());
    double high = number(byPrice.getLast().price());
    double margin = low == high ? 1 : (high - low) * 0.05; // the last price has a width, too
    BigDecimal most = shares(bids).max(shares(asks));
    var axes = new Axes(low - margin, high + margin, most.doubleValue());
    return new DepthChart(
        axes.area(bids, 0),
        axes.area(asks, WIDTH),
        byPrice.getFirst().price(),
        byPrice.getLast().price(),
        most.toPlainString());
  }

  private record Axes(double low, double high, double most) {
    /// The steps from the best price to an edge of the drawing.
    String area(List<LevelView> levels, double edge) {
      if (levels.isEmpty()) {
        return "";
      }
      var path = new StringBuilder();
      double sum = 0;
      for (LevelView level : levels) {
        double x = WIDTH * (number(level.price()) - low) / (high - low);
        sum += number(level.shares());
        path.append(path.isEmpty() ? format("M%.1f %.0f", x, HEIGHT) : format("H%.1f", x));
        path.append(format("V%.1f", HEIGHT - (HEIGHT - TOP) * sum / most));
      }
      return path + format("H%.0fV%.0fZ", edge, HEIGHT);
    }
  }

  private static BigDecimal shares(List<LevelView> levels) {
    return levels.stream()
        .map(it -> new BigDecimal(it.shares()))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static double number(String text) {
    return Double.parseDouble(text);
  }
}
