package toystore.order;

/// A buyer and one of the buyer's sessions.
record CartOwner(long buyerId, long sessionId) {
  CartOwner {
    if (buyerId < 1) {
      throw new IllegalArgumentException("buyer.buyer_id must be at least 1, got " + buyerId);
    }
    if (sessionId < 1) {
      throw new IllegalArgumentException("buyer.session_id must be at least 1, got " + sessionId);
    }
  }
}
