package toystore.frontend.products;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.money.Decimal;
import toystore.platform.text.IdentifierText;

/// A request of the administrator to add a product.
///
/// @param name in NFC
/// @param category in NFC; empty if the product has none
public record NewProduct(
    @NotEmpty(message = Expected.TEXT) String name,
    @Decimal BigDecimal price,
    @Min(value = 1, message = Expected.COUNT) int quantity,
    @JsonSetter(nulls = Nulls.SET) @Size(message = "must be a string of at most 50 characters")
        String category) {
  private static final int MAX_CATEGORY = 50;

  public NewProduct {
    try {
      name = name == null ? "" : IdentifierText.productName(name);
      category = IdentifierText.of("category", category == null ? "" : category, 0, MAX_CATEGORY);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
