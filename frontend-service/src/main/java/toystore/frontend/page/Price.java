package toystore.frontend.page;

import java.math.BigDecimal;
import java.util.Locale;

/// A price as pages show it: `€1,299.00`. The API's prices have no currency; the shop's pages show
/// euros.
public final class Price {
  private Price() {}

  public static String of(BigDecimal price) {
    return String.format(Locale.ENGLISH, "€%,.2f", price);
  }
}
