package toystore.catalog.domain;

import static java.util.Objects.requireNonNull;
import static toystore.catalog.domain.SaleKind.RETURN;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.Sale.SaleLine;
import toystore.platform.error.ErrorReason;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Answer.Done;
import toystore.platform.idempotency.Answer.Refusal;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.KeyedDecider;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.text.IdentifierText;

/// Decides the commands of one batch, each against the published catalog and the changes of this
/// batch. It changes only itself and collects the rows to write. Only the writer's thread uses it.
public final class CatalogDecider implements KeyedDecider {
  private final Catalog published;
  private final LongFunction<Optional<Sale>> committedPurchases;
  private final LongPredicate isReturned;
  private final BatchIdempotency keys;
  private final Map<SaleSeries, Long> nextNumbers;
  private long nextProductId;

  private final Map<String, @Nullable Product> onSale = new LinkedHashMap<>();
  private final Map<Long, Product> products = new LinkedHashMap<>();
  private final Set<Long> added = new HashSet<>();
  private final Map<Long, Integer> addedItems = new HashMap<>(); // by seller
  private final Set<Long> removed = new LinkedHashSet<>();
  private final List<Sale> sales = new ArrayList<>();
  private final Map<Long, Sale> purchases = new HashMap<>();
  private final Map<Long, Long> returns = new LinkedHashMap<>();
  private final List<Explanation> explanations = new ArrayList<>();
  private final List<RecordedChange> changes = new ArrayList<>();
  private @Nullable String changedBy;

  /// Explains a change of a product that is not a sale.
  public sealed interface Explanation {}

  public record StockChange(long productId, Kind kind, long quantity, Instant time)
      implements Explanation {
    public enum Kind {
      INITIAL,
      RESTOCK,
      /// The operator counted the stock; the quantity is the difference.
      COUNT,
      /// The seller removed units; the quantity is negative.
      REMOVED
    }
  }

  public record PriceChange(long productId, long priceCents, Instant time) implements Explanation {}

  public record VolumeChange(long productId, long units, Instant time) implements Explanation {}

  /// @param committedPurchases finds a committed sale of series PURCHASES, which is on disk
  /// @param isReturned whether a committed sale is the return of this purchase
  /// @param nextNumbers next sale number of each series
  public CatalogDecider(
      Catalog published,
      LongFunction<Optional<Sale>> committedPurchases,
      LongPredicate isReturned,
      BatchIdempotency keys,
      Map<SaleSeries, Long> nextNumbers,
      long nextProductId) {
    this.published = published;
    this.committedPurchases = committedPurchases;
    this.isReturned = isReturned;
    this.keys = keys;
    this.nextNumbers = new EnumMap<>(nextNumbers);
    this.nextProductId = nextProductId;
  }

  @Override
  public BatchIdempotency keys() {
    return keys;
  }

  Answer<Sale> sell(CatalogCommand.Sell sell, @Nullable RequestKey key, Instant now) {
    Map<Long, Product> after = new HashMap<>();
    List<SaleLine> lines = new ArrayList<>(sell.lines().size());
    for (RequestedSaleLine line : sell.lines()) {
      Product before = find(sell.series(), line.product());
      if (before == null) {
        return sell.series() == SaleSeries.STORE ? productNotFound() : itemNotFound();
      }
      Product product = after.getOrDefault(before.id(), before);
      if (line.expectedCents() != null && line.expectedCents() != product.priceCents()) {
        return product.priceDiffers(ErrorReason.PRICE_CHANGED, line.expectedCents());
      }
      Refusal<Sale> refusal = product.refusalOf(sell.kind(), line.quantity());
      if (refusal != null) {
        if (refusal.reason() == ErrorReason.SUSPENDED && !before.suspended()) {
          change(before.suspend()); // its trade would exceed `max_volume`
        }
        return refusal;
      }
      after.put(product.id(), product.afterSale(sell.kind(), line.quantity()));
      lines.add(new SaleLine(product.id(), product.name(), line.quantity(), product.priceCents()));
    }
    return new Done<>(record(sell.series(), sell.kind(), sell.asList(), lines, after, key, now));
  }

  private @Nullable Product find(SaleSeries series, ProductRef ref) {
    return switch (series) {
      case STORE -> find(ref);
      case PURCHASES -> ref instanceof ProductRef.WithId(long id) ? findItem(id) : null;
    };
  }

  /// @param after the products of the lines after the sale
  private Sale record(
      SaleSeries series,
      SaleKind kind,
      boolean asList,
      List<SaleLine> lines,
      Map<Long, Product> after,
      @Nullable RequestKey key,
      Instant now) {
    if (key == null) {
      throw new IllegalStateException("a sale must have an idempotency key");
    }
    after.values().forEach(this::change);
    var sale =
        new Sale(series, nextNumber(series), key.stored(), kind, asList, List.copyOf(lines), now);
    sales.add(sale);
    if (series == SaleSeries.PURCHASES) {
      purchases.put(sale.number(), sale);
    }
    return sale;
  }

  Answer<Sale> returnPurchase(long number, @Nullable RequestKey key, Instant now) {
    Sale inBatch = purchases.get(number);
    Sale purchase = inBatch == null ? committedPurchases.apply(number).orElse(null) : inBatch;
    if (purchase == null || purchase.kind() == RETURN) {
      return new Refusal<>(ErrorReason.ORDER_NOT_FOUND, "purchase not found");
    }
    if (returns.containsKey(number) || isReturned.test(number)) {
      return Refusal.because(
          ErrorReason.ALREADY_RETURNED, "purchase %d was already returned", number);
    }
    Map<Long, Product> after = new HashMap<>();
    for (SaleLine line : purchase.lines()) {
      Product before = after.getOrDefault(line.productId(), findItem(line.productId()));
      if (before == null) {
        return itemNotFound();
      }
      Refusal<Sale> refusal = before.refusalOf(RETURN, line.quantity());
      if (refusal != null) {
        return refusal;
      }
      after.put(before.id(), before.afterSale(RETURN, line.quantity()));
    }
    Sale sale =
        record(purchase.series(), RETURN, purchase.asList(), purchase.lines(), after, key, now);
    returns.put(number, sale.number());
    return new Done<>(sale);
  }

  private long nextNumber(SaleSeries series) {
    return nextNumbers.merge(series, 1L, Long::sum) - 1;
  }

  /// Decides a command whose changes are recorded as made by somebody.
  <T> Answer<T> decideFor(
      String by, CatalogCommand<T> command, @Nullable RequestKey key, Instant now) {
    changedBy = by;
    try {
      return command.decide(this, key, now);
    } finally {
      changedBy = null;
    }
  }

  private void recordChange(@Nullable Product before, @Nullable Product after, Instant now) {
    if (changedBy != null && !Objects.equals(before, after)) {
      changes.add(new RecordedChange(now, changedBy, new ProductDifference(before, after)));
    }
  }

  Answer<Product> change(CatalogCommand.Change command, Instant now) {
    return switch (command) {
      case CatalogCommand.Add(ProductSpec spec) -> add(spec, now);
      case CatalogCommand.AddItem add -> addItem(add, now);
      case CatalogCommand.Remove(ProductRef ref) -> changeProduct(ref, this::remove, now);
      case CatalogCommand.Reprice(ProductRef ref, long cents, Long expected) ->
          changeProduct(ref, it -> reprice(it, cents, expected, now), now);
      case CatalogCommand.Restock(ProductRef ref, long units) ->
          changeProduct(ref, it -> restock(it, units, now), now);
      case CatalogCommand.Resume(ProductRef ref, Long bound, Long expected) ->
          changeProduct(ref, it -> resume(it, bound, expected, now), now);
      case CatalogCommand.RepriceItem(long seller, long id, long cents, Long expected) ->
          changeItem(seller, id, it -> reprice(it, cents, expected, now));
      case CatalogCommand.RemoveUnits(long seller, long id, long units, Long expected) ->
          changeItem(seller, id, it -> removeUnits(it, units, expected, now));
    };
  }

  /// Changes one of the shop's own products.
  private Answer<Product> changeProduct(
      ProductRef ref, Function<Product, Answer<Product>> change, Instant now) {
    Product product = find(ref);
    if (product == null) {
      return productNotFound();
    }
    Answer<Product> answer = change.apply(product);
    if (answer instanceof Done<Product>(Product after, _)) {
      recordChange(product, isRemoved(product) ? null : after, now);
    }
    return answer;
  }

  /// Changes an item if it belongs to the seller.
  private Answer<Product> changeItem(
      long sellerId, long id, Function<Product, Answer<Product>> change) {
    Product product = findItem(id);
    if (product == null) {
      return itemNotFound();
    }
    return requireNonNull(product.item()).sellerId() == sellerId
        ? change.apply(product)
        : Refusal.because(ErrorReason.NOT_THE_OWNER, "item %d belongs to another seller", id);
  }

  private Answer<Product> add(ProductSpec spec, Instant now) {
    if (find(new ProductRef.Named(spec.name())) != null) {
      return Refusal.because(
          ErrorReason.NAME_TAKEN, "a product named \"%s\" already exists", spec.name());
    }
    Product product = putOnSale(spec.toProduct(nextProductId++), now);
    recordChange(null, product, now);
    return new Done<>(product);
  }

  private Answer<Product> addItem(CatalogCommand.AddItem add, Instant now) {
    Items items = published.items();
    long sellerId = add.item().sellerId();
    int ofSeller = items.countOf(sellerId) + addedItems.getOrDefault(sellerId, 0);
    if (ofSeller >= items.maxOfSeller()) {
      return tooManyItems("a seller", items.maxOfSeller());
    }
    int all = items.size() + addedItems.values().stream().mapToInt(it -> it).sum();
    if (all >= items.max()) {
      return tooManyItems("the marketplace", items.max());
    }
    addedItems.merge(sellerId, 1, Integer::sum);
    return new Done<>(putOnSale(add.toProduct(nextProductId++), now));
  }

  private static <T> Answer<T> tooManyItems(String who, int max) {
    return Refusal.because(
        ErrorReason.TOO_MANY_ITEMS,
        "%s may have at most %d items, sold-out items included",
        who,
        max);
  }

  private Product putOnSale(Product product, Instant now) {
    change(product);
    added.add(product.id());
    explanations.add(
        new StockChange(product.id(), StockChange.Kind.INITIAL, product.quantity(), now));
    explanations.add(new PriceChange(product.id(), product.priceCents(), now));
    return product;
  }

  private Answer<Product> remove(Product product) {
    products.put(product.id(), product);
    removed.add(product.id());
    onSale.put(product.name(), null);
    return new Done<>(product);
  }

  private Answer<Product> reprice(
      Product product, long priceCents, @Nullable Long expected, Instant now) {
    if (expected != null && expected != product.priceCents()) {
      return product.priceDiffers(ErrorReason.PRODUCT_CHANGED, expected);
    }
    Product after = product.withPrice(priceCents);
    change(after);
    explanations.add(new PriceChange(product.id(), priceCents, now));
    return new Done<>(after);
  }

  private Answer<Product> removeUnits(
      Product product, long units, @Nullable Long expected, Instant now) {
    if (expected != null && expected != product.quantity()) {
      return product.refusal(
          ErrorReason.STOCK_CHANGED,
          "has %d units in stock, expected %d",
          product.quantity(),
          expected);
    }
    if (units > product.quantity()) {
      return product.refusal(
          ErrorReason.NOT_ENOUGH,
          "has %d units in stock, %d cannot be removed",
          product.quantity(),
          units);
    }
    return new Done<>(changeStock(product, StockChange.Kind.REMOVED, -units, now));
  }

  private Product changeStock(Product product, StockChange.Kind kind, long units, Instant now) {
    Product after = product.withMoreUnits(units);
    change(after);
    explanations.add(new StockChange(product.id(), kind, units, now));
    return after;
  }

  private Answer<Product> restock(Product product, long units, Instant now) {
    return product.exceedsStockLimit(units)
        ? product.stockLimitReached()
        : new Done<>(changeStock(product, StockChange.Kind.RESTOCK, units, now));
  }

  Answer<List<Product>> restockSoldOut(CatalogCommand.RestockSoldOut command, Instant now) {
    List<Product> restocked = new ArrayList<>();
    for (long id : command.productIds()) {
      Product before = find(new ProductRef.WithId(id));
      if (before != null && before.isSoldOutToy()) {
        Product after = changeStock(before, StockChange.Kind.RESTOCK, command.quantity(), now);
        recordChange(before, after, now);
        restocked.add(after);
      }
    }
    return new Done<>(restocked);
  }

  private Answer<Product> resume(
      Product product, @Nullable Long bound, @Nullable Long expected, Instant now) {
    if (expected != null && !(product.suspended() && expected == product.volume())) {
      return Refusal.because(
          ErrorReason.PRODUCT_CHANGED,
          "\"%s\" is %s at volume %d, expected suspended at %d",
          product.name(),
          product.suspended() ? "suspended" : "traded",
          product.volume(),
          expected);
    }
    if (bound != null && bound <= product.volume()) {
      return Refusal.because(
          ErrorReason.SUSPENDED,
          "max_volume of \"%s\" must be greater than its traded volume %d, got %d",
          product.name(),
          product.volume(),
          bound);
    }
    Product after = product.resumed(bound);
    change(after);
    if (after.volume() != product.volume()) {
      explanations.add(new VolumeChange(product.id(), after.volume() - product.volume(), now));
    }
    return new Done<>(after);
  }

  Answer<List<ProductDifference>> importAll(CatalogCommand.Import all, Instant now) {
    List<ProductDifference> differences = new ArrayList<>();
    for (ProductSpec spec : all.seen().isEmpty() ? List.<ProductSpec>of() : all.specs()) {
      Refusal<List<ProductDifference>> refusal = refusalOf(spec, all.seen());
      if (refusal != null) {
        return refusal;
      }
    }
    for (ProductSpec spec : all.specs()) {
      Product before = find(new ProductRef.Named(spec.name()));
      Product after = after(spec, before);
      if (!after.equals(before)) {
        differences.add(new ProductDifference(before, after));
        if (!all.dryRun()) {
          applySpec(spec, before, after, now);
          recordChange(before, after, now);
        }
      }
    }
    return new Done<>(differences);
  }

  private Product after(ProductSpec spec, @Nullable Product before) {
    return before == null ? spec.toProduct(nextProductId) : before.withSpec(spec);
  }

  /// Returns null if the import would change the product as was seen.
  private @Nullable Refusal<List<ProductDifference>> refusalOf(
      ProductSpec spec, Map<String, String> seen) {
    Product before = find(new ProductRef.Named(spec.name()));
    Product after = after(spec, before);
    String none = "no difference";
    String expected = seen.getOrDefault(after.name(), none);
    String difference = after.equals(before) ? none : new ProductDifference(before, after).text();
    return difference.equals(expected)
        ? null
        : after.refusal(
            ErrorReason.PRODUCT_CHANGED,
            "has changed since the differences were shown: expected %s, got %s",
            expected,
            difference);
  }

  private void applySpec(ProductSpec spec, @Nullable Product before, Product after, Instant now) {
    if (before == null) {
      putOnSale(spec.toProduct(nextProductId++), now);
      return;
    }
    change(after);
    if (after.quantity() != before.quantity()) {
      long difference = after.quantity() - before.quantity();
      explanations.add(new StockChange(after.id(), StockChange.Kind.COUNT, difference, now));
    }
    if (after.priceCents() != before.priceCents()) {
      explanations.add(new PriceChange(after.id(), after.priceCents(), now));
    }
  }

  /// Finds one of the shop's own products.
  private @Nullable Product find(ProductRef ref) {
    return switch (ref) {
      case ProductRef.Named(String name) -> find(name);
      case ProductRef.WithId(long id) when products.containsKey(id) -> {
        Product product = products.get(id);
        yield removed.contains(id) || product.item() != null ? null : product;
      }
      case ProductRef.WithId(long id) -> published.find(id);
    };
  }

  private @Nullable Product find(String name) {
    String stored = IdentifierText.normalized(name);
    return onSale.containsKey(stored) ? onSale.get(stored) : published.find(stored);
  }

  private @Nullable Product findItem(long id) {
    Product product = products.containsKey(id) ? products.get(id) : published.items().find(id);
    return product == null || product.item() == null ? null : product;
  }

  private void change(Product product) {
    products.put(product.id(), product);
    if (product.item() == null) {
      onSale.put(product.name(), product);
    }
  }

  private static <T> Answer<T> itemNotFound() {
    return new Refusal<>(ErrorReason.ITEM_NOT_FOUND, "item not found");
  }

  private static <T> Answer<T> productNotFound() {
    return new Refusal<>(ErrorReason.PRODUCT_NOT_FOUND, "product not found");
  }

  /// The shop's own product of each changed name; null if the name has none now.
  public Map<String, @Nullable Product> onSale() {
    return onSale;
  }

  /// The changed products. Removed products have their last state.
  public Iterable<Product> products() {
    return products.values();
  }

  /// Whether the product is new.
  public boolean isAdded(Product product) {
    return added.contains(product.id());
  }

  public boolean isRemoved(Product product) {
    return removed.contains(product.id());
  }

  public List<Sale> sales() {
    return sales;
  }

  /// The number of each returned purchase with the number of its return.
  public Map<Long, Long> returns() {
    return returns;
  }

  public List<Explanation> explanations() {
    return explanations;
  }

  /// What is recorded of the commands that were decided for somebody, in their order.
  public List<RecordedChange> changes() {
    return changes;
  }

  public Map<SaleSeries, Long> nextNumbers() {
    return nextNumbers;
  }

  public long nextProductId() {
    return nextProductId;
  }
}
