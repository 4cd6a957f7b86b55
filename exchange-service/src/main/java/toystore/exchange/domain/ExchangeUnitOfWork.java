package toystore.exchange.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.engine.EngineOutcome;
import toystore.exchange.engine.EngineOutcome.Accepted;
import toystore.exchange.engine.EngineOutcome.Refused;
import toystore.exchange.engine.EngineRefusal;
import toystore.exchange.engine.MatchingEngine;
import toystore.exchange.engine.Position;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.KeyedUnitOfWork;

/// The engine, which a batch changes in place, and the shares that it adds. Writer's thread.
public abstract class ExchangeUnitOfWork implements KeyedUnitOfWork {
  protected final MatchingEngine engine;
  protected final List<ShareDeposit> deposits = new ArrayList<>();
  private final EngineBounds bounds;
  private final long lastDeposit;

  /// @param lastDeposit number of the last committed deposit
  protected ExchangeUnitOfWork(MatchingEngine engine, EngineBounds bounds, long lastDeposit) {
    this.engine = engine;
    this.bounds = bounds;
    this.lastDeposit = lastDeposit;
  }

  /// Null if there is none that the command may reach.
  @Nullable CashAccount account(AccountKey key) {
    return switch (key) {
      case AccountKey.Numbered it -> engine.account(it.number()).filter(it::reaches).orElse(null);
      case AccountKey.Xml(String id) -> engine.accountByXmlId(id).orElse(null);
    };
  }

  void addDeposit(Position position, long sharesE4, Instant now) {
    deposits.add(
        new ShareDeposit(
            lastDeposit + deposits.size() + 1,
            position.number(),
            position.symbol().number(),
            sharesE4,
            now.toEpochMilli()));
  }

  <T> Answer<T> answer(EngineOutcome<T> outcome) {
    return switch (outcome) {
      case Accepted<T>(T value) -> new Done<>(value);
      case Refused<T>(EngineRefusal reason) -> refusal(reason);
    };
  }

  <T> Answer<T> refusal(EngineRefusal reason) {
    return new Refusal<>(reason.reason(), reason.message(bounds));
  }
}
