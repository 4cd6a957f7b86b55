package toystore.exchange.domain;

import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.ExchangeCommand.AddShares;
import toystore.exchange.domain.ExchangeCommand.CancelOrder;
import toystore.exchange.domain.ExchangeCommand.CreateAccount;
import toystore.exchange.domain.ExchangeCommand.PlaceOrder;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.engine.EngineOutcome.Accepted;
import toystore.exchange.engine.EngineOutcome.Refused;
import toystore.exchange.engine.EngineRefusal;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchingEngine;
import toystore.exchange.engine.Position;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Answer.Done;
import toystore.platform.idempotency.Answer.Refusal;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.KeyedDecider;
import toystore.platform.text.Limits;

/// Decides the commands of one batch by the engine, which it changes in place. Only the writer's
/// thread uses it.
public final class ExchangeDecider implements KeyedDecider {
  private final MatchingEngine engine;
  private final EngineBounds bounds;
  private final BatchIdempotency keys;
  private final long lastDeposit;
  private final List<ShareDeposit> deposits = new ArrayList<>();

  /// @param lastDeposit number of the last committed deposit
  public ExchangeDecider(
      MatchingEngine engine, EngineBounds bounds, BatchIdempotency keys, long lastDeposit) {
    this.engine = engine;
    this.bounds = bounds;
    this.keys = keys;
    this.lastDeposit = lastDeposit;
  }

  @Override
  public BatchIdempotency keys() {
    return keys;
  }

  /// The deposits of this batch.
  public List<ShareDeposit> deposits() {
    return deposits;
  }

  Answer<CashAccount> createAccount(CreateAccount create) {
    return switch (engine.createAccount(create.xmlId(), create.owner(), create.balanceE8())) {
      case Accepted(CashAccount account) -> new Done<>(account);
      case Refused(EngineRefusal reason) -> refusal(reason);
    };
  }

  Answer<Position> addShares(AddShares add, Instant now) {
    CashAccount account = account(add.account());
    if (account == null) {
      return refusal(EngineRefusal.ACCOUNT_NOT_FOUND);
    }
    return switch (engine.addShares(account.number(), add.symbol(), add.sharesE4())) {
      case Accepted(Position position) -> {
        deposits.add(
            new ShareDeposit(
                lastDeposit + deposits.size() + 1,
                position.number(),
                position.symbol().number(),
                add.sharesE4(),
                now.toEpochMilli()));
        yield new Done<>(position);
      }
      case Refused(EngineRefusal reason) -> refusal(reason);
    };
  }

  Answer<OpenedOrder> placeOrder(PlaceOrder place, Instant now) {
    CashAccount account = account(place.account());
    if (account == null) {
      return refusal(EngineRefusal.ACCOUNT_NOT_FOUND);
    }
    return switch (engine.placeOrder(
        account.number(),
        place.symbol(),
        place.side(),
        place.sharesE4(),
        place.limitE4(),
        now.toEpochMilli())) {
      case Accepted(LimitOrder order) ->
          new Done<>(new OrderWithTrades(order, shownTrades(place.account())));
      case Refused(EngineRefusal reason) -> refusal(reason);
    };
  }

  /// The trades of the last order that its answer shows.
  private TradePage shownTrades(AccountKey key) {
    return key instanceof AccountKey.Xml
        ? TradePage.NONE
        : TradePage.first(engine.tradesOfLastOrder(Limits.DEFAULT_PAGE + 1), Limits.DEFAULT_PAGE);
  }

  Answer<ExchangeRequest.FindOrder> cancelOrder(CancelOrder cancel, Instant now) {
    CashAccount account = account(cancel.account());
    if (account == null) {
      return refusal(EngineRefusal.ACCOUNT_NOT_FOUND);
    }
    LimitOrder order = engine.order(cancel.order()).orElse(null);
    if (order != null
        && order.account() == account.number()
        && order.openE4() > 0
        && engine.cancelOrder(order.number(), now.toEpochMilli())
            instanceof Refused(EngineRefusal reason)) {
      throw new IllegalStateException(
          format("open order %d cannot be canceled: %s", order.number(), reason));
    }
    return new Done<>(new ExchangeRequest.FindOrder(cancel.account(), cancel.order()));
  }

  private @Nullable CashAccount account(AccountKey key) {
    return switch (key) {
      case AccountKey.Numbered it -> engine.account(it.number()).filter(it::reaches).orElse(null);
      case AccountKey.Xml(String id) -> engine.accountByXmlId(id).orElse(null);
    };
  }

  private <T> Answer<T> refusal(EngineRefusal reason) {
    return new Refusal<>(reason.reason(), reason.message(bounds));
  }
}
