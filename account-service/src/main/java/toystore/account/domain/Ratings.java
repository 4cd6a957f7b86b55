package toystore.account.domain;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The published ratings. Any thread reads; the writer's thread publishes.
public final class Ratings {
  private final Map<Long, ItemRating> items = new ConcurrentHashMap<>();
  private final Map<Long, SellerRating> sellers = new ConcurrentHashMap<>();

  /// The rating of an item, or null if nobody gave an opinion.
  public @Nullable ItemRating item(long itemId) {
    return items.get(itemId);
  }

  public SellerRating seller(long sellerId) {
    return sellers.getOrDefault(sellerId, SellerRating.NONE);
  }

  public void publish(ItemRating rating) {
    ItemRating before = items.put(rating.itemId(), rating);
    SellerRating added = before == null ? rating.counts() : rating.counts().minus(before.counts());
    sellers.merge(rating.sellerId(), added, SellerRating::plus);
  }
}
