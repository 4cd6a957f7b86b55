package toystore.exchange;

import org.jspecify.annotations.Nullable;
import toystore.exchange.ExchangeResult.AccountCreated;
import toystore.exchange.ExchangeResult.OrderOpened;
import toystore.exchange.ExchangeResult.RefusedCommand;
import toystore.exchange.ExchangeResult.SharesAdded;
import toystore.platform.idempotency.IdempotencyPolicy;

/// The answer to an idempotency key. Accounts and orders are not stored again with the answer: what
/// they were at first can be computed from their rows.
///
/// @param outcome ACCOUNT_CREATED, SHARES_ADDED, ORDER_OPENED, or a name of [ExchangeResult.Reason]
/// @param number of the account, position or order; 0: refused
/// @param sharesE4 SHARES_ADDED: shares of the position then that were not reserved
/// @param reservedE4 SHARES_ADDED: reserved shares of the position then
/// @param message of a refusal
/// @param result null: read from disk
/// @param replayed whether the key was known
public record KeyedAnswer(
    String outcome,
    long number,
    long sharesE4,
    long reservedE4,
    @Nullable String message,
    @Nullable ExchangeResult result,
    boolean replayed) {
  static final String ACCOUNT_CREATED = "ACCOUNT_CREATED";
  static final String SHARES_ADDED = "SHARES_ADDED";
  static final String ORDER_OPENED = "ORDER_OPENED";

  static final IdempotencyPolicy<KeyedAnswer> POLICY = new Policy();

  static KeyedAnswer of(ExchangeResult result) {
    return switch (result) {
      case AccountCreated it -> of(ACCOUNT_CREATED, it.account().number(), result);
      case OrderOpened it -> of(ORDER_OPENED, it.order().number(), result);
      case SharesAdded(var position, _) ->
          new KeyedAnswer(
              SHARES_ADDED,
              position.number(),
              position.sharesE4(),
              position.reservedE4(),
              null,
              result,
              false);
      case RefusedCommand it ->
          new KeyedAnswer(it.reason().name(), 0, 0, 0, it.message(), result, false);
      case ExchangeResult.OrderFound _,
          ExchangeResult.OrderClosed _,
          ExchangeResult.AnswerKnown _ ->
          throw new IllegalStateException("not the result of a command with a key: " + result);
    };
  }

  private static KeyedAnswer of(String outcome, long number, ExchangeResult result) {
    return new KeyedAnswer(outcome, number, 0, 0, null, result, false);
  }

  private KeyedAnswer again() {
    return new KeyedAnswer(
        outcome,
        number,
        sharesE4,
        reservedE4,
        message,
        result == null ? null : again(result),
        true);
  }

  private static ExchangeResult again(ExchangeResult result) {
    return switch (result) {
      case AccountCreated it -> new AccountCreated(it.account(), true);
      case SharesAdded it -> new SharesAdded(it.position(), true);
      case OrderOpened it -> new OrderOpened(it.order(), it.trades(), true);
      case RefusedCommand it -> new RefusedCommand(it.reason(), it.message(), true);
      case ExchangeResult.OrderFound _,
          ExchangeResult.OrderClosed _,
          ExchangeResult.AnswerKnown _ ->
          result;
    };
  }

  /// Defines which results are stored and how a repeat is answered.
  private static final class Policy implements IdempotencyPolicy<KeyedAnswer> {
    @Override
    public Retention retention(KeyedAnswer answer) {
      return switch (answer.outcome()) {
        case ACCOUNT_CREATED, SHARES_ADDED, ORDER_OPENED -> Retention.FOREVER;
        default ->
            switch (ExchangeResult.Reason.valueOf(answer.outcome())) {
              case ACCOUNT_EXISTS,
                  ACCOUNT_NOT_FOUND,
                  SYMBOL_NOT_FOUND,
                  ORDER_NOT_FOUND,
                  INSUFFICIENT_CASH,
                  INSUFFICIENT_SHARES,
                  OVERFLOW,
                  LIMIT_REACHED ->
                  Retention.REFUSAL_ONE_DAY;
              case INVALID, KEY_REUSED, TOO_LATE, DAMAGED -> Retention.NONE;
            };
      };
    }

    @Override
    public KeyedAnswer replayed(KeyedAnswer answer) {
      return answer.again();
    }

    @Override
    public KeyedAnswer keyReused() {
      return of(
          new RefusedCommand(
              ExchangeResult.Reason.KEY_REUSED,
              "Idempotency-Key was already used with a different request"));
    }
  }
}
