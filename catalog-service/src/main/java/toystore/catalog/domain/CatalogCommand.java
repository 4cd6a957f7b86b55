package toystore.catalog.domain;

import static java.util.Objects.requireNonNull;
import static toystore.catalog.domain.SaleKind.RETURN;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.CatalogUnitOfWork.PriceChange;
import toystore.catalog.domain.CatalogUnitOfWork.StockChange;
import toystore.catalog.domain.CatalogUnitOfWork.VolumeChange;
import toystore.catalog.domain.Sale.SaleLine;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.CommandContext;
import toystore.platform.journal.KeyedCommand;
import toystore.platform.journal.RequestKey;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.Limits;

/// A command of the catalog's writer. Constructors throw an [IllegalArgumentException] with what
/// was expected and what was received. A command without values has no idempotency key.
///
/// @param <T> what it makes or changes; of a removed product its last state
public sealed interface CatalogCommand<T> extends KeyedCommand<CatalogUnitOfWork, T> {

  /// Sells all lines or none.
  record Sell(SaleSeries series, SaleKind kind, boolean asList, List<RequestedSaleLine> lines)
      implements CatalogCommand<Sale> {
    public Sell {
      if (!series.kinds().contains(kind)) {
        throw Limits.invalid(
            "kind must be one of %s in series %s, got %s", series.kinds(), series, kind);
      }
      Limits.check("number of lines", lines.size(), 1, Limits.MAX_LINES);
      if (!asList && lines.size() != 1) {
        throw new IllegalArgumentException("as_list must be true for a sale of more than one line");
      }
    }

    @Override
    public Answer<Sale> decide(CatalogUnitOfWork unit, CommandContext context) {
      Map<Long, Product> after = new HashMap<>();
      List<SaleLine> sold = new ArrayList<>(lines.size());
      for (RequestedSaleLine line : lines) {
        Product before = find(unit, line.product());
        if (before == null) {
          return series == SaleSeries.STORE ? productNotFound() : itemNotFound();
        }
        Product product = after.getOrDefault(before.id(), before);
        if (line.expectedCents() != null && line.expectedCents() != product.priceCents()) {
          return product.priceDiffers(ErrorReason.PRICE_CHANGED, line.expectedCents());
        }
        Refusal<Sale> refusal = product.refusalOf(kind, line.quantity());
        if (refusal != null) {
          if (refusal.reason() == ErrorReason.SUSPENDED && !before.suspended()) {
            unit.change(before.suspend()); // its trade would exceed `max_volume`
          }
          return refusal;
        }
        after.put(product.id(), product.afterSale(kind, line.quantity()));
        sold.add(new SaleLine(product.id(), product.name(), line.quantity(), product.priceCents()));
      }
      return new Done<>(unit.sell(series, kind, asList, sold, after.values(), context));
    }

    private @Nullable Product find(CatalogUnitOfWork unit, ProductRef ref) {
      return switch (series) {
        case STORE -> unit.find(ref);
        case PURCHASES -> ref instanceof ProductRef.WithId(long id) ? unit.findItem(id) : null;
      };
    }

    @Override
    public List<Object> values() {
      var values = new ArrayList<Object>(List.of("sell", series, kind, asList));
      for (RequestedSaleLine line : lines) {
        values.add(line.product().value());
        values.add(line.amount());
      }
      return values;
    }
  }

  /// Refuses a sale from now on, if its key is new.
  record CancelSale(Sell sale) implements CatalogCommand<Sale> {
    @Override
    public Answer<Sale> decide(CatalogUnitOfWork unit, CommandContext context) {
      return new Refusal<>(ErrorReason.SALE_CANCELLED, "the sale was cancelled");
    }

    @Override
    public List<Object> values() {
      return sale.values();
    }
  }

  /// Puts back into stock what a purchase took.
  record ReturnPurchase(long saleNumber) implements CatalogCommand<Sale> {
    public ReturnPurchase {
      Limits.check("sale_number", saleNumber, 0, Long.MAX_VALUE);
    }

    @Override
    public Answer<Sale> decide(CatalogUnitOfWork unit, CommandContext context) {
      Sale purchase = unit.purchases.find(saleNumber);
      if (purchase == null || purchase.kind() == RETURN) {
        return new Refusal<>(ErrorReason.ORDER_NOT_FOUND, "purchase not found");
      }
      if (unit.returns.find(saleNumber) != null) {
        return Refusal.because(
            ErrorReason.ALREADY_RETURNED, "purchase %d was already returned", saleNumber);
      }
      Map<Long, Product> after = new HashMap<>();
      for (SaleLine line : purchase.lines()) {
        Product before = after.getOrDefault(line.productId(), unit.findItem(line.productId()));
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
          unit.sell(
              purchase.series(),
              RETURN,
              purchase.asList(),
              purchase.lines(),
              after.values(),
              context);
      unit.returns.put(saleNumber, sale.number());
      return new Done<>(sale);
    }

    @Override
    public List<Object> values() {
      return List.of("return", saleNumber);
    }
  }

  /// Changes, adds or removes one product.
  sealed interface Change extends CatalogCommand<Product> {}

  /// Changes one of the shop's own products.
  sealed interface ProductChange extends Change {
    ProductRef product();

    Answer<Product> change(Product product, CatalogUnitOfWork unit, Instant now);

    @Override
    default Answer<Product> decide(CatalogUnitOfWork unit, CommandContext context) {
      Product before = unit.find(product());
      if (before == null) {
        return productNotFound();
      }
      Answer<Product> answer = change(before, unit, context.now());
      unit.recordChange(before, unit.find(new ProductRef.WithId(before.id())), context);
      return answer;
    }
  }

  /// Changes a seller's item.
  sealed interface ItemChange extends Change {
    long sellerId();

    long itemId();

    Answer<Product> change(Product product, CatalogUnitOfWork unit, Instant now);

    @Override
    default Answer<Product> decide(CatalogUnitOfWork unit, CommandContext context) {
      Product product = unit.findItem(itemId());
      if (product == null) {
        return itemNotFound();
      }
      return requireNonNull(product.item()).sellerId() == sellerId()
          ? change(product, unit, context.now())
          : Refusal.because(
              ErrorReason.NOT_THE_OWNER, "item %d belongs to another seller", itemId());
    }
  }

  /// Adds one of the shop's own products.
  record Add(ProductSpec spec) implements Change {
    @Override
    public Answer<Product> decide(CatalogUnitOfWork unit, CommandContext context) {
      if (unit.find(spec.name()) != null) {
        return Refusal.because(
            ErrorReason.NAME_TAKEN, "a product named \"%s\" already exists", spec.name());
      }
      Product product = unit.add(spec.toProduct(unit.nextProductId()), context.now());
      unit.recordChange(null, product, context);
      return new Done<>(product);
    }

    @Override
    public List<Object> values() {
      return List.of(
          "add",
          spec.name(),
          spec.priceCents(),
          spec.quantity(),
          String.valueOf(spec.category()),
          String.valueOf(spec.maxVolume()));
    }
  }

  /// @param name in NFC
  record AddItem(String name, long priceCents, long quantity, Item item) implements Change {
    public AddItem {
      name = IdentifierText.itemName(name);
      ProductSpec.checkPrice(priceCents);
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public Answer<Product> decide(CatalogUnitOfWork unit, CommandContext context) {
      Items items = unit.items();
      long sellerId = item.sellerId();
      if (items.countOf(sellerId) + unit.addedItems(sellerId) >= items.maxOfSeller()) {
        return tooMany("a seller", items.maxOfSeller());
      }
      if (items.size() + unit.addedItems() >= items.max()) {
        return tooMany("the marketplace", items.max());
      }
      long id = unit.nextProductId();
      var product = new Product(id, item, name, "", priceCents, quantity, 0, null, false);
      return new Done<>(unit.add(product, context.now()));
    }

    private static Answer<Product> tooMany(String who, int max) {
      return Refusal.because(
          ErrorReason.TOO_MANY_ITEMS,
          "%s may have at most %d items, sold-out items included",
          who,
          max);
    }

    @Override
    public List<Object> values() {
      return List.of(
          "add item",
          item.sellerId(),
          name,
          priceCents,
          quantity,
          item.category(),
          item.keywords(),
          item.condition());
    }
  }

  /// @param expectedCents what the seller saw; null: not compared
  record RepriceItem(long sellerId, long itemId, long priceCents, @Nullable Long expectedCents)
      implements ItemChange {
    public RepriceItem {
      ProductSpec.checkPrice(priceCents);
    }

    @Override
    public Answer<Product> change(Product product, CatalogUnitOfWork unit, Instant now) {
      return reprice(product, priceCents, expectedCents, unit, now);
    }
  }

  /// Takes units out of stock without a sale.
  ///
  /// @param expectedStock what the seller saw; null: not compared
  record RemoveUnits(long sellerId, long itemId, long quantity, @Nullable Long expectedStock)
      implements ItemChange {
    public RemoveUnits {
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public Answer<Product> change(Product product, CatalogUnitOfWork unit, Instant now) {
      if (expectedStock != null && expectedStock != product.quantity()) {
        return product.refusal(
            ErrorReason.STOCK_CHANGED,
            "has %d units in stock, expected %d",
            product.quantity(),
            expectedStock);
      }
      if (quantity > product.quantity()) {
        return product.refusal(
            ErrorReason.NOT_ENOUGH,
            "has %d units in stock, %d cannot be removed",
            product.quantity(),
            quantity);
      }
      return new Done<>(unit.changeStock(product, StockChange.Kind.REMOVED, -quantity, now));
    }
  }

  /// Takes a product off sale.
  record Remove(ProductRef product) implements ProductChange {
    @Override
    public Answer<Product> change(Product it, CatalogUnitOfWork unit, Instant now) {
      unit.remove(it);
      return new Done<>(it);
    }
  }

  /// @param expectedCents what the administrator saw; null: not compared
  record Reprice(ProductRef product, long priceCents, @Nullable Long expectedCents)
      implements ProductChange {
    public Reprice {
      ProductSpec.checkPrice(priceCents);
    }

    @Override
    public Answer<Product> change(Product it, CatalogUnitOfWork unit, Instant now) {
      return reprice(it, priceCents, expectedCents, unit, now);
    }
  }

  record Restock(ProductRef product, long quantity) implements ProductChange {
    public Restock {
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public Answer<Product> change(Product it, CatalogUnitOfWork unit, Instant now) {
      return it.exceedsStockLimit(quantity)
          ? it.stockLimitReached()
          : new Done<>(unit.changeStock(it, StockChange.Kind.RESTOCK, quantity, now));
    }

    @Override
    public List<Object> values() {
      return List.of("restock", product.value(), quantity);
    }
  }

  /// Ends the suspension of a product.
  ///
  /// @param maxVolume null: it stays, and the volume restarts at 0
  /// @param expectedVolume what the administrator saw; null: not compared
  record Resume(ProductRef product, @Nullable Long maxVolume, @Nullable Long expectedVolume)
      implements ProductChange {
    public Resume {
      if (maxVolume != null) {
        Limits.check("max_volume", maxVolume, 1, Product.STOCK_LIMIT);
      }
    }

    @Override
    public Answer<Product> change(Product it, CatalogUnitOfWork unit, Instant now) {
      if (expectedVolume != null && !(it.suspended() && expectedVolume == it.volume())) {
        return Refusal.because(
            ErrorReason.PRODUCT_CHANGED,
            "\"%s\" is %s at volume %d, expected suspended at %d",
            it.name(),
            it.suspended() ? "suspended" : "traded",
            it.volume(),
            expectedVolume);
      }
      if (maxVolume != null && maxVolume <= it.volume()) {
        return Refusal.because(
            ErrorReason.SUSPENDED,
            "max_volume of \"%s\" must be greater than its traded volume %d, got %d",
            it.name(),
            it.volume(),
            maxVolume);
      }
      Product after = it.resumed(maxVolume);
      unit.change(after);
      if (after.volume() != it.volume()) {
        unit.explanations.add(new VolumeChange(it.id(), after.volume() - it.volume(), now));
      }
      return new Done<>(after);
    }

    @Override
    public List<Object> values() {
      String change = String.valueOf(maxVolume);
      return List.of(
          "resume",
          product.value(),
          expectedVolume == null ? change : change + "@" + expectedVolume);
    }
  }

  /// Fills the toys that are still sold out when this is decided.
  ///
  /// @param quantity units that each has then
  record RestockSoldOut(List<Long> productIds, long quantity)
      implements CatalogCommand<List<Product>> {
    /// The writer needs about 10 ms for them.
    public static final int PRODUCTS = Import.SLICE;

    public RestockSoldOut {
      Limits.check("number of products", productIds.size(), 1, PRODUCTS);
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public Answer<List<Product>> decide(CatalogUnitOfWork unit, CommandContext context) {
      List<Product> restocked = new ArrayList<>();
      for (long id : productIds) {
        Product before = unit.find(new ProductRef.WithId(id));
        if (before != null && before.isSoldOutToy()) {
          Product after =
              unit.changeStock(before, StockChange.Kind.RESTOCK, quantity, context.now());
          unit.recordChange(before, after, context);
          restocked.add(after);
        }
      }
      return new Done<>(restocked);
    }
  }

  /// A command whose changes of the shop's own products are recorded.
  ///
  /// @param by such as `administrator, gRPC`
  record RecordedFor<T>(String by, CatalogCommand<T> command) implements CatalogCommand<T> {
    @Override
    public Answer<T> decide(CatalogUnitOfWork unit, CommandContext context) {
      return command.decide(unit, context.madeBy(by));
    }

    @Override
    public List<Object> values() {
      return command.values();
    }
  }

  /// Ends a session of the administrator's pages, which its key names. The answer to the key says
  /// so, and is kept longer than a session lasts.
  record EndSession() implements CatalogCommand<SessionEnded> {
    private static final String SCOPE = "administrator's session";

    public static RequestKey key(String sessionId) {
      return new RequestKey(SCOPE, sessionId, true);
    }

    @Override
    public Answer<SessionEnded> decide(CatalogUnitOfWork unit, CommandContext context) {
      return new Done<>(new SessionEnded());
    }

    @Override
    public List<Object> values() {
      return List.of("end session");
    }

    @Override
    public Retention retention() {
      return Retention.ONE_DAY;
    }
  }

  record SessionEnded() {}

  /// Adds and changes many products.
  ///
  /// @param seen text of the differences that the administrator saw, by name; empty: not compared
  record Import(List<ProductSpec> specs, boolean dryRun, Map<String, String> seen)
      implements CatalogCommand<List<ProductDifference>> {
    static final int PRODUCTS = 100_000;

    /// The writer needs about 10 ms for it.
    static final int SLICE = 500;

    public Import(List<ProductSpec> specs, boolean dryRun) {
      this(specs, dryRun, Map.of());
    }

    public Import {
      Limits.check("number of products", specs.size(), 1, PRODUCTS);
      if (specs.stream().map(ProductSpec::name).distinct().count() < specs.size()) {
        throw new IllegalArgumentException("an import must not contain a product twice");
      }
    }

    public List<Import> slices() {
      return specs.stream()
          .gather(Gatherers.windowFixed(SLICE))
          .map(slice -> new Import(slice, dryRun, seen))
          .toList();
    }

    @Override
    public Answer<List<ProductDifference>> decide(CatalogUnitOfWork unit, CommandContext context) {
      if (!seen.isEmpty()) {
        for (ProductSpec spec : specs) {
          Refusal<List<ProductDifference>> refusal = refusalOf(spec, unit);
          if (refusal != null) {
            return refusal;
          }
        }
      }
      List<ProductDifference> differences = new ArrayList<>();
      for (ProductSpec spec : specs) {
        Product before = unit.find(spec.name());
        Product after = after(spec, before, unit);
        if (!after.equals(before)) {
          differences.add(new ProductDifference(before, after));
          if (!dryRun) {
            change(before, after, unit, context.now());
            unit.recordChange(before, after, context);
          }
        }
      }
      return new Done<>(differences);
    }

    private static Product after(
        ProductSpec spec, @Nullable Product before, CatalogUnitOfWork unit) {
      return before == null ? spec.toProduct(unit.nextProductId()) : before.withSpec(spec);
    }

    /// @return null if the import would change the product as was seen
    private @Nullable Refusal<List<ProductDifference>> refusalOf(
        ProductSpec spec, CatalogUnitOfWork unit) {
      Product before = unit.find(spec.name());
      Product after = after(spec, before, unit);
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

    private static void change(
        @Nullable Product before, Product after, CatalogUnitOfWork unit, Instant now) {
      if (before == null) {
        unit.add(after, now);
        return;
      }
      unit.change(after);
      if (after.quantity() != before.quantity()) {
        long difference = after.quantity() - before.quantity();
        unit.explanations.add(new StockChange(after.id(), StockChange.Kind.COUNT, difference, now));
      }
      if (after.priceCents() != before.priceCents()) {
        unit.explanations.add(new PriceChange(after.id(), after.priceCents(), now));
      }
    }
  }

  private static Answer<Product> reprice(
      Product product,
      long priceCents,
      @Nullable Long expected,
      CatalogUnitOfWork unit,
      Instant now) {
    return expected != null && expected != product.priceCents()
        ? product.priceDiffers(ErrorReason.PRODUCT_CHANGED, expected)
        : new Done<>(unit.changePrice(product, priceCents, now));
  }

  private static <T> Answer<T> itemNotFound() {
    return new Refusal<>(ErrorReason.ITEM_NOT_FOUND, "item not found");
  }

  private static <T> Answer<T> productNotFound() {
    return new Refusal<>(ErrorReason.PRODUCT_NOT_FOUND, "product not found");
  }
}
