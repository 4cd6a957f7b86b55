package toystore.frontend.items;

import java.util.List;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.JsonBody;
import toystore.platform.text.IdentifierText;

/// A request of a seller to put an item on sale.
///
/// @param name in NFC
/// @param keywords in NFC
public record NewItem(
    String name,
    int category,
    List<String> keywords,
    ItemCondition condition,
    long priceCents,
    int quantity) {
  static final int MAX_KEYWORDS = 5;

  public NewItem {
    try {
      name = IdentifierText.itemName(name);
      keywords = IdentifierText.keywords(keywords);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  static NewItem of(JsonBody body) {
    body.allowOnly("name", "category", "keywords", "condition", "price", "quantity");
    return new NewItem(
        body.text("name"),
        (int) body.integer("category", 0, Integer.MAX_VALUE),
        body.optionalTexts("keywords", MAX_KEYWORDS),
        ItemCondition.of(body),
        body.priceCents("price"),
        body.count("quantity"));
  }
}
