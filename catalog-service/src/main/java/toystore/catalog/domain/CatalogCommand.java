package toystore.catalog.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import toystore.catalog.items.Item;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.KeyedCommand;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.Limits;

/// A command for the [CatalogDecider].
///
/// @param <T> what it makes or changes; of a removed product its last state
public sealed interface CatalogCommand<T> extends KeyedCommand<CatalogDecider, T, CatalogRefusal> {

  /// Sells all lines or none.
  record Sell(SaleSeries series, SaleKind kind, boolean asList, List<RequestedSaleLine> lines)
      implements CatalogCommand<Sale> {
    /// @throws IllegalArgumentException with what was expected and what was received
    public Sell {
      if (!series.kinds().contains(kind)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "kind must be one of %s in series %s, got %s",
                series.kinds(),
                series,
                kind));
      }
      Limits.check("number of lines", lines.size(), 1, Limits.MAX_LINES);
      if (!asList && lines.size() != 1) {
        throw new IllegalArgumentException("as_list must be true for a sale of more than one line");
      }
    }

    @Override
    public Answer<Sale, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
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

  /// Puts back into stock what a purchase took.
  ///
  /// @param saleNumber of the purchase, in series PURCHASES
  record ReturnPurchase(long saleNumber) implements CatalogCommand<Sale> {
    /// @throws IllegalArgumentException with what was expected and what was received
    public ReturnPurchase {
      Limits.check("sale_number", saleNumber, 0, Long.MAX_VALUE);
    }

    @Override
    public Answer<Sale, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.returnPurchase(saleNumber, key, now);
    }

    @Override
    public List<Object> values() {
      return List.of("return", saleNumber);
    }
  }

  /// Puts one of the shop's own products on sale.
  record Add(ProductSpec spec) implements CatalogCommand<Product> {
    @Override
    public Answer<Product, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.add(spec, now);
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

  /// Puts a seller's item on sale.
  ///
  /// @param name in NFC
  record AddItem(String name, long priceCents, long quantity, Item item)
      implements CatalogCommand<Product> {
    /// @throws IllegalArgumentException with what was expected and what was received
    public AddItem {
      name = IdentifierText.itemName(name);
      ProductSpec.checkPrice(priceCents);
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    Product toProduct(long id) {
      return new Product(id, item, name, "", priceCents, quantity, 0, null, false);
    }

    @Override
    public Answer<Product, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.addItem(this, now);
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

  record RepriceItem(long sellerId, long itemId, long priceCents)
      implements CatalogCommand<Product> {
    /// @throws IllegalArgumentException with what was expected and what was received
    public RepriceItem {
      ProductSpec.checkPrice(priceCents);
    }

    @Override
    public Answer<Product, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.repriceItem(this, now);
    }

    @Override
    public List<Object> values() {
      return List.of("reprice item", sellerId, itemId, priceCents);
    }
  }

  /// Takes units of an item out of stock without a sale.
  ///
  /// @param expectedStock units in stock that the seller saw; null: not compared
  record RemoveUnits(long sellerId, long itemId, long quantity, @Nullable Long expectedStock)
      implements CatalogCommand<Product> {
    /// @throws IllegalArgumentException with what was expected and what was received
    public RemoveUnits {
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public Answer<Product, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.removeUnits(this, now);
    }

    @Override
    public List<Object> values() {
      var values = new ArrayList<Object>(List.of("remove units", sellerId, itemId, quantity));
      if (expectedStock != null) { // otherwise the hash is that of earlier versions
        values.add(expectedStock);
      }
      return values;
    }
  }

  /// Takes a product off sale.
  record Remove(ProductRef product) implements CatalogCommand<Product> {
    @Override
    public Answer<Product, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.remove(product);
    }

    @Override
    public List<Object> values() {
      return List.of("remove", product.value());
    }
  }

  record Reprice(ProductRef product, long priceCents) implements CatalogCommand<Product> {
    /// @throws IllegalArgumentException with what was expected and what was received
    public Reprice {
      ProductSpec.checkPrice(priceCents);
    }

    @Override
    public Answer<Product, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.reprice(this, now);
    }

    @Override
    public List<Object> values() {
      return List.of("reprice", product.value(), priceCents);
    }
  }

  record Restock(ProductRef product, long quantity) implements CatalogCommand<Product> {
    /// @throws IllegalArgumentException with what was expected and what was received
    public Restock {
      Limits.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public Answer<Product, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.restock(this, now);
    }

    @Override
    public List<Object> values() {
      return List.of("restock", product.value(), quantity);
    }
  }

  /// Ends the suspension of a product.
  ///
  /// @param maxVolume new `max_volume`; null: it stays, and the volume restarts at 0
  record Resume(ProductRef product, @Nullable Long maxVolume) implements CatalogCommand<Product> {
    /// @throws IllegalArgumentException with what was expected and what was received
    public Resume {
      if (maxVolume != null) {
        Limits.check("max_volume", maxVolume, 1, Product.STOCK_LIMIT);
      }
    }

    @Override
    public Answer<Product, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.resume(this, now);
    }

    @Override
    public List<Object> values() {
      return List.of("resume", product.value(), String.valueOf(maxVolume));
    }
  }

  /// Adds and changes many products. It has no key, because repeating it changes nothing more.
  ///
  /// @param dryRun only return the differences
  record Import(List<ProductSpec> specs, boolean dryRun)
      implements CatalogCommand<List<CatalogDecider.Difference>> {
    /// Maximum number of products in an import.
    static final int PRODUCTS = 100_000;

    /// Number of products in a slice. The writer needs about 10 ms for it.
    static final int SLICE = 500;

    /// @throws IllegalArgumentException with what was expected and what was received
    public Import {
      Limits.check("number of products", specs.size(), 1, PRODUCTS);
      if (specs.stream().map(ProductSpec::name).distinct().count() < specs.size()) {
        throw new IllegalArgumentException("an import must not contain a product twice");
      }
    }

    /// Divides the import into smaller ones.
    public List<Import> slices() {
      var slices = new ArrayList<Import>();
      for (int from = 0; from < specs.size(); from += SLICE) {
        int to = Math.min(from + SLICE, specs.size());
        slices.add(new Import(specs.subList(from, to), dryRun));
      }
      return slices;
    }

    @Override
    public Answer<List<CatalogDecider.Difference>, CatalogRefusal> decide(
        CatalogDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.importAll(this, now);
    }

    @Override
    public List<Object> values() {
      return List.of("import", specs, dryRun);
    }
  }
}
