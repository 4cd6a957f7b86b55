package toystore.order;

import toystore.platform.text.Limits;

/// A buyer and one of the buyer's sessions.
///
/// @param sessionId 0: unknown, because the purchase was rebuilt from the catalog
record CartOwner(long buyerId, long sessionId) {
  CartOwner {
    Limits.checkAtLeast("buyer.buyer_id", buyerId, 1);
    Limits.checkAtLeast("buyer.session_id", sessionId, 0);
  }

  static CartOwner withoutSession(long buyerId) {
    return new CartOwner(buyerId, 0);
  }
}
