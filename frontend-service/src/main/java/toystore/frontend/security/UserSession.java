package toystore.frontend.security;

/// The session of a marketplace user, found by a request's token: what a controller gets as
/// `@AuthenticationPrincipal`. The administrator's token is not a session.
///
/// @param sessionId from 1; never reused
public record UserSession(AccountRole role, long accountId, long sessionId, BearerToken token) {
  public boolean isBuyer() {
    return role == AccountRole.BUYER;
  }

  /// The user in the scope of an idempotency key, such as `buyer 7`: two users may use the same
  /// key.
  public String user() {
    return role.word() + " " + accountId;
  }
}
