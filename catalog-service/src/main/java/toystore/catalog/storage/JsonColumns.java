package toystore.catalog.storage;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import toystore.catalog.domain.Item;
import toystore.catalog.domain.Product;

/// JSON columns: an array for a product, whose last element is its item, `[seller, category,
/// keywords, condition]` or null; and an item's keywords.
final class JsonColumns {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addMixIn(Product.class, ProductColumns.class)
          .addMixIn(Item.class, ItemColumns.class)
          .build();
  private static final ObjectReader KEYWORDS = JSON.readerForListOf(String.class);

  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({
    "id",
    "name",
    "category",
    "priceCents",
    "quantity",
    "volume",
    "maxVolume",
    "suspended",
    "item"
  })
  private interface ProductColumns {}

  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({"sellerId", "category", "keywords", "condition"})
  private interface ItemColumns {}

  private JsonColumns() {}

  static String keywords(Item item) {
    return JSON.writeValueAsString(item.keywords());
  }

  static List<String> keywords(String json) {
    return KEYWORDS.readValue(json);
  }

  static String json(Product product) {
    return JSON.writeValueAsString(product);
  }

  static Product product(String json) {
    return JSON.readValue(json, Product.class);
  }
}
