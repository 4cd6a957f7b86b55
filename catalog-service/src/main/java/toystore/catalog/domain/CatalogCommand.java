package toystore.catalog.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import toystore.platform.error.ErrorReason;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.KeyedCommand;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.Limits;

/// A command for the [CatalogDecider]. A constructor throws an [IllegalArgumentException] with what
/// was expected and what was received. A command without values has no idempotency key.
///
/// @param <T> what it makes or changes; of a removed product its last state
public sealed interface CatalogCommand<T> extends KeyedCommand<CatalogDecider, T> {

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
    public Answer<Sale> decide(CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.sell(this, key, now);
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
    public Answer<Sale> decide(CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return new Answer.Refusal<>(ErrorReason.SALE_CANCELLED, "the sale was cancelled");
    }

    @Override
    public List<Object> values() {
      return sale.values();
    }
  }

  /// Puts back into stock what a purchase took.
  ///
  /// @param saleNumber of the purchase, in series PURCHASES
  record ReturnPurchase(long saleNumber) implements CatalogCommand<Sale> {
    public ReturnPurchase {
      Limits.check("sale_number", saleNumber, 0, Long.MAX_VALUE);
    }

    @Override
    public Answer<Sale> decide(CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.returnPurchase(saleNumber, key, now);
    }

    @Override
    public List<Object> values() {
      return List.of("return", saleNumber);
    }
  }

  /// Changes one product, adds it or removes it.
  sealed interface Change extends CatalogCommand<Product> {
    @Override
    default Answer<Product> decide(CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.change(this, now);
    }
  }

  /// Puts one of the shop's own products on sale.
  record Add(ProductSpec spec) implements Change {
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

  /// Puts a seller's item on sale.
  ///
  /// @param name in NFC
  record AddItem(String name, long priceCents, long quantity, Item item) implements Change {
    public AddItem {
      name = IdentifierText.itemName(name);
      ProductSpec.checkPrice(priceCents);
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    Product toProduct(long id) {
      return new Product(id, item, name, "", priceCents, quantity, 0, null, false);
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

  /// @param expectedCents price that the seller saw; null: not compared
  record RepriceItem(long sellerId, long itemId, long priceCents, @Nullable Long expectedCents)
      implements Change {
    public RepriceItem {
      ProductSpec.checkPrice(priceCents);
    }
  }

  /// Takes units of an item out of stock without a sale.
  ///
  /// @param expectedStock units in stock that the seller saw; null: not compared
  record RemoveUnits(long sellerId, long itemId, long quantity, @Nullable Long expectedStock)
      implements Change {
    public RemoveUnits {
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }
  }

  /// Takes a product off sale.
  record Remove(ProductRef product) implements Change {}

  /// @param expectedCents price that the administrator saw; null: not compared
  record Reprice(ProductRef product, long priceCents, @Nullable Long expectedCents)
      implements Change {
    public Reprice {
      ProductSpec.checkPrice(priceCents);
    }
  }

  record Restock(ProductRef product, long quantity) implements Change {
    public Restock {
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public List<Object> values() {
      return List.of("restock", product.value(), quantity);
    }
  }

  /// Ends the suspension of a product.
  ///
  /// @param maxVolume new `max_volume`; null: it stays, and the volume restarts at 0
  /// @param expectedVolume volume of the suspended product that the administrator saw; null: not
  ///   compared
  record Resume(ProductRef product, @Nullable Long maxVolume, @Nullable Long expectedVolume)
      implements Change {
    public Resume {
      if (maxVolume != null) {
        Limits.check("max_volume", maxVolume, 1, Product.STOCK_LIMIT);
      }
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

  /// Puts units into stock of the toys that are sold out when this is decided. The others stay as
  /// they are.
  ///
  /// @param quantity units that each has then
  record RestockSoldOut(List<Long> productIds, long quantity)
      implements CatalogCommand<List<Product>> {
    /// Maximum number of products. The writer needs about 10 ms for them.
    public static final int PRODUCTS = Import.SLICE;

    public RestockSoldOut {
      Limits.check("number of products", productIds.size(), 1, PRODUCTS);
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public Answer<List<Product>> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.restockSoldOut(this, now);
    }
  }

  /// A command whose changes of the shop's own products are recorded.
  ///
  /// @param by who makes them and from where, such as `administrator, gRPC`
  record RecordedFor<T>(String by, CatalogCommand<T> command) implements CatalogCommand<T> {
    @Override
    public Answer<T> decide(CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.decideFor(by, command, key, now);
    }

    @Override
    public List<Object> values() {
      return command.values();
    }
  }

  /// Ends a session of the administrator's pages. Its key names the session. The answer to the key
  /// says that the session has ended, and is kept longer than a session lasts.
  record EndSession() implements CatalogCommand<SessionEnded> {
    private static final String SCOPE = "administrator's session";

    /// @param sessionId 1 to 255 printable ASCII characters
    public static RequestKey key(String sessionId) {
      return new RequestKey(SCOPE, sessionId, true);
    }

    @Override
    public Answer<SessionEnded> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return new Answer.Done<>(new SessionEnded());
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
  /// @param dryRun only return the differences
  /// @param seen the text of the differences that the administrator saw, by name of the product;
  ///   empty: not compared
  record Import(List<ProductSpec> specs, boolean dryRun, Map<String, String> seen)
      implements CatalogCommand<List<ProductDifference>> {
    /// Maximum number of products in an import.
    static final int PRODUCTS = 100_000;

    /// Number of products in a slice. The writer needs about 10 ms for it.
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

    /// Divides the import into smaller ones.
    public List<Import> slices() {
      return specs.stream()
          .gather(Gatherers.windowFixed(SLICE))
          .map(slice -> new Import(slice, dryRun, seen))
          .toList();
    }

    @Override
    public Answer<List<ProductDifference>> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.importAll(this, now);
    }
  }
}
