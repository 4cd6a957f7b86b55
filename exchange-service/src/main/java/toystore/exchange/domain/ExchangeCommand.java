package toystore.exchange.domain;

import static toystore.common.RootLocale.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineOutcome.Refused;
import toystore.exchange.engine.EngineRefusal;
import toystore.exchange.engine.Position;
import toystore.exchange.engine.Side;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.CommandContext;
import toystore.platform.journal.KeyedCommand;
import toystore.platform.text.Limits;

/// A command of the exchange's writer. Amounts are fixed point: E4 in ten-thousandths, E8 in
/// hundred-millionths.
///
/// @param <T> what it makes or changes, as it is right after the command
public sealed interface ExchangeCommand<T>
    extends ExchangeRequest, KeyedCommand<ExchangeUnitOfWork, T> {
  /// @param xmlId the id that an XML client chose; null: not over XML
  /// @param owner the user who reaches it; null over XML
  record CreateAccount(@Nullable String xmlId, @Nullable String owner, long balanceE8)
      implements ExchangeCommand<CashAccount> {
    @Override
    public Answer<CashAccount> decide(ExchangeUnitOfWork unit, CommandContext context) {
      return unit.answer(unit.engine.createAccount(xmlId, owner, balanceE8));
    }

    @Override
    public List<Object> values() {
      return List.of("create account", balanceE8);
    }
  }

  record AddShares(AccountKey account, String symbol, long sharesE4)
      implements ExchangeCommand<Position> {
    @Override
    public Answer<Position> decide(ExchangeUnitOfWork unit, CommandContext context) {
      CashAccount known = unit.account(account);
      if (known == null) {
        return unit.refusal(EngineRefusal.ACCOUNT_NOT_FOUND);
      }
      Answer<Position> answer =
          unit.answer(unit.engine.addShares(known.number(), symbol, sharesE4));
      if (answer instanceof Done(Position position, _)) {
        unit.addDeposit(position, sharesE4, context.now());
      }
      return answer;
    }

    @Override
    public List<Object> values() {
      return withAccount(account, "add shares", symbol, sharesE4);
    }
  }

  record PlaceOrder(AccountKey account, String symbol, Side side, long sharesE4, long limitE4)
      implements ExchangeCommand<OpenedOrder> {
    @Override
    public Answer<OpenedOrder> decide(ExchangeUnitOfWork unit, CommandContext context) {
      CashAccount known = unit.account(account);
      if (known == null) {
        return unit.refusal(EngineRefusal.ACCOUNT_NOT_FOUND);
      }
      long now = context.now().toEpochMilli();
      return unit.answer(
              unit.engine.placeOrder(known.number(), symbol, side, sharesE4, limitE4, now))
          .map(order -> new OrderWithTrades(order, trades(unit)));
    }

    /// What its answer shows.
    private TradePage trades(ExchangeUnitOfWork unit) {
      int limit = Limits.DEFAULT_PAGE;
      return account instanceof AccountKey.Xml
          ? TradePage.NONE
          : TradePage.first(unit.engine.tradesOfLastOrder(limit + 1), limit);
    }

    @Override
    public List<Object> values() {
      return withAccount(account, "place order", symbol, side, sharesE4, limitE4);
    }
  }

  /// Cancels what is open of an order. Answered with the query that reads it: the order is not open
  /// any more, if there is one, and will never change.
  record CancelOrder(AccountKey account, long order)
      implements ExchangeCommand<ExchangeRequest.FindOrder> {
    @Override
    public Answer<ExchangeRequest.FindOrder> decide(
        ExchangeUnitOfWork unit, CommandContext context) {
      CashAccount known = unit.account(account);
      if (known == null) {
        return unit.refusal(EngineRefusal.ACCOUNT_NOT_FOUND);
      }
      if (order > unit.engine.lastOrder()) { // a later command of the batch may open it
        return new Refusal<>(ErrorReason.ORDER_NOT_FOUND, "order not found");
      }
      boolean isOpen =
          unit.engine
              .order(order)
              .filter(it -> it.account() == known.number() && it.openE4() > 0)
              .isPresent();
      if (isOpen
          && unit.engine.cancelOrder(order, context.now().toEpochMilli())
              instanceof Refused(EngineRefusal reason)) {
        throw new IllegalStateException(
            format("open order %d cannot be canceled: %s", order, reason));
      }
      return new Done<>(new ExchangeRequest.FindOrder(account, order));
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
