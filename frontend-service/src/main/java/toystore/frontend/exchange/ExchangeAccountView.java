package toystore.frontend.exchange;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON view of an account of the exchange. All amounts are decimal strings.
///
/// @param cash cash that no order reserves
/// @param reservedCash cash that open buy orders reserve
/// @param positions a page; at most 10 in a list of accounts
/// @param next symbol after which the next page of positions begins; absent: there is none
public record ExchangeAccountView(
    long accountId,
    String cash,
    String reservedCash,
    List<PositionView> positions,
    @Nullable String next) {
  /// The account without `next`, which an answer with one account has beside it.
  ExchangeAccountView alone() {
    return new ExchangeAccountView(accountId, cash, reservedCash, positions, null);
  }

  /// The shares of one symbol.
  ///
  /// @param shares shares that no order reserves
  /// @param reservedShares shares that open sell orders reserve
  public record PositionView(String symbol, String shares, String reservedShares) {}
}
