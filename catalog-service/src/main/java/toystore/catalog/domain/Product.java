package toystore.catalog.domain;

import static toystore.common.RootLocale.format;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer.Refusal;

/// A product on sale.
///
/// @param item null: it is one of the shop's own products
/// @param name unique among the shop's own products on sale
/// @param category empty: none
/// @param quantity units in stock
/// @param volume units traded
/// @param maxVolume null: it is not a traded product
/// @param suspended whether a trade would have exceeded `maxVolume`; then it is not sold
public record Product(
    long id,
    @Nullable Item item,
    String name,
    String category,
    long priceCents,
    long quantity,
    long volume,
    @Nullable Long maxVolume,
    boolean suspended) {
  /// Far below an overflow of long, and exact as a double.
  public static final long STOCK_LIMIT = 9_000_000_000_000_000L;

  public Product {
    if (priceCents <= 0 || quantity < 0 || quantity > STOCK_LIMIT || volume < 0) {
      throw new IllegalStateException(
          format(
              "invalid product %s: priceCents %d, quantity %d, volume %d",
              name, priceCents, quantity, volume));
    }
  }

  /// Whether customers can also sell it back.
  boolean isStock() {
    return maxVolume != null;
  }

  boolean isSoldOutToy() {
    return quantity == 0 && !isStock();
  }

  /// @return null if the sale is possible
  @Nullable Refusal<Sale> refusalOf(SaleKind kind, long units) {
    if (kind.isTrade() && !isStock()) {
      return refusal(ErrorReason.NOT_A_STOCK, "is not a stock; only stocks can be traded");
    }
    if (suspended) {
      return refusal(ErrorReason.SUSPENDED, "is suspended");
    }
    if (kind.takesStock() && units > quantity) {
      return refusal(ErrorReason.OUT_OF_STOCK, "has %d left, %d wanted", quantity, units);
    }
    if (!kind.takesStock() && exceedsStockLimit(units)) {
      return stockLimitReached();
    }
    if (exceedsMaxVolume(kind, units)) {
      return refusal(
          ErrorReason.SUSPENDED,
          "is suspended: volume %d plus %d would exceed its max_volume %d",
          volume,
          units,
          maxVolume);
    }
    return null;
  }

  <T> Refusal<T> priceDiffers(ErrorReason reason, long expectedCents) {
    return refusal(
        reason,
        "costs %s, expected %s",
        BigDecimal.valueOf(priceCents, 2).toPlainString(),
        BigDecimal.valueOf(expectedCents, 2).toPlainString());
  }

  boolean exceedsStockLimit(long units) {
    return units > STOCK_LIMIT - quantity;
  }

  <T> Refusal<T> stockLimitReached() {
    return refusal(ErrorReason.STOCK_LIMIT, "may have at most %d units in stock", STOCK_LIMIT);
  }

  /// This suspends the product.
  boolean exceedsMaxVolume(SaleKind kind, long units) {
    return kind.isTrade() && maxVolume != null && units > maxVolume - volume;
  }

  public Product afterSale(SaleKind kind, long units) {
    long left = kind.takesStock() ? quantity - units : quantity + units;
    long traded = kind.isTrade() ? volume + units : volume;
    return new Product(id, item, name, category, priceCents, left, traded, maxVolume, suspended);
  }

  Product suspend() {
    return new Product(id, item, name, category, priceCents, quantity, volume, maxVolume, true);
  }

  /// @param units may be negative
  Product withMoreUnits(long units) {
    return new Product(
        id, item, name, category, priceCents, quantity + units, volume, maxVolume, suspended);
  }

  Product withPrice(long cents) {
    return new Product(id, item, name, category, cents, quantity, volume, maxVolume, suspended);
  }

  /// @param bound new `maxVolume`; null: it stays, and the volume restarts at 0
  Product resumed(@Nullable Long bound) {
    return bound == null
        ? new Product(id, item, name, category, priceCents, quantity, 0, maxVolume, false)
        : new Product(id, item, name, category, priceCents, quantity, volume, bound, false);
  }

  /// A higher `maxVolume` ends a suspension.
  Product withSpec(ProductSpec spec) {
    Long bound = spec.maxVolume() == null ? maxVolume : spec.maxVolume();
    return new Product(
        id,
        item,
        name,
        spec.category() == null ? category : spec.category(),
        spec.priceCents(),
        spec.quantity(),
        volume,
        bound,
        suspended && !liftsSuspension(bound));
  }

  private boolean liftsSuspension(@Nullable Long bound) {
    return bound != null && maxVolume != null && bound > maxVolume && bound > volume;
  }

  /// @param format of what follows the name in the message
  <T> Refusal<T> refusal(ErrorReason reason, String format, @Nullable Object... values) {
    return Refusal.because(reason, "\"%s\" %s", name, String.format(Locale.ROOT, format, values));
  }
}
