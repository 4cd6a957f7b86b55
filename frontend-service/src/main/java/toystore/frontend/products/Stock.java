package toystore.frontend.products;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/// A product as traders see it, as JSON shows it.
///
/// @param volume units bought and sold by trades
/// @param maxVolume the volume no trade may pass; null: no bound
/// @param suspended whether a trade met that bound
@JsonInclude(JsonInclude.Include.NON_NULL)
record Stock(
    @JsonUnwrapped Product product,
    long volume,
    @JsonProperty("max_volume") @Nullable Long maxVolume,
    boolean suspended) {}
