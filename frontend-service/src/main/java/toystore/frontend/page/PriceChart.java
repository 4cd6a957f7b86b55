package toystore.frontend.page;

import static toystore.common.RootLocale.format;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A chart of trades, the oldest on the left, each in a column of the same width: a line of their
/// prices, and below it bars of their units. The drawing is 600 × 200 and is stretched to the width
/// of the page, so all texts are outside of it.
///
/// @param line the prices, as `points` of a polyline
/// @param bars the units, as `d` of a path
/// @param low the trade with the lowest price
/// @param high the trade with the highest price
/// @param most the trade with the most units
public record PriceChart(
    String line, String bars, int count, Bar first, Bar last, Bar low, Bar high, Bar most) {
  private static final double WIDTH = 600;
  private static final double PRICE_TOP = 8;
  private static final double PRICE_HEIGHT = 120;
  private static final double BARS_BOTTOM = 200;
  private static final double BARS_HEIGHT = 60;

  /// A trade.
  ///
  /// @param price of one unit, as the page shows it
  /// @param units as the page shows them
  /// @param time in RFC 3339 format, UTC
  public record Bar(
      BigDecimal priceValue, String price, BigDecimal unitsValue, String units, String time) {
    /// The time for people, to the second: `2026-11-27 03:04:05`.
    public String shownTime() {
      return time.substring(0, 19).replace('T', ' ');
    }
  }

  /// @param trades the newest first
  /// @return null if there are none
  public static @Nullable PriceChart of(List<Bar> trades) {
    if (trades.isEmpty()) {
      return null;
    }
    var byPrice = Comparator.comparing(Bar::priceValue);
    Bar low = trades.stream().min(byPrice).orElseThrow();
    Bar high = trades.stream().max(byPrice).orElseThrow();
    Bar most = trades.stream().max(Comparator.comparing(Bar::unitsValue)).orElseThrow();
    double lowest = low.priceValue.doubleValue();
    double range = high.priceValue.doubleValue() - lowest;
    double column = WIDTH / trades.size();
    var line = new StringBuilder();
    var bars = new StringBuilder();
    double left = 0;
    for (Bar trade : trades.reversed()) {
      double right = left + column;
      double share = range == 0 ? 0.5 : (trade.priceValue.doubleValue() - lowest) / range;
      double y = PRICE_TOP + (1 - share) * PRICE_HEIGHT;
      double height = BARS_HEIGHT * trade.unitsValue.doubleValue() / most.unitsValue.doubleValue();
      line.append(format("%.1f,%.1f %.1f,%.1f ", left, y, right, y));
      bars.append(
          format(
              "M%.1f %.0fV%.1fH%.1fV%.0fZ",
              left + column * 0.15,
              BARS_BOTTOM,
              BARS_BOTTOM - Math.max(1, height),
              right - column * 0.15,
              BARS_BOTTOM));
      left = right;
    }
    return new PriceChart(
        line.toString().strip(),
        bars.toString(),
        trades.size(),
        trades.getLast(),
        trades.getFirst(),
        low,
        high,
        most);
  }
}
