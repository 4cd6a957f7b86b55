package toystore.exchange.engine;

import java.util.OptionalLong;
import toystore.platform.text.PlainDecimal;

/// Decimal numbers as `long` values with a fixed number of decimals. Nothing is rounded.
///
/// | decimals | used for | smallest | largest |
/// |---|---|---|---|
/// | [#SHARES] = [#PRICE] = 4 | shares, prices | 0.0001 | 922337203685477.5807 |
/// | [#CASH] = 8 | cash = shares × price | 0.00000001 | 92233720368.54775807 |
public final class FixedPoint {
  public static final int SHARES = 4;
  public static final int PRICE = 4;
  public static final int CASH = 8;

  private FixedPoint() {}

  /// @return empty if the text is no [PlainDecimal], has more decimals, or is too large
  public static OptionalLong parse(String text, int decimals) {
    return PlainDecimal.parse(text, decimals);
  }

  /// Without trailing zeros, such as `125` or `0.5`.
  public static String format(long value, int decimals) {
    return PlainDecimal.format(value, decimals);
  }
}
