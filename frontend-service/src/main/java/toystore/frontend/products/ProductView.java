package toystore.frontend.products;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A product on sale, as JSON shows it. What traders see stands there where it has a bound of
/// volume or was traded.
///
/// @param price in the currency's unit
/// @param quantity units in stock
/// @param volume units bought and sold by trades
/// @param maxVolume the volume no trade may pass; null: no bound
/// @param suspended whether a trade met that bound
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProductView(
    String name,
    BigDecimal price,
    long quantity,
    @Nullable String category,
    @Nullable Long volume,
    @JsonProperty("max_volume") @Nullable Long maxVolume,
    @Nullable Boolean suspended) {}
