package toystore.catalog.domain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a change makes of one of the shop's own products.
///
/// @param before null: the product is new
/// @param after null: the product is removed
public record ProductDifference(@Nullable Product before, @Nullable Product after) {
  /// Such as `price 12.00 → 13.00, quantity 80 → 90`; of a new or removed product, all values.
  public String text() {
    if (before == null || after == null) {
      return before == null ? "new, " + describe(after) : "removed, " + describe(before);
    }
    var differences = new ArrayList<String>();
    add(differences, "price", price(before), price(after));
    add(differences, "quantity", before.quantity(), after.quantity());
    add(differences, "category", quoted(before), quoted(after));
    add(differences, "volume", before.volume(), after.volume());
    add(differences, "max_volume", maxVolume(before), maxVolume(after));
    add(differences, "suspended", before.suspended(), after.suspended());
    return String.join(", ", differences);
  }

  private static void add(List<String> differences, String what, Object before, Object after) {
    if (!before.equals(after)) {
      differences.add(what + ' ' + before + " → " + after);
    }
  }

  private static String describe(@Nullable Product product) {
    if (product == null) {
      return "";
    }
    return "price "
        + price(product)
        + ", quantity "
        + product.quantity()
        + (product.category().isEmpty() ? "" : ", category " + quoted(product))
        + (product.maxVolume() == null ? "" : ", max_volume " + product.maxVolume());
  }

  private static String price(Product product) {
    return BigDecimal.valueOf(product.priceCents(), 2).toPlainString();
  }

  private static String quoted(Product product) {
    return '"' + product.category() + '"';
  }

  private static String maxVolume(Product product) {
    return product.maxVolume() == null ? "none" : product.maxVolume().toString();
  }
}
