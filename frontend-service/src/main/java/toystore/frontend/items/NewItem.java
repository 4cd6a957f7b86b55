package toystore.frontend.items;

import java.util.List;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.ProductNameValidator;

/// A request of a seller to put an item on sale.
public record NewItem(
    String name,
    int category,
    List<String> keywords,
    ItemCondition condition,
    long priceCents,
    int quantity) {
  static final int MAX_KEYWORDS = 5;
  private static final int MAX_KEYWORD = 8;

  /// Whether an item can have this keyword.
  static boolean isKeyword(String word) {
    return word.codePointCount(0, word.length()) <= MAX_KEYWORD;
  }

  static NewItem of(JsonBody body) {
    body.allowOnly("name", "category", "keywords", "condition", "price", "quantity");
    String name = body.text("name");
    if (!ProductNameValidator.isValid(name)) {
      throw body.invalid("name", ProductNameValidator.RULE);
    }
    return new NewItem(
        name,
        (int) body.integer("category", 0, Integer.MAX_VALUE),
        body.optionalTexts("keywords", MAX_KEYWORDS, MAX_KEYWORD),
        ItemCondition.of(body),
        body.priceCents("price"),
        body.count("quantity"));
  }
}
