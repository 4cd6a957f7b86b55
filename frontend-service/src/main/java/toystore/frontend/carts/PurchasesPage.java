package toystore.frontend.carts;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON view of a page of purchased lines.
///
/// @param itemsPurchased units of all purchases that were not returned, on whatever page
/// @param next the value of `after` for the next page; absent on the last page
public record PurchasesPage(List<Line> purchases, long itemsPurchased, @Nullable Long next) {

  /// @param timestamp time of the purchase in RFC 3339 format
  /// @param price unit price that was charged
  /// @param returned whether the purchase was undone because the money could not be captured
  /// @param number of the purchase, for pages
  /// @param total what all lines of the purchase cost together, for pages
  /// @param paymentId identifies the payment, for pages
  public record Line(
      long itemId,
      long quantity,
      String timestamp,
      String name,
      BigDecimal price,
      boolean returned,
      @JsonIgnore long number,
      @JsonIgnore BigDecimal total,
      @JsonIgnore String paymentId) {
    public BigDecimal amount() {
      return price.multiply(BigDecimal.valueOf(quantity));
    }
  }
}
