package toystore.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The products on sale as the last commit left them, for readers. Any thread reads and never
/// waits; the writer's thread alone publishes.
///
/// Each product is found by its id, the shop's own by their names as well, and these alone stand in
/// pages. What one name bears changes at one moment, and no reader sees it go back. A page is no
/// snapshot of several names.
final class Catalog {
  private final Map<Long, Product> byId = new ConcurrentHashMap<>();
  private final Map<String, Product> byName = new ConcurrentHashMap<>();
  private final ConcurrentNavigableMap<String, Product> inOrder = new ConcurrentSkipListMap<>();
  private final ConcurrentNavigableMap<Place, Product> onShelves =
      new ConcurrentSkipListMap<>(Comparator.comparing(Place::category).thenComparing(Place::name));

  private record Place(String category, String name) {}

  @Nullable Product find(String name) {
    return byName.get(name);
  }

  @Nullable Product find(long id) {
    return byId.get(id);
  }

  @Nullable Product find(ProductRef ref) {
    return switch (ref) {
      case ProductRef.Named named -> find(named.name());
      case ProductRef.WithId it -> find(it.id());
    };
  }

  /// How many products are on sale, whosoever they are.
  int size() {
    return byId.size();
  }

  /// The shop's own: at most `limit` products behind the name `after`, in order of their names.
  ///
  /// @param category empty: all
  List<Product> page(String category, String after, int limit) {
    var tail =
        category.isEmpty()
            ? inOrder.tailMap(after, false).values()
            : onShelves.tailMap(new Place(category, after), false).values();
    var page = new ArrayList<Product>();
    for (Product product : tail) {
      if (page.size() == limit || !(category.isEmpty() || category.equals(product.category()))) {
        break;
      }
      page.add(product);
    }
    return page;
  }

  /// Shows which of the shop's own bears a name now; null: none does any more.
  void publish(String name, @Nullable Product product) {
    Product before = product == null ? byName.remove(name) : byName.put(name, product);
    if (before != null && (product == null || !product.category().equals(before.category()))) {
      onShelves.remove(place(before));
    }
    if (product == null) {
      inOrder.remove(name);
    } else {
      inOrder.put(name, product);
      onShelves.put(place(product), product);
    }
    if (before != null && (product == null || product.id() != before.id())) {
      byId.remove(before.id());
    }
    if (product != null) {
      byId.put(product.id(), product);
    }
  }

  /// Shows a product that is not the shop's own as it is now, or, where it was removed, no more.
  void publish(Product product, boolean removed) {
    if (removed) {
      byId.remove(product.id());
    } else {
      byId.put(product.id(), product);
    }
  }

  private static Place place(Product product) {
    return new Place(product.category(), product.name());
  }
}
