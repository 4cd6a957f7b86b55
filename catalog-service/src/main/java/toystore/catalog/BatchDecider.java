package toystore.catalog;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import toystore.catalog.CommandResult.Changed;
import toystore.catalog.CommandResult.Difference;
import toystore.catalog.CommandResult.Imported;
import toystore.catalog.CommandResult.Sold;
import toystore.catalog.Sale.SaleLine;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.IdempotencyPolicy;
import toystore.platform.idempotency.IdempotencyRecord;
import toystore.platform.idempotency.RequestKey;

/// Decides the commands of one batch, each against the published catalog and the changes of this
/// batch. It changes only itself and collects the rows to write. Only the writer's thread uses it.
final class BatchDecider {
  private final Catalog published;
  private final InstantSource clock;
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
  private final Set<Long> returned = new HashSet<>();
  private final List<StockChange> stockChanges = new ArrayList<>();
  private final List<PriceChange> priceChanges = new ArrayList<>();
  private final List<VolumeChange> volumeChanges = new ArrayList<>();
  private final BatchIdempotency<CommandResult> keys = new BatchIdempotency<>(new ResultCodec());

  /// Explains a change of the stock that is not a sale.
  record StockChange(long productId, Kind kind, long quantity, Instant time) {
    enum Kind {
      INITIAL,
      RESTOCK,
      /// The operator counted the stock; the quantity is the difference.
      COUNT,
      /// The seller removed units; the quantity is negative.
      REMOVED
    }
  }

  record PriceChange(long productId, long priceCents, Instant time) {}

  /// Explains a change of the volume that is not a trade.
  record VolumeChange(long productId, long units, Instant time) {}

  /// @param nextNumbers next sale number of each series
  BatchDecider(
      Catalog published,
      InstantSource clock,
      Map<SaleSeries, Long> nextNumbers,
      long nextProductId) {
    this.published = published;
    this.clock = clock;
    this.nextNumbers = new EnumMap<>(nextNumbers);
    this.nextProductId = nextProductId;
  }

  /// The idempotency records of this batch.
  BatchIdempotency<CommandResult> keys() {
    return keys;
  }

  /// Makes a committed purchase known, which the next command wants to return.
  void recall(Sale purchase, boolean isReturned) {
    purchases.put(purchase.number(), purchase);
    if (isReturned) {
      returned.add(purchase.number());
    }
  }

  /// @param known record of the request's key in this batch or on disk
  CommandResult decide(PendingCommand request, @Nullable IdempotencyRecord<CommandResult> known) {
    Instant now = clock.instant();
    if (request.cancelled().getAsBoolean()
        || (request.decideBy() != null && now.isAfter(request.decideBy()))) {
      return new Refused(
          RefusalReason.TOO_LATE, "deadline exceeded; the request was not processed");
    }
    RequestKey key = request.key();
    return key == null
        ? decide(request.command(), null, now)
        : keys.answer(key, request.hash(), known, now, () -> decide(request.command(), key, now));
  }

  private CommandResult decide(Command command, @Nullable RequestKey key, Instant now) {
    return switch (command) {
      case Command.Sell sell -> sell(sell, key, now);
      case Command.ReturnPurchase it -> returnPurchase(it.saleNumber(), key, now);
      case Command.Add add -> add(add.spec(), now);
      case Command.AddItem add -> addItem(add, now);
      case Command.RepriceItem(long sellerId, long itemId, long cents) ->
          changeItem(itemId, sellerId, it -> reprice(it, cents, now));
      case Command.RemoveUnits it ->
          changeItem(it.itemId(), it.sellerId(), item -> removeUnits(item, it, now));
      case Command.Remove remove -> remove(remove.product());
      case Command.Reprice reprice -> reprice(reprice, now);
      case Command.Restock restock -> restock(restock, now);
      case Command.Resume resume -> resume(resume, now);
      case Command.Import all -> importAll(all, now);
    };
  }

  private CommandResult sell(Command.Sell sell, @Nullable RequestKey key, Instant now) {
    if (key == null) {
      throw new IllegalStateException("a sale must have an idempotency key");
    }
    Map<Long, Product> after = new HashMap<>();
    List<SaleLine> lines = new ArrayList<>(sell.lines().size());
    for (RequestedSaleLine line : sell.lines()) {
      Product before = find(sell.series(), line.product());
      if (before == null) {
        return sell.series() == SaleSeries.STORE ? productNotFound() : itemNotFound();
      }
      Product product = after.getOrDefault(before.id(), before);
      if (line.expectedCents() != null && line.expectedCents() != product.priceCents()) {
        return priceChanged(product, line.expectedCents());
      }
      Refused refusal = product.refusalOf(sell.kind(), line.quantity());
      if (refusal != null) {
        if (refusal.reason() == RefusalReason.SUSPENDED) {
          suspend(before);
        }
        return refusal;
      }
      after.put(product.id(), product.afterSale(sell.kind(), line.quantity()));
      lines.add(new SaleLine(product.id(), product.name(), line.quantity(), product.priceCents()));
    }
    return record(sell.series(), sell.kind(), sell.asList(), lines, after, key, now);
  }

  private @Nullable Product find(SaleSeries series, ProductRef ref) {
    return switch (series) {
      case STORE -> find(ref);
      case PURCHASES -> ref instanceof ProductRef.WithId(long id) ? findItem(id) : null;
    };
  }

  /// @param after the products of the lines after the sale
  private Sold record(
      SaleSeries series,
      SaleKind kind,
      boolean asList,
      List<SaleLine> lines,
      Map<Long, Product> after,
      RequestKey key,
      Instant now) {
    after.values().forEach(this::change);
    var sale =
        new Sale(series, nextNumber(series), key.stored(), kind, asList, List.copyOf(lines), now);
    sales.add(sale);
    if (series == SaleSeries.PURCHASES) {
      purchases.put(sale.number(), sale);
    }
    return new Sold(sale, false);
  }

  private CommandResult returnPurchase(long number, @Nullable RequestKey key, Instant now) {
    if (key == null) {
      throw new IllegalStateException("a return must have an idempotency key");
    }
    Sale purchase = purchases.get(number);
    if (purchase == null || purchase.kind() == SaleKind.RETURN) {
      return new Refused(RefusalReason.PURCHASE_NOT_FOUND, "purchase not found");
    }
    if (returned.contains(number)) {
      return Refused.because(
          RefusalReason.ALREADY_RETURNED, "purchase %d was already returned", number);
    }
    Map<Long, Product> after = new HashMap<>();
    for (SaleLine line : purchase.lines()) {
      Product before = after.getOrDefault(line.productId(), findItem(line.productId()));
      if (before == null) {
        return itemNotFound();
      }
      Refused refusal = before.refusalOf(SaleKind.RETURN, line.quantity());
      if (refusal != null) {
        return refusal;
      }
      after.put(before.id(), before.afterSale(SaleKind.RETURN, line.quantity()));
    }
    Sold sold =
        record(
            SaleSeries.PURCHASES,
            SaleKind.RETURN,
            purchase.asList(),
            purchase.lines(),
            after,
            key,
            now);
    returned.add(number);
    returns.put(number, sold.sale().number());
    return sold;
  }

  private long nextNumber(SaleSeries series) {
    return nextNumbers.merge(series, 1L, Long::sum) - 1;
  }

  private static Refused priceChanged(Product product, long expectedCents) {
    return Refused.because(
        RefusalReason.PRICE_CHANGED,
        "\"%s\" costs %s, expected %s",
        product.name(),
        price(product.priceCents()),
        price(expectedCents));
  }

  private static String price(long cents) {
    return BigDecimal.valueOf(cents, 2).toPlainString();
  }

  /// Suspends a product whose trade would exceed its `max_volume`. The trade is refused completely.
  private void suspend(Product before) {
    if (!before.suspended()) {
      change(before.suspend());
    }
  }

  private CommandResult add(ProductSpec spec, Instant now) {
    if (find(new ProductRef.Named(spec.name())) != null) {
      return Refused.because(
          RefusalReason.NAME_TAKEN, "a product named \"%s\" already exists", spec.name());
    }
    return new Changed(putOnSale(spec.toProduct(nextProductId++), now), false);
  }

  private CommandResult addItem(Command.AddItem add, Instant now) {
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
    return new Changed(putOnSale(add.toProduct(nextProductId++), now), false);
  }

  private static Refused tooManyItems(String who, int max) {
    return Refused.because(
        RefusalReason.TOO_MANY_ITEMS,
        "%s may have at most %d items, sold-out items included",
        who,
        max);
  }

  private Product putOnSale(Product product, Instant now) {
    change(product);
    added.add(product.id());
    stockChanges.add(
        new StockChange(product.id(), StockChange.Kind.INITIAL, product.quantity(), now));
    priceChanges.add(new PriceChange(product.id(), product.priceCents(), now));
    return product;
  }

  private CommandResult remove(ProductRef ref) {
    Product product = find(ref);
    if (product == null) {
      return productNotFound();
    }
    products.put(product.id(), product);
    removed.add(product.id());
    onSale.put(product.name(), null);
    return new Changed(product, false);
  }

  private CommandResult reprice(Command.Reprice reprice, Instant now) {
    Product product = find(reprice.product());
    if (product == null) {
      return productNotFound();
    }
    return reprice(product, reprice.priceCents(), now);
  }

  private Changed reprice(Product product, long priceCents, Instant now) {
    Product after = product.withPrice(priceCents);
    change(after);
    priceChanges.add(new PriceChange(product.id(), priceCents, now));
    return new Changed(after, false);
  }

  /// Changes an item if it belongs to the seller.
  private CommandResult changeItem(
      long id, long sellerId, Function<Product, CommandResult> change) {
    Product product = findItem(id);
    Item item = product == null ? null : product.item();
    if (product == null || item == null) {
      return itemNotFound();
    }
    return item.sellerId() == sellerId
        ? change.apply(product)
        : Refused.because(RefusalReason.NOT_THE_OWNER, "item %d belongs to another seller", id);
  }

  private CommandResult removeUnits(Product product, Command.RemoveUnits remove, Instant now) {
    Long expected = remove.expectedStock();
    if (expected != null && expected != product.quantity()) {
      return Refused.because(
          RefusalReason.STOCK_CHANGED,
          "\"%s\" has %d units in stock, expected %d",
          product.name(),
          product.quantity(),
          expected);
    }
    long units = remove.quantity();
    if (units > product.quantity()) {
      return Refused.because(
          RefusalReason.NOT_ENOUGH,
          "\"%s\" has %d units in stock, %d cannot be removed",
          product.name(),
          product.quantity(),
          units);
    }
    Product after = product.withoutUnits(units);
    change(after);
    stockChanges.add(new StockChange(product.id(), StockChange.Kind.REMOVED, -units, now));
    return new Changed(after, false);
  }

  private CommandResult restock(Command.Restock restock, Instant now) {
    Product product = find(restock.product());
    if (product == null) {
      return productNotFound();
    }
    if (restock.quantity() > Product.STOCK_LIMIT - product.quantity()) {
      return Refused.because(
          RefusalReason.STOCK_LIMIT,
          "\"%s\" may have at most %d units in stock",
          product.name(),
          Product.STOCK_LIMIT);
    }
    Product after = product.afterRestock(restock.quantity());
    change(after);
    stockChanges.add(
        new StockChange(product.id(), StockChange.Kind.RESTOCK, restock.quantity(), now));
    return new Changed(after, false);
  }

  private CommandResult resume(Command.Resume resume, Instant now) {
    Product product = find(resume.product());
    if (product == null) {
      return productNotFound();
    }
    Long bound = resume.maxVolume();
    if (bound != null && bound <= product.volume()) {
      return Refused.because(
          RefusalReason.SUSPENDED,
          "max_volume of \"%s\" must be greater than its traded volume %d, got %d",
          product.name(),
          product.volume(),
          bound);
    }
    Product after = product.resumed(bound);
    change(after);
    if (after.volume() != product.volume()) {
      volumeChanges.add(new VolumeChange(product.id(), after.volume() - product.volume(), now));
    }
    return new Changed(after, false);
  }

  private CommandResult importAll(Command.Import all, Instant now) {
    List<Difference> differences = new ArrayList<>();
    for (ProductSpec spec : all.specs()) {
      Product before = find(new ProductRef.Named(spec.name()));
      Product after = before == null ? spec.toProduct(nextProductId) : before.withSpec(spec);
      if (!after.equals(before)) {
        differences.add(new Difference(before, after));
        if (!all.dryRun()) {
          applySpec(spec, before, after, now);
        }
      }
    }
    return new Imported(differences);
  }

  private void applySpec(ProductSpec spec, @Nullable Product before, Product after, Instant now) {
    if (before == null) {
      putOnSale(spec.toProduct(nextProductId++), now);
      return;
    }
    change(after);
    if (after.quantity() != before.quantity()) {
      long difference = after.quantity() - before.quantity();
      stockChanges.add(new StockChange(after.id(), StockChange.Kind.COUNT, difference, now));
    }
    if (after.priceCents() != before.priceCents()) {
      priceChanges.add(new PriceChange(after.id(), after.priceCents(), now));
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
      case ProductRef.WithId _ -> published.find(ref);
    };
  }

  private @Nullable Product find(String name) {
    Product exact = findExactly(name);
    return exact != null
        ? exact
        : published
            .otherForms(name)
            .map(this::findExactly)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  private @Nullable Product findExactly(String name) {
    return onSale.containsKey(name) ? onSale.get(name) : published.findExactly(name);
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

  private static Refused itemNotFound() {
    return new Refused(RefusalReason.ITEM_NOT_FOUND, "item not found");
  }

  private static Refused productNotFound() {
    return new Refused(RefusalReason.PRODUCT_NOT_FOUND, "product not found");
  }

  /// The shop's own product of each changed name; null if the name has none now.
  Map<String, @Nullable Product> onSale() {
    return onSale;
  }

  /// The changed products. Removed products have their last state.
  Iterable<Product> products() {
    return products.values();
  }

  /// Whether the product is new.
  boolean isAdded(Product product) {
    return added.contains(product.id());
  }

  boolean isRemoved(Product product) {
    return removed.contains(product.id());
  }

  List<Sale> sales() {
    return sales;
  }

  /// The number of each returned purchase with the number of its return.
  Map<Long, Long> returns() {
    return returns;
  }

  List<StockChange> stockChanges() {
    return stockChanges;
  }

  List<PriceChange> priceChanges() {
    return priceChanges;
  }

  List<VolumeChange> volumeChanges() {
    return volumeChanges;
  }

  Map<SaleSeries, Long> nextNumbers() {
    return nextNumbers;
  }

  long nextProductId() {
    return nextProductId;
  }

  /// Defines which results are stored and how a repeat is answered.
  private static final class ResultCodec implements IdempotencyPolicy<CommandResult> {
    @Override
    public Retention retention(CommandResult answer) {
      return switch (answer) {
        case Sold _, Changed _ -> Retention.FOREVER;
        case Refused refused ->
            refused.reason().isKept() ? Retention.REFUSAL_ONE_DAY : Retention.NONE;
        case Imported _ -> throw withoutKey(answer);
      };
    }

    @Override
    public CommandResult replayed(CommandResult answer) {
      return switch (answer) {
        case Sold sold -> new Sold(sold.sale(), true);
        case Changed changed -> new Changed(changed.product(), true);
        case Refused refused -> new Refused(refused.reason(), refused.message(), true);
        case Imported _ -> throw withoutKey(answer);
      };
    }

    @Override
    public CommandResult keyReused() {
      return new Refused(
          RefusalReason.KEY_REUSED, "Idempotency-Key was already used with a different request");
    }

    private static IllegalStateException withoutKey(CommandResult answer) {
      return new IllegalStateException(
          "a request with an idempotency key must give Sold, Changed or Refused, got " + answer);
    }
  }
}
