package toystore.frontend.products;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// The JSON view of a product. The fields for traders are present if the product has a maximum
/// volume or was traded.
///
/// @param price in units of the currency
/// @param quantity units in stock
/// @param volume units bought and sold by trades
/// @param maxVolume maximum traded volume; null: no maximum
/// @param suspended whether a trade reached the maximum volume
public record ProductView(
    String name,
    BigDecimal price,
    long quantity,
    @Nullable String category,
    @Nullable Long volume,
    @Nullable Long maxVolume,
    @Nullable Boolean suspended) {}
