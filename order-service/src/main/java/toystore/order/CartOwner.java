package toystore.order;

/// A buyer and one of the buyer's sessions.
///
/// @param sessionId 0: unknown, because the purchase was rebuilt from the catalog
record CartOwner(long buyerId, long sessionId) {
  CartOwner {
    if (buyerId < 1) {
      throw new IllegalArgumentException("buyer.buyer_id must be at least 1, got " + buyerId);
    }
    if (sessionId < 0) {
      throw new IllegalArgumentException("buyer.session_id must be at least 1, got " + sessionId);
    }
  }

  static CartOwner withoutSession(long buyerId) {
    return new CartOwner(buyerId, 0);
  }
}
