package toystore.frontend.exchange;

import com.fasterxml.jackson.annotation.JsonCreator;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.annotation.JsonDeserialize;
import toystore.frontend.http.json.Json;
import toystore.frontend.http.money.Decimal;

/// What clients send to the exchange. An amount is a JSON number, or a string with the same text.
public final class ExchangeInput {
  static final int DECIMALS = 4;
  static final String MAX = "922337203685477.5807";
  static final String SYMBOL = "[A-Za-z0-9]{1,32}";
  static final String SYMBOL_MESSAGE = "must be a string of 1 to 32 letters and digits";

  private ExchangeInput() {}

  /// A request to open an account of the exchange.
  ///
  /// @param balance its cash
  public record NewAccount(
      @JsonDeserialize(using = Json.DecimalOrText.class)
          @Decimal(
              min = "0",
              max = "92233720368.54775807",
              decimals = ExchangeClient.CASH_DECIMALS,
              message = Decimal.AMOUNT)
          BigDecimal balance) {}

  public record NewShares(
      @NotNull(message = SYMBOL_MESSAGE) @Pattern(regexp = SYMBOL, message = SYMBOL_MESSAGE)
          String symbol,
      @JsonDeserialize(using = Json.DecimalOrText.class)
          @Decimal(min = "0", max = MAX, decimals = DECIMALS, message = Decimal.AMOUNT)
          BigDecimal shares) {}

  /// An order as a client sent it.
  ///
  /// @param shares from 0.0001
  /// @param limit price of one share, from 0.0001
  public record NewLimitOrder(
      @NotNull(message = SYMBOL_MESSAGE) @Pattern(regexp = SYMBOL, message = SYMBOL_MESSAGE)
          String symbol,
      @NotNull(message = "must be buy or sell") Direction side,
      @JsonDeserialize(using = Json.DecimalOrText.class)
          @Decimal(min = "0.0001", max = MAX, decimals = DECIMALS, message = Decimal.AMOUNT)
          BigDecimal shares,
      @JsonDeserialize(using = Json.DecimalOrText.class)
          @Decimal(min = "0.0001", max = MAX, decimals = DECIMALS, message = Decimal.AMOUNT)
          BigDecimal limit) {}

  public enum Direction {
    BUY,
    SELL;

    @JsonCreator
    public static Direction of(String word) {
      return Stream.of(values())
          .filter(it -> it.name().toLowerCase(Locale.ROOT).equals(word))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException(word));
    }
  }
}
