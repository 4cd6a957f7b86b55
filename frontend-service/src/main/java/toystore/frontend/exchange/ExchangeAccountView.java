package toystore.frontend.exchange;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// The JSON view of an account of the exchange. All amounts are decimal strings.
///
/// @param cash cash that no order reserves
/// @param reservedCash cash that open buy orders reserve
public record ExchangeAccountView(
    @JsonProperty("account_id") long accountId,
    String cash,
    @JsonProperty("reserved_cash") String reservedCash,
    List<PositionView> positions) {

  /// The shares of one symbol.
  ///
  /// @param shares shares that no order reserves
  /// @param reservedShares shares that open sell orders reserve
  public record PositionView(
      String symbol, String shares, @JsonProperty("reserved_shares") String reservedShares) {}
}
