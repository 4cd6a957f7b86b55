package toystore.order.domain;

import toystore.platform.text.Limits;

/// @param sessionId 0: unknown, because the purchase was rebuilt from the catalog
public record CartOwner(long buyerId, long sessionId) {
  public CartOwner {
    Limits.checkAtLeast("buyer.buyer_id", buyerId, 1);
    Limits.checkAtLeast("buyer.session_id", sessionId, 0);
  }

  static CartOwner withoutSession(long buyerId) {
    return new CartOwner(buyerId, 0);
  }
}
