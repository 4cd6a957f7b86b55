package toystore.account.rpc;

import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;

import toystore.account.domain.AccountRefusal;
import toystore.platform.rpc.ErrorReason;

/// The account service's own error reasons. `account.proto` lists the reasons of each call.
public final class AccountErrorReasons {
  /// Another account of the role has this username.
  public static final ErrorReason USERNAME_TAKEN =
      ErrorReason.decided("USERNAME_TAKEN", ALREADY_EXISTS, 409);

  /// There is no account with this username and password.
  public static final ErrorReason WRONG_PASSWORD =
      ErrorReason.decided("WRONG_PASSWORD", UNAUTHENTICATED, 401);

  /// Too many logins failed; a `google.rpc.RetryInfo` states when to retry.
  public static final ErrorReason TOO_MANY_LOGINS =
      ErrorReason.notDone("TOO_MANY_LOGINS", RESOURCE_EXHAUSTED, 429);

  /// No session has this token, or it has ended.
  public static final ErrorReason SESSION_UNKNOWN =
      ErrorReason.decided("SESSION_UNKNOWN", UNAUTHENTICATED, 401);

  /// No seller has this id.
  public static final ErrorReason SELLER_NOT_FOUND =
      ErrorReason.decided("SELLER_NOT_FOUND", NOT_FOUND, 404);

  /// No buyer has this id.
  public static final ErrorReason BUYER_NOT_FOUND =
      ErrorReason.decided("BUYER_NOT_FOUND", NOT_FOUND, 404);

  private AccountErrorReasons() {}

  static ErrorReason of(AccountRefusal refusal) {
    return switch (refusal) {
      case USERNAME_TAKEN -> USERNAME_TAKEN;
      case SESSION_UNKNOWN -> SESSION_UNKNOWN;
      case SELLER_NOT_FOUND -> SELLER_NOT_FOUND;
      case BUYER_NOT_FOUND -> BUYER_NOT_FOUND;
      case OTHER_SELLER -> ErrorReason.INVALID;
    };
  }
}
