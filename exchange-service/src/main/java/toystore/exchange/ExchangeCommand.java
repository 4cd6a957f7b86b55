package toystore.exchange;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.Side;

/// A command of the exchange's writer. Amounts are fixed point: E4 in ten-thousandths, E8 in
/// hundred-millionths.
public sealed interface ExchangeCommand extends ExchangeRequest {
  /// A command that may have an idempotency key.
  sealed interface Keyable extends ExchangeCommand {
    /// The values of the request, for its hash.
    List<Object> values();
  }

  /// Creates an account.
  ///
  /// @param xmlId the id that an XML client chose; null: not over XML
  /// @param owner the user who reaches it; null over XML
  record CreateAccount(@Nullable String xmlId, @Nullable String owner, long balanceE8)
      implements Keyable {
    @Override
    public List<Object> values() {
      return List.of("create account", balanceE8);
    }
  }

  record AddShares(AccountKey account, String symbol, long sharesE4) implements Keyable {
    @Override
    public List<Object> values() {
      return withAccount(account, "add shares", symbol, sharesE4);
    }
  }

  record PlaceOrder(AccountKey account, String symbol, Side side, long sharesE4, long limitE4)
      implements Keyable {
    @Override
    public List<Object> values() {
      return withAccount(account, "place order", symbol, side, sharesE4, limitE4);
    }
  }

  /// Cancels what is open of an order.
  record CancelOrder(AccountKey account, long order) implements ExchangeCommand {}

  private static List<Object> withAccount(AccountKey account, Object... others) {
    var values = new ArrayList<Object>();
    switch (account) {
      case AccountKey.Numbered numbered -> values.add(numbered.number());
      case AccountKey.Xml xml -> values.add("xml " + xml.id());
    }
    values.addAll(List.of(others));
    return values;
  }
}
