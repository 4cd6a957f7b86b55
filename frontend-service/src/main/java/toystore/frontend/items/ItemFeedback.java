package toystore.frontend.items;

import static toystore.common.RootLocale.format;

import org.springframework.stereotype.Component;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;

/// Opinions of buyers of the items that they bought. The API and the pages use one scope of keys.
/// Any thread.
@Component
public final class ItemFeedback {
  private final ItemClient items;
  private final PurchaseClient purchases;
  private final AccountClient accounts;

  ItemFeedback(ItemClient items, PurchaseClient purchases, AccountClient accounts) {
    this.items = items;
    this.purchases = purchases;
    this.accounts = accounts;
  }

  /// @param id of the item, in a path
  /// @param feedback `up` or `down`
  /// @return whether this is the stored answer of a known key
  public boolean give(UserSession buyer, IdempotencyKey key, String id, String feedback) {
    boolean isUp = isUp(feedback);
    ItemView item = items.find(id);
    purchases.requirePurchased(buyer, item.itemId());
    String path = format("/api/items/%d/feedback", item.itemId());
    return accounts.giveFeedback(path, key, buyer, item.itemId(), item.sellerId(), isUp);
  }

  private static boolean isUp(String feedback) {
    return switch (feedback) {
      case "up" -> true;
      case "down" -> false;
      default ->
          throw ApiException.of(
              ErrorReason.UNKNOWN_FEEDBACK, "feedback must be \"up\" or \"down\"");
    };
  }
}
