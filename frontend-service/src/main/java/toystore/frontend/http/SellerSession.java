package toystore.frontend.http;

/// The session of a seller.
public record SellerSession(long sellerId) implements UserSession {
  @Override
  public String user() {
    return "seller " + sellerId;
  }
}
