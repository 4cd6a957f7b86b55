package toystore.account.domain;

import org.jspecify.annotations.Nullable;

/// The opinions of an item's buyers.
///
/// @param sellerId the item's owner
/// @param change number of the last opinion that changed it
public record ItemRating(long itemId, long sellerId, long thumbsUp, long thumbsDown, long change) {
  /// Its part of a seller's rating.
  public SellerRating counts() {
    return new SellerRating(thumbsUp, thumbsDown);
  }

  /// @param replaced the earlier opinion of the same buyer; null: none
  ItemRating with(Feedback added, @Nullable Feedback replaced) {
    return new ItemRating(
        itemId,
        sellerId,
        thumbsUp + count(added.up()) - (replaced == null ? 0 : count(replaced.up())),
        thumbsDown + count(!added.up()) - (replaced == null ? 0 : count(!replaced.up())),
        added.number());
  }

  private static long count(boolean counts) {
    return counts ? 1 : 0;
  }
}
