package toystore.frontend.products;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.json.OptionalField;

/// A request of the administrator to resume the trading of a stock.
///
/// @param maxVolume absent: the maximum stays, and the volume is reset to 0
public record Resumption(
    @OptionalField
        @Min(value = 1, message = VOLUME)
        @Max(value = 9_000_000_000_000_000L, message = VOLUME)
        @Nullable Long maxVolume) {
  private static final String VOLUME = "must be an integer from 1 to 9000000000000000";
}
