package toystore.frontend.page;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;
import org.springframework.stereotype.Component;
import toystore.frontend.http.ResultPage;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductView;

/// The categories to choose from: those of the first thousand products, asked for at most once a
/// minute. Any thread; two that come at once may both ask.
@Component
final class Categories {
  private static final int PAGES = 5;
  private static final int PAGE = 200;
  private static final Duration FRESH = Duration.ofMinutes(1);

  private final ProductClient catalog;
  private final InstantSource clock;
  private volatile Known known = new Known(List.of(), Instant.MIN);

  private record Known(List<String> names, Instant until) {}

  Categories(ProductClient catalog, InstantSource clock) {
    this.catalog = catalog;
    this.clock = clock;
  }

  /// All of them, and this one.
  List<String> with(String chosen) {
    Instant now = clock.instant();
    if (now.isAfter(known.until)) {
      known = new Known(List.copyOf(ask()), now.plus(FRESH));
    }
    var all = new TreeSet<>(known.names);
    if (!chosen.isEmpty()) {
      all.add(chosen);
    }
    return List.copyOf(all);
  }

  private TreeSet<String> ask() {
    var names = new TreeSet<String>();
    String after = "";
    for (int asked = 0; asked < PAGES; asked++) {
      ResultPage<ProductView> page = catalog.list("", after, PAGE);
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
