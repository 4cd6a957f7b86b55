package toystore.catalog;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The products on sale after the last commit, for readers. Any thread may read and never waits.
/// Only the writer's thread publishes.
///
/// The shop's own products are found by name and by id, and appear in pages. The product of one
/// name changes atomically, so no reader sees an older version after a newer one. A page is not a
/// snapshot of several names. Sellers' products are in [Items] only.
final class Catalog {
  private final Map<Long, Product> byId = new ConcurrentHashMap<>();
  private final Map<String, Product> byName = new ConcurrentHashMap<>();
  private final ConcurrentNavigableMap<String, Product> inNameOrder = new ConcurrentSkipListMap<>();
  private final ConcurrentNavigableMap<String, Product> stocks = new ConcurrentSkipListMap<>();
  private final ConcurrentNavigableMap<CategoryAndName, Product> inCategories =
      new ConcurrentSkipListMap<>(
          Comparator.comparing(CategoryAndName::category).thenComparing(CategoryAndName::name));

  private final Items items = new Items();

  private record CategoryAndName(String category, String name) {}

  /// The products of the sellers.
  Items items() {
    return items;
  }

  @Nullable Product find(String name) {
    return byName.get(name);
  }

  /// Returns null if the product is not a stock.
  @Nullable Product findStock(String name) {
    Product product = byName.get(name);
    return product != null && product.isStock() ? product : null;
  }

  /// Returns null for a seller's product, too.
  @Nullable Product find(long id) {
    return byId.get(id);
  }

  @Nullable Product find(ProductRef ref) {
    return switch (ref) {
      case ProductRef.Named named -> find(named.name());
      case ProductRef.WithId it -> find(it.id());
    };
  }

  /// Number of the shop's own products on sale.
  int size() {
    return byId.size();
  }

  /// Returns at most `limit` of the shop's own products with names after `after`, in name order,
  /// without the first `skip` of them.
  ///
  /// @param category empty: all
  List<Product> page(String category, String after, int skip, int limit) {
    return category(category, after).skip(skip).limit(limit).toList();
  }

  /// Returns the number of the shop's own products.
  ///
  /// @param category empty: all
  long count(String category) {
    return category.isEmpty() ? byName.size() : category(category, "").count();
  }

  private Stream<Product> category(String category, String after) {
    var tail =
        category.isEmpty()
            ? inNameOrder.tailMap(after, false).values()
            : inCategories.tailMap(new CategoryAndName(category, after), false).values();
    return tail.stream()
        .takeWhile(product -> category.isEmpty() || category.equals(product.category()));
  }

  /// Returns at most `limit` stocks with names after `after`, in name order.
  List<Product> stocks(String after, int limit) {
    return stocks.tailMap(after, false).values().stream().limit(limit).toList();
  }

  /// Publishes the shop's own product of a name; null removes it.
  void publish(String name, @Nullable Product product) {
    Product before = product == null ? byName.remove(name) : byName.put(name, product);
    if (before != null && (product == null || !product.category().equals(before.category()))) {
      inCategories.remove(categoryAndName(before));
    }
    if (product == null) {
      inNameOrder.remove(name);
    } else {
      inNameOrder.put(name, product);
      inCategories.put(categoryAndName(product), product);
    }
    if (product != null && product.isStock()) {
      stocks.put(name, product);
    } else if (before != null && before.isStock()) {
      stocks.remove(name);
    }
    if (before != null && (product == null || product.id() != before.id())) {
      byId.remove(before.id());
    }
    if (product != null) {
      byId.put(product.id(), product);
    }
  }

  private static CategoryAndName categoryAndName(Product product) {
    return new CategoryAndName(product.category(), product.name());
  }
}
