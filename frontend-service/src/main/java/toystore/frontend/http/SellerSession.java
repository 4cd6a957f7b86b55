package toystore.frontend.http;

/// The session of a seller.
public record SellerSession(long sellerId, long sessionId) implements UserSession {
  @Override
  public String user() {
    return "seller " + sellerId;
  }
}
