package toystore.catalog.domain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.Limits;

/// What a seller says about a product, which makes it an item of the marketplace. It never changes.
///
/// @param category from 0
/// @param keywords in the seller's order and letter case; one that is given twice, in whatever
///   case, is here once
public record Item(long sellerId, int category, List<String> keywords, Condition condition) {
  public static final int KEYWORDS = 5;

  /// The names are stored on disk.
  public enum Condition {
    NEW,
    USED
  }

  public Item {
    Limits.check("seller_id", sellerId, 1, Long.MAX_VALUE);
    Limits.check("category", category, 0, Integer.MAX_VALUE);
    Map<String, String> distinct = new LinkedHashMap<>();
    keywords.forEach(it -> distinct.putIfAbsent(folded(it), it));
    Limits.check("number of keywords", distinct.size(), 0, KEYWORDS);
    keywords = List.copyOf(distinct.values());
  }

  List<String> foldedKeywords() {
    return keywords.stream().map(Item::folded).toList();
  }

  /// The form in which keywords are equal regardless of case.
  static String folded(String keyword) {
    return IdentifierText.normalized(keyword).toLowerCase(Locale.ROOT);
  }
}
