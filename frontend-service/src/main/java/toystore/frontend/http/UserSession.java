package toystore.frontend.http;

/// The session of a marketplace user, found by the request's bearer token. A controller method with
/// this parameter is accessible to every user, one with [BuyerSession] or [SellerSession] only to
/// users of that role. The administrator's token is not a session.
public sealed interface UserSession permits BuyerSession, SellerSession {
  /// The user in the scope of an idempotency key, such as `buyer 7`: two users may use the same
  /// key.
  String user();

  /// From 1; never reused.
  long sessionId();
}
