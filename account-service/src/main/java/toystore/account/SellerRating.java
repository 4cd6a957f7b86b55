package toystore.account;

/// The sum of the ratings of a seller's items.
record SellerRating(long thumbsUp, long thumbsDown) {
  static final SellerRating NONE = new SellerRating(0, 0);

  SellerRating plus(SellerRating other) {
    return new SellerRating(thumbsUp + other.thumbsUp, thumbsDown + other.thumbsDown);
  }

  SellerRating minus(SellerRating other) {
    return new SellerRating(thumbsUp - other.thumbsUp, thumbsDown - other.thumbsDown);
  }
}
