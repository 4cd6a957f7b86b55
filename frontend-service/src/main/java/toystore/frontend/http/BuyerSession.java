package toystore.frontend.http;

/// The session of a buyer.
public record BuyerSession(long buyerId, long sessionId) implements UserSession {
  @Override
  public String user() {
    return "buyer " + buyerId;
  }
}
