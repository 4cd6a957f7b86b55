package toystore.account.domain;

/// The sum of the ratings of a seller's items.
public record SellerRating(long thumbsUp, long thumbsDown) {
  public static final SellerRating NONE = new SellerRating(0, 0);

  public SellerRating plus(SellerRating other) {
    return new SellerRating(thumbsUp + other.thumbsUp, thumbsDown + other.thumbsDown);
  }

  SellerRating minus(SellerRating other) {
    return new SellerRating(thumbsUp - other.thumbsUp, thumbsDown - other.thumbsDown);
  }
}
