package toystore.catalog;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.catalog.CommandResult.Changed;
import toystore.catalog.CommandResult.Difference;
import toystore.catalog.CommandResult.Imported;
import toystore.catalog.CommandResult.Noted;
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
  private final Set<Long> removed = new LinkedHashSet<>();
  private final List<Sale> sales = new ArrayList<>();
  private final List<StockChange> stockChanges = new ArrayList<>();
  private final List<PriceChange> priceChanges = new ArrayList<>();
  private final List<VolumeChange> volumeChanges = new ArrayList<>();
  private final Set<SaleSeries> orderBooks = EnumSet.noneOf(SaleSeries.class);
  private final BatchIdempotency<CommandResult> keys = new BatchIdempotency<>(new ResultCodec());

  /// Explains a change of the stock that is not a sale.
  record StockChange(long productId, Kind kind, long quantity, Instant time) {
    enum Kind {
      INITIAL,
      RESTOCK,
      /// The operator counted the stock; the quantity is the difference.
      COUNT
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
      case Command.Add add -> add(add, now);
      case Command.Remove remove -> remove(remove.product());
      case Command.Reprice reprice -> reprice(reprice, now);
      case Command.Restock restock -> restock(restock, now);
      case Command.Resume resume -> resume(resume, now);
      case Command.Import all -> importAll(all, now);
      case Command.NoteOrderBook book -> noteOrderBook(book.series());
    };
  }

  private CommandResult sell(Command.Sell sell, @Nullable RequestKey key, Instant now) {
    if (key == null) {
      throw new IllegalStateException("a sale must have an idempotency key");
    }
    Map<Long, Product> after = new HashMap<>();
    List<SaleLine> lines = new ArrayList<>(sell.lines().size());
    for (RequestedSaleLine line : sell.lines()) {
      Product before = find(line.product());
      if (before == null || !sell.series().sells(before)) {
        return productNotFound();
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
    after.values().forEach(this::change);
    var sale =
        new Sale(
            sell.series(),
            nextNumber(sell.series()),
            key.stored(),
            sell.kind(),
            sell.asList(),
            List.copyOf(lines),
            now);
    sales.add(sale);
    return new Sold(sale, false);
  }

  private long nextNumber(SaleSeries series) {
    return nextNumbers.merge(series, 1L, Long::sum) - 1;
  }

  private static Refused priceChanged(Product product, long expectedCents) {
    return new Refused(
        RefusalReason.PRICE_CHANGED,
        "\"%s\" costs %s, expected %s"
            .formatted(
                product.name(),
                BazaarPrices.text(product.priceCents()),
                BazaarPrices.text(expectedCents)));
  }

  /// Suspends a product whose trade would exceed its `max_volume`. The trade is refused completely.
  private void suspend(Product before) {
    if (!before.suspended()) {
      change(before.suspend());
    }
  }

  private CommandResult add(Command.Add add, Instant now) {
    String name = add.spec().name();
    if (add.owner() == null && find(new ProductRef.Named(name)) != null) {
      return new Refused(
          RefusalReason.NAME_TAKEN, "a product named \"%s\" already exists".formatted(name));
    }
    return new Changed(putOnSale(add.spec(), add.owner(), now), false);
  }

  private Product putOnSale(ProductSpec spec, @Nullable Long owner, Instant now) {
    Product product = spec.toProduct(nextProductId++, owner);
    change(product);
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
    if (product.owner() == null) {
      onSale.put(product.name(), null);
    }
    return new Changed(product, false);
  }

  private CommandResult reprice(Command.Reprice reprice, Instant now) {
    Product product = find(reprice.product());
    if (product == null) {
      return productNotFound();
    }
    Product after = product.withPrice(reprice.priceCents());
    change(after);
    priceChanges.add(new PriceChange(product.id(), reprice.priceCents(), now));
    return new Changed(after, false);
  }

  private CommandResult restock(Command.Restock restock, Instant now) {
    Product product = find(restock.product());
    if (product == null) {
      return productNotFound();
    }
    if (restock.quantity() > Product.STOCK_LIMIT - product.quantity()) {
      return new Refused(
          RefusalReason.STOCK_LIMIT,
          "\"%s\" may have at most %d units in stock"
              .formatted(product.name(), Product.STOCK_LIMIT));
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
      return new Refused(
          RefusalReason.SUSPENDED,
          "max_volume of \"%s\" must be greater than its traded volume %d, got %d"
              .formatted(product.name(), product.volume(), bound));
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
      Product after = before == null ? spec.toProduct(nextProductId, null) : before.withSpec(spec);
      if (!after.equals(before)) {
        differences.add(new Difference(before, after));
        if (!all.dryRun()) {
          applySpec(spec, before, after, now);
        }
      }
    }
    return new Imported(differences);
  }

  private CommandResult noteOrderBook(SaleSeries series) {
    orderBooks.add(series);
    return new Noted();
  }

  private void applySpec(ProductSpec spec, @Nullable Product before, Product after, Instant now) {
    if (before == null) {
      putOnSale(spec, null, now);
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

  private @Nullable Product find(ProductRef ref) {
    return switch (ref) {
      case ProductRef.Named(String name) when onSale.containsKey(name) -> onSale.get(name);
      case ProductRef.WithId(long id) when products.containsKey(id) ->
          removed.contains(id) ? null : products.get(id);
      case ProductRef.Named _, ProductRef.WithId _ -> published.find(ref);
    };
  }

  private void change(Product product) {
    products.put(product.id(), product);
    if (product.owner() == null) {
      onSale.put(product.name(), product);
    }
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

  boolean isRemoved(Product product) {
    return removed.contains(product.id());
  }

  List<Sale> sales() {
    return sales;
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

  /// The series for which an order book was recorded.
  Set<SaleSeries> orderBooks() {
    return orderBooks;
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
        case Refused refused -> refused.reason().isKept() ? Retention.ONE_DAY : Retention.NONE;
        case Imported _, Noted _ -> throw withoutKey(answer);
      };
    }

    @Override
    public CommandResult replayed(CommandResult answer) {
      return switch (answer) {
        case Sold sold -> new Sold(sold.sale(), true);
        case Changed changed -> new Changed(changed.product(), true);
        case Refused refused -> new Refused(refused.reason(), refused.message(), true);
        case Imported _, Noted _ -> throw withoutKey(answer);
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
