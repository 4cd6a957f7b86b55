package toystore.exchange;

import java.util.List;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Position;

/// The result of a command, as it was right after the command. `replayed` marks the stored answer
/// of a known key.
public sealed interface ExchangeResult {
  record AccountCreated(CashAccount account, boolean replayed) implements ExchangeResult {}

  record SharesAdded(Position position, boolean replayed) implements ExchangeResult {}

  /// @param trades those that the order made at once, in their order
  record OrderOpened(LimitOrder order, List<MatchedTrade> trades, boolean replayed)
      implements ExchangeResult {}

  /// The answer to a query or a cancel.
  ///
  /// @param trades all of the order, in their order
  record OrderFound(LimitOrder order, List<MatchedTrade> trades) implements ExchangeResult {}

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
    /// The key was already used for a different request.
    KEY_REUSED,
    /// The deadline `decideBy` passed, or the caller cancelled.
    TOO_LATE,
    /// A stored row that the decision needs is damaged.
    DAMAGED
  }
}
