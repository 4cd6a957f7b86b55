package toystore.frontend.products;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A product on sale, as JSON shows it.
///
/// @param price in the currency's unit
/// @param quantity units in stock
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Product(String name, BigDecimal price, long quantity, @Nullable String category) {}
