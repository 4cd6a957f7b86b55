package toystore.frontend.items;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.money.Decimal;
import toystore.platform.text.IdentifierText;

/// A request of a seller to put an item on sale.
///
/// @param name in NFC
/// @param keywords in NFC; empty if the request had none
public record NewItem(
    @NotEmpty(message = Expected.TEXT) String name,
    @NotNull(message = NewItem.CATEGORY) @Min(value = 0, message = NewItem.CATEGORY)
        Integer category,
    @JsonSetter(nulls = Nulls.SET)
        @Size(max = NewItem.MAX_KEYWORDS, message = "must be an array of at most {max} strings")
        List<String> keywords,
    @NotNull(message = "must be new or used") ItemCondition condition,
    @Decimal BigDecimal price,
    @Min(value = 1, message = Expected.COUNT) int quantity) {
  static final int MAX_KEYWORDS = 5;
  static final String CATEGORY = "must be an integer from 0 to 2147483647";

  public NewItem {
    try {
      name = name == null ? "" : IdentifierText.itemName(name);
      keywords = keywords == null ? List.of() : IdentifierText.keywords(keywords);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
