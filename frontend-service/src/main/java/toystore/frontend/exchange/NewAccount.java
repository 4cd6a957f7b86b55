package toystore.frontend.exchange;

import java.math.BigDecimal;
import tools.jackson.databind.annotation.JsonDeserialize;
import toystore.frontend.http.json.Json;
import toystore.frontend.http.money.Decimal;

/// A request to open an account of the exchange.
///
/// @param balance its cash
public record NewAccount(
    @JsonDeserialize(using = Json.DecimalOrText.class)
        @Decimal(min = "0", max = "92233720368.54775807", decimals = ExchangeClient.CASH_DECIMALS)
        BigDecimal balance) {}
