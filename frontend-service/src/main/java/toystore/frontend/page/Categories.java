package toystore.frontend.page;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;
import org.springframework.stereotype.Component;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductView;

/// The categories of the first 1,000 products, cached for one minute. Any thread. Two concurrent
/// calls may both refresh the cache.
@Component
final class Categories {
  private static final int MAX_PAGES = 5;
  private static final int PAGE_SIZE = 200;
  private static final Duration CACHE_TIME = Duration.ofMinutes(1);

  private final ProductClient catalog;
  private final InstantSource clock;
  private volatile CachedCategories cached = new CachedCategories(List.of(), Instant.MIN);

  private record CachedCategories(List<String> names, Instant until) {}

  Categories(ProductClient catalog, InstantSource clock) {
    this.catalog = catalog;
    this.clock = clock;
  }

  /// Returns all categories, and the chosen one even if it is not among them.
  List<String> including(String chosen) {
    Instant now = clock.instant();
    if (now.isAfter(cached.until)) {
      cached = new CachedCategories(List.copyOf(load()), now.plus(CACHE_TIME));
    }
    var all = new TreeSet<>(cached.names);
    if (!chosen.isEmpty()) {
      all.add(chosen);
    }
    return List.copyOf(all);
  }

  private TreeSet<String> load() {
    var names = new TreeSet<String>();
    String after = "";
    for (int pages = 0; pages < MAX_PAGES; pages++) {
      PagedResponse<ProductView> page = catalog.list("", after, PAGE_SIZE);
      for (ProductView product : page.items()) {
        if (product.category() != null) {
          names.add(product.category());
        }
      }
      if (page.next() == null) {
        break;
      }
      after = page.next().toString();
    }
    return names;
  }
}
