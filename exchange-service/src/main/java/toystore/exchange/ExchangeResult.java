package toystore.exchange;

import java.util.List;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Position;

/// The result of a command or a query, as it was right after it. `replayed` marks the stored answer
/// of a known key.
public sealed interface ExchangeResult {
  record AccountCreated(CashAccount account, boolean replayed) implements ExchangeResult {}

  record SharesAdded(Position position, boolean replayed) implements ExchangeResult {}

  /// @param trades the first ones that the order made at once, in their order; none over XML, whose
  ///   answer does not show them
  record OrderOpened(LimitOrder order, TradePage trades, boolean replayed)
      implements ExchangeResult {}

  /// The writer's answer to a cancel: the order, if there is one, is not open any more and will
  /// never change. A reader reads it.
  record OrderClosed() implements ExchangeResult {}

  /// The writer's answer to a known key whose answer must be read from other rows, by a reader.
  record AnswerKnown(KeyedAnswer answer) implements ExchangeResult {}

  /// The answer to a query.
  record OrderFound(LimitOrder order, TradePage trades) implements ExchangeResult {}

  /// Trades of an order, in their order.
  ///
  /// @param omitted number of the order's other trades; where a page follows, at least 1
  record TradePage(List<MatchedTrade> trades, long omitted) {
    public static final TradePage NONE = new TradePage(List.of(), 0);

    /// The first trades of a list that has one more if there are more.
    static TradePage first(List<MatchedTrade> oneMore, int limit) {
      return oneMore.size() <= limit
          ? new TradePage(oneMore, 0)
          : new TradePage(oneMore.subList(0, limit), 1);
    }
  }

  /// The command was refused and changed nothing.
  record RefusedCommand(Reason reason, String message, boolean replayed) implements ExchangeResult {
    RefusedCommand(Reason reason, String message) {
      this(reason, message, false);
    }
  }

  /// Why a command is refused. The names are stored on disk.
  enum Reason {
    /// A value is out of range.
    INVALID,
    ACCOUNT_EXISTS,
    /// There is no such account, or the caller may not reach it.
    ACCOUNT_NOT_FOUND,
    SYMBOL_NOT_FOUND,
    /// There is no such order, or it belongs to another account.
    ORDER_NOT_FOUND,
    INSUFFICIENT_CASH,
    INSUFFICIENT_SHARES,
    OVERFLOW,
    /// A maximum number, such as that of open orders, is reached.
    LIMIT_REACHED,
    /// The key was already used for a different request.
    KEY_REUSED,
    /// The deadline `decideBy` passed, or the caller cancelled.
    TOO_LATE,
    /// A stored row that the decision needs is damaged.
    DAMAGED
  }
}
