package toystore.frontend.page;

import static toystore.common.RootLocale.format;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One page of products, as listed or found by a search.
///
/// @param total number of products of all pages
/// @param number number of this page, from 1
/// @param problem error text if the products could not be read; absent if there was no error
record SearchPage(
    String q,
    String category,
    List<String> categories,
    List<ProductCard> cards,
    long total,
    long number,
    @Nullable String problem) {
  static final int SIZE = 24;

  /// The number of products, announced to screen readers.
  public String count() {
    if (problem != null) {
      return "";
    }
    String all = total == 1 ? "1 result" : String.format(Locale.ENGLISH, "%,d results", total);
    return pages() > 1 ? all + format(", page %d of %d", number, pages()) : all;
  }

  public @Nullable Long previous() {
    return number > 1 ? Math.clamp(pages(), 1, number - 1) : null;
  }

  public @Nullable Long next() {
    return number < pages() ? number + 1 : null;
  }

  private long pages() {
    return (total + SIZE - 1) / SIZE;
  }
}
