package toystore.exchange.rpc;

import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;

import toystore.exchange.domain.ExchangeRefusal;
import toystore.platform.rpc.ErrorReason;

/// The exchange service's own error reasons. `exchange.proto` lists the reasons of each call.
public final class ExchangeErrorReasons {
  /// The session is unknown or has ended.
  public static final ErrorReason SESSION_ENDED =
      ErrorReason.decided("SESSION_ENDED", UNAUTHENTICATED, 401);

  /// There is no such account, or it belongs to another user.
  public static final ErrorReason ACCOUNT_NOT_FOUND =
      ErrorReason.decided("ACCOUNT_NOT_FOUND", NOT_FOUND, 404);

  /// Nobody has received shares with this symbol.
  public static final ErrorReason SYMBOL_NOT_FOUND =
      ErrorReason.decided("SYMBOL_NOT_FOUND", NOT_FOUND, 404);

  /// There is no such order, or it belongs to another account.
  public static final ErrorReason ORDER_NOT_FOUND =
      ErrorReason.decided("ORDER_NOT_FOUND", NOT_FOUND, 404);

  /// The cash that is not reserved is less than shares times limit.
  public static final ErrorReason INSUFFICIENT_CASH =
      ErrorReason.decided("INSUFFICIENT_CASH", FAILED_PRECONDITION, 409);

  /// The shares that are not reserved are fewer than the order's.
  public static final ErrorReason INSUFFICIENT_SHARES =
      ErrorReason.decided("INSUFFICIENT_SHARES", FAILED_PRECONDITION, 409);

  /// An amount of the account would become too large.
  public static final ErrorReason OVERFLOW =
      ErrorReason.decided("OVERFLOW", FAILED_PRECONDITION, 409);

  /// A maximum number, such as that of open orders, is reached; the message names it.
  public static final ErrorReason LIMIT_REACHED =
      ErrorReason.decided("LIMIT_REACHED", FAILED_PRECONDITION, 409);

  /// The user has as many feeds as one user may have.
  public static final ErrorReason TOO_MANY_FEEDS =
      ErrorReason.notDone("TOO_MANY_FEEDS", RESOURCE_EXHAUSTED, 429);

  private ExchangeErrorReasons() {}

  static ErrorReason of(ExchangeRefusal refusal) {
    return switch (refusal) {
      case INVALID, ACCOUNT_EXISTS -> ErrorReason.INVALID; // an account exists over XML only
      case ACCOUNT_NOT_FOUND -> ACCOUNT_NOT_FOUND;
      case SYMBOL_NOT_FOUND -> SYMBOL_NOT_FOUND;
      case ORDER_NOT_FOUND -> ORDER_NOT_FOUND;
      case INSUFFICIENT_CASH -> INSUFFICIENT_CASH;
      case INSUFFICIENT_SHARES -> INSUFFICIENT_SHARES;
      case OVERFLOW -> OVERFLOW;
      case LIMIT_REACHED -> LIMIT_REACHED;
    };
  }
}
