package toystore.catalog.domain;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.platform.text.IdentifierText;

/// The shop's own products and the last sales after the last commit. Any thread may read and never
/// waits; only the writer's thread publishes. Sellers' products are in [Items] only.
///
/// The product of one name changes atomically, so no reader sees an older version after a newer
/// one. A page is not a snapshot of several names. A commit is published before its listeners are
/// called: who reads after an event sees its change.
public final class Catalog {
  /// Most orders are read soon after they were placed. Sales of 50 lines each take 10 MB.
  private static final int RECENT_SALES = 4_096;

  private final Map<Long, Product> byId = new ConcurrentHashMap<>();
  private final Map<String, Product> byName = new ConcurrentHashMap<>();
  private final ConcurrentNavigableMap<String, Product> inNameOrder = new ConcurrentSkipListMap<>();
  private final ConcurrentNavigableMap<String, Product> stocks = new ConcurrentSkipListMap<>();
  private final ConcurrentNavigableMap<CategoryAndName, Product> inCategories =
      new ConcurrentSkipListMap<>(
          Comparator.comparing(CategoryAndName::category).thenComparing(CategoryAndName::name));

  private final Items items;
  private final AtomicReferenceArray<@Nullable Sale> recentSales =
      new AtomicReferenceArray<>(RECENT_SALES);
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();

  /// Called on the writer's thread; must neither block nor throw.
  public interface ChangeListener {
    /// @param names of the products that were changed, added or removed
    void onPublished(Set<String> names);
  }

  private record CategoryAndName(String category, String name) {}

  public Catalog(Items items) {
    this.items = items;
  }

  public Catalog() {
    this(new Items(Items.MAX, Items.MAX_OF_SELLER));
  }

  /// The listener gets each commit that was not published before this call.
  public void add(ChangeListener listener) {
    listeners.add(listener);
  }

  public void remove(ChangeListener listener) {
    listeners.remove(listener);
  }

  public int listeners() {
    return listeners.size();
  }

  public Items items() {
    return items;
  }

  /// One of the last sales of series STORE.
  public @Nullable Sale recentSale(long number) {
    Sale sale = number < 0 ? null : recentSales.getAcquire((int) (number % RECENT_SALES));
    return sale != null && sale.number() == number ? sale : null;
  }

  /// Finds the product whose name has the same NFC.
  public @Nullable Product find(String name) {
    Product exact = byName.get(name); // nearly all names that are sent are in NFC
    return exact != null ? exact : byName.get(IdentifierText.normalized(name));
  }

  /// @return null also if it is not a traded product
  public @Nullable Product findStock(String name) {
    Product product = find(name);
    return product != null && product.isStock() ? product : null;
  }

  /// @return null also for a seller's product
  public @Nullable Product find(long id) {
    return byId.get(id);
  }

  public @Nullable Product find(ProductRef ref) {
    return switch (ref) {
      case ProductRef.Named named -> find(named.name());
      case ProductRef.WithId it -> find(it.id());
    };
  }

  public int size() {
    return byId.size();
  }

  /// In name order.
  ///
  /// @param category empty: all
  /// @param skip number of products left out after `after`
  public List<Product> page(String category, String after, int skip, int limit) {
    return category(category, after).skip(skip).limit(limit).toList();
  }

  /// @param category empty: all
  public long count(String category) {
    return category.isEmpty() ? byName.size() : category(category, "").count();
  }

  /// Categories are in NFC.
  public String categoryOf(String requested) {
    return IdentifierText.normalized(requested);
  }

  private Stream<Product> category(String category, String after) {
    var tail =
        category.isEmpty()
            ? inNameOrder.tailMap(after, false).values()
            : inCategories.tailMap(new CategoryAndName(category, after), false).values();
    return tail.stream()
        .takeWhile(product -> category.isEmpty() || category.equals(product.category()));
  }

  /// In name order. Looks at every product until it has them.
  public List<Long> soldOutToys(int limit) {
    return inNameOrder.values().stream()
        .filter(Product::isSoldOutToy)
        .limit(limit)
        .map(Product::id)
        .toList();
  }

  public List<Product> stocks(String after, int limit) {
    return stocks.tailMap(after, false).values().stream().limit(limit).toList();
  }

  public void publish(Sale sale) {
    recentSales.setRelease((int) (sale.number() % RECENT_SALES), sale);
  }

  /// Publishes one name as a commit; null removes it.
  public void publish(String name, @Nullable Product product) {
    publish(Map.of(name, Optional.ofNullable(product)));
  }

  /// Publishes a commit; empty removes the product of the name.
  public void publish(Map<String, Optional<Product>> changed) {
    if (changed.isEmpty()) {
      return;
    }
    changed.forEach((name, product) -> replace(name, product.orElse(null)));
    listeners.forEach(it -> it.onPublished(changed.keySet())); // after the products
  }

  private void replace(String name, @Nullable Product product) {
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
