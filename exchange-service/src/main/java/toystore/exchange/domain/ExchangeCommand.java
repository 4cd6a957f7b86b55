package toystore.exchange.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.Position;
import toystore.exchange.engine.Side;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.KeyedCommand;
import toystore.platform.idempotency.RequestKey;

/// A command of the exchange's writer. Amounts are fixed point: E4 in ten-thousandths, E8 in
/// hundred-millionths.
///
/// @param <T> what it makes or changes, as it is right after the command
public sealed interface ExchangeCommand<T>
    extends ExchangeRequest, KeyedCommand<ExchangeDecider, T> {
  /// Creates an account.
  ///
  /// @param xmlId the id that an XML client chose; null: not over XML
  /// @param owner the user who reaches it; null over XML
  record CreateAccount(@Nullable String xmlId, @Nullable String owner, long balanceE8)
      implements ExchangeCommand<CashAccount> {
    @Override
    public Answer<CashAccount> decide(
        ExchangeDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.createAccount(this);
    }

    @Override
    public List<Object> values() {
      return List.of("create account", balanceE8);
    }
  }

  record AddShares(AccountKey account, String symbol, long sharesE4)
      implements ExchangeCommand<Position> {
    @Override
    public Answer<Position> decide(ExchangeDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.addShares(this, now);
    }

    @Override
    public List<Object> values() {
      return withAccount(account, "add shares", symbol, sharesE4);
    }
  }

  record PlaceOrder(AccountKey account, String symbol, Side side, long sharesE4, long limitE4)
      implements ExchangeCommand<OpenedOrder> {
    @Override
    public Answer<OpenedOrder> decide(
        ExchangeDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.placeOrder(this, now);
    }

    @Override
    public List<Object> values() {
      return withAccount(account, "place order", symbol, side, sharesE4, limitE4);
    }
  }

  /// Cancels what is open of an order. Answered with the query that reads it: the order, if there
  /// is one, is not open any more and will never change.
  record CancelOrder(AccountKey account, long order)
      implements ExchangeCommand<ExchangeRequest.FindOrder> {
    @Override
    public Answer<ExchangeRequest.FindOrder> decide(
        ExchangeDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.cancelOrder(this, now);
    }
  }

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
