package toystore.frontend.page;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
    return pages() > 1 ? all + String.format(Locale.ROOT, ", page %d of %d", number, pages()) : all;
  }

  /// URL of the previous page; absent on the first page.
  public @Nullable String previous() {
    return number > 1 ? url(Math.clamp(pages(), 1, number - 1)) : null;
  }

  /// URL of the next page; absent on the last page.
  public @Nullable String next() {
    return number < pages() ? url(number + 1) : null;
  }

  private long pages() {
    return (total + SIZE - 1) / SIZE;
  }

  private String url(long page) {
    return String.format(
        Locale.ROOT, "/?q=%s&category=%s&page=%d", urlEncode(q), urlEncode(category), page);
  }

  private static String urlEncode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
