package toystore.catalog.domain;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The marketplace's items after the last commit. Any thread may read and never waits; only the
/// writer's thread publishes. Items are never removed. A search finds only those in stock. A page
/// is no snapshot.
public final class Items {
  public static final int ALL_CATEGORIES = -1;

  /// By default. With their rows in indexes, they take 55 MB of heap.
  public static final int MAX = 50_000;

  /// By default.
  public static final int MAX_OF_SELLER = 5_000;

  private final int max;
  private final int maxOfSeller;
  private final Map<Long, Product> byId = new ConcurrentHashMap<>();
  private final Map<Long, ConcurrentNavigableMap<Long, Product>> bySeller =
      new ConcurrentHashMap<>();
  private final PostingIndex inStock = new PostingIndex();

  public Items(int max, int maxOfSeller) {
    this.max = max;
    this.maxOfSeller = maxOfSeller;
  }

  public int max() {
    return max;
  }

  public int maxOfSeller() {
    return maxOfSeller;
  }

  public int countOf(long sellerId) {
    return ofSeller(sellerId).size();
  }

  public @Nullable Product find(long id) {
    return byId.get(id);
  }

  public int size() {
    return byId.size();
  }

  /// In the order of their ids.
  public List<Product> ofSeller(long sellerId, long after, int limit) {
    return ofSeller(sellerId).tailMap(after, false).values().stream().limit(limit).toList();
  }

  private ConcurrentNavigableMap<Long, Product> ofSeller(long sellerId) {
    return bySeller.getOrDefault(sellerId, new ConcurrentSkipListMap<>());
  }

  /// The ids of items in stock that have at least one of the keywords, the best match first. The
  /// order of two items never changes, so a page may begin after any match.
  ///
  /// @param category or [#ALL_CATEGORIES]
  /// @param keywords empty: all items of the category match equally
  /// @param after the last match of the page before; null: this is the first page
  public List<PostingIndex.Match> search(
      int category, Collection<String> keywords, PostingIndex.@Nullable Match after, int limit) {
    List<String> folded = keywords.stream().map(Item::folded).distinct().toList();
    String required = keyword(category);
    return inStock.search(required, folded.isEmpty() ? List.of(required) : folded, after, limit);
  }

  /// Longer than those of sellers.
  private static String keyword(int category) {
    return "category " + category;
  }

  public void publish(Product product) {
    Item item = requireNonNull(product.item());
    Product before = byId.put(product.id(), product);
    bySeller
        .computeIfAbsent(item.sellerId(), _ -> new ConcurrentSkipListMap<>())
        .put(product.id(), product);
    boolean wasInStock = before != null && before.quantity() > 0;
    boolean isInStock = product.quantity() > 0;
    if (isInStock && !wasInStock) {
      indexed(item).forEach(it -> inStock.add(it, product.id()));
    } else if (wasInStock && !isInStock) {
      indexed(item).forEach(it -> inStock.remove(it, product.id()));
    }
  }

  private static Stream<String> indexed(Item item) {
    return Stream.concat(
        Stream.of(keyword(ALL_CATEGORIES), keyword(item.category())),
        item.foldedKeywords().stream());
  }
}
