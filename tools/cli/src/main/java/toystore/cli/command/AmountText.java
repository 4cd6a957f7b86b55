package toystore.cli.command;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/// Amounts of money and shares as people type and read them.
public final class AmountText {
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,30}([.][0-9]{1,30})?");
  private static final int CENTS = 2;

  private AmountText() {}

  /// @throws TypeConversionException if it is not a decimal number
  static BigDecimal parse(String text) {
    if (DECIMAL.matcher(text).matches()) {
      return new BigDecimal(text);
    }
    throw new TypeConversionException(
        "expected a number with a decimal point, such as 12.50; got " + text);
  }

  /// An amount of money with at least two decimals and without an exponent.
  public static String money(BigDecimal amount) {
    BigDecimal shortest = amount.stripTrailingZeros();
    return shortest.setScale(Math.max(CENTS, shortest.scale())).toPlainString();
  }

  /// As [#money]; a text that is not a number stays as it is.
  public static String money(String text) {
    return DECIMAL.matcher(text).matches() ? money(new BigDecimal(text)) : text;
  }
}
