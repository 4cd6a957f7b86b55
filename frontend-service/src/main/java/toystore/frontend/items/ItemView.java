package toystore.frontend.items;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.frontend.accounts.AccountClient.RatingView;

/// The JSON view of an item.
///
/// @param price in units of the currency
/// @param quantity units in stock
/// @param thumbsUp opinions of its buyers; null before they are added
public record ItemView(
    long itemId,
    long sellerId,
    @JsonProperty("item_name") String name,
    int category,
    List<String> keywords,
    @JsonProperty("condition_type") ItemCondition condition,
    BigDecimal price,
    long quantity,
    @Nullable Long thumbsUp,
    @Nullable Long thumbsDown) {

  public ItemView with(RatingView rating) {
    return new ItemView(
        itemId,
        sellerId,
        name,
        category,
        keywords,
        condition,
        price,
        quantity,
        rating.thumbsUp(),
        rating.thumbsDown());
  }
}
