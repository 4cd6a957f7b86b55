package toystore.frontend.page;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.stereotype.Component;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductView;

/// The categories of the first 1,000 products, cached for one minute. Any thread.
@Component
final class Categories {
  private static final int MAX_PAGES = 5;
  private static final int PAGE_SIZE = 200;
  private static final Duration CACHE_TIME = Duration.ofMinutes(1);

  private final ProductClient catalog;
  private final LoadingCache<String, Set<String>> cached =
      Caffeine.newBuilder().expireAfterWrite(CACHE_TIME).build(_ -> load());

  Categories(ProductClient catalog) {
    this.catalog = catalog;
  }

  /// Returns all categories, and the chosen one even if it is not among them.
  List<String> including(String chosen) {
    var all = new TreeSet<>(cached.get("all"));
    if (!chosen.isEmpty()) {
      all.add(chosen);
    }
    return List.copyOf(all);
  }

  private Set<String> load() {
    var names = new TreeSet<String>();
    String after = "";
    for (int pages = 0; pages < MAX_PAGES; pages++) {
      PagedResponse<ProductView> page = catalog.list("", "", after, PAGE_SIZE);
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
