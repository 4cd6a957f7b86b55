package toystore.catalog.domain;

import org.jspecify.annotations.Nullable;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.Limits;

/// What an operator gives of a product.
///
/// @param name in NFC
/// @param category in NFC; null: not given
/// @param maxVolume null: not given
public record ProductSpec(
    String name,
    long priceCents,
    long quantity,
    @Nullable String category,
    @Nullable Long maxVolume) {
  public static final long PRICE_LIMIT_CENTS = 100_000_000_000L;

  private static final int CATEGORY_LENGTH = 50;

  public ProductSpec {
    name = IdentifierText.productName(name);
    checkPrice(priceCents);
    Limits.check("quantity", quantity, 0, Product.STOCK_LIMIT);
    if (category != null) {
      category = IdentifierText.of("category", category, 0, CATEGORY_LENGTH);
    }
    if (maxVolume != null) {
      Limits.check("max_volume", maxVolume, 0, Product.STOCK_LIMIT);
    }
  }

  Product toProduct(long id) {
    return new Product(
        id,
        null,
        name,
        category == null ? "" : category,
        priceCents,
        quantity,
        0,
        maxVolume,
        false);
  }

  static void checkPrice(long cents) {
    Limits.check("price in cents", cents, 1, PRICE_LIMIT_CENTS);
  }
}
