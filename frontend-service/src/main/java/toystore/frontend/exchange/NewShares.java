package toystore.frontend.exchange;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.math.BigDecimal;
import tools.jackson.databind.annotation.JsonDeserialize;
import toystore.frontend.http.json.Json;
import toystore.frontend.http.money.Decimal;

/// A request to add shares to an account of the exchange.
public record NewShares(
    @NotNull(message = NewLimitOrder.SYMBOL_MESSAGE)
        @Pattern(regexp = NewLimitOrder.SYMBOL, message = NewLimitOrder.SYMBOL_MESSAGE)
        String symbol,
    @JsonDeserialize(using = Json.DecimalOrText.class)
        @Decimal(min = "0", max = NewLimitOrder.MAX, decimals = NewLimitOrder.DECIMALS)
        BigDecimal shares) {}
