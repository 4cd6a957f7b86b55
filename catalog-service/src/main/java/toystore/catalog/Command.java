package toystore.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import toystore.platform.text.IdentifierText;

/// A command for the [BatchDecider].
sealed interface Command {
  /// The values of the request. Requests with equal values are the same request.
  List<Object> values();

  /// Sells all lines or none.
  record Sell(SaleSeries series, SaleKind kind, boolean asList, List<RequestedSaleLine> lines)
      implements Command {
    /// Maximum number of lines in a sale.
    static final int LINES = 50;

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
      ProductSpec.check("number of lines", lines.size(), 1, LINES);
      if (!asList && lines.size() != 1) {
        throw new IllegalArgumentException("as_list must be true for a sale of more than one line");
      }
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
  record ReturnPurchase(long saleNumber) implements Command {
    /// @throws IllegalArgumentException with what was expected and what was received
    public ReturnPurchase {
      ProductSpec.check("sale_number", saleNumber, 0, Long.MAX_VALUE);
    }

    @Override
    public List<Object> values() {
      return List.of("return", saleNumber);
    }
  }

  /// Puts one of the shop's own products on sale.
  record Add(ProductSpec spec) implements Command {
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
  record AddItem(String name, long priceCents, long quantity, Item item) implements Command {
    /// @throws IllegalArgumentException with what was expected and what was received
    public AddItem {
      name = IdentifierText.itemName(name);
      ProductSpec.checkPrice(priceCents);
      ProductSpec.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
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

  record RepriceItem(long sellerId, long itemId, long priceCents) implements Command {
    /// @throws IllegalArgumentException with what was expected and what was received
    public RepriceItem {
      ProductSpec.checkPrice(priceCents);
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
      implements Command {
    /// @throws IllegalArgumentException with what was expected and what was received
    public RemoveUnits {
      ProductSpec.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public List<Object> values() {
      return List.of("remove units", sellerId, itemId, quantity, String.valueOf(expectedStock));
    }
  }

  /// Takes a product off sale.
  record Remove(ProductRef product) implements Command {
    @Override
    public List<Object> values() {
      return List.of("remove", product.value());
    }
  }

  record Reprice(ProductRef product, long priceCents) implements Command {
    /// @throws IllegalArgumentException with what was expected and what was received
    public Reprice {
      ProductSpec.checkPrice(priceCents);
    }

    @Override
    public List<Object> values() {
      return List.of("reprice", product.value(), priceCents);
    }
  }

  record Restock(ProductRef product, long quantity) implements Command {
    /// @throws IllegalArgumentException with what was expected and what was received
    public Restock {
      ProductSpec.check("quantity", quantity, 1, RequestedSaleLine.QUANTITY_LIMIT);
    }

    @Override
    public List<Object> values() {
      return List.of("restock", product.value(), quantity);
    }
  }

  /// Ends the suspension of a product.
  ///
  /// @param maxVolume new `max_volume`; null: it stays, and the volume restarts at 0
  record Resume(ProductRef product, @Nullable Long maxVolume) implements Command {
    /// @throws IllegalArgumentException with what was expected and what was received
    public Resume {
      if (maxVolume != null) {
        ProductSpec.check("max_volume", maxVolume, 1, Product.STOCK_LIMIT);
      }
    }

    @Override
    public List<Object> values() {
      return List.of("resume", product.value(), String.valueOf(maxVolume));
    }
  }

  /// Adds and changes many products. It has no key, because repeating it changes nothing more.
  ///
  /// @param dryRun only return the differences
  record Import(List<ProductSpec> specs, boolean dryRun) implements Command {
    /// Maximum number of products in an import.
    static final int PRODUCTS = 100_000;

    /// Number of products in a slice. The writer needs about 10 ms for it.
    static final int SLICE = 500;

    /// @throws IllegalArgumentException with what was expected and what was received
    public Import {
      ProductSpec.check("number of products", specs.size(), 1, PRODUCTS);
      if (specs.stream().map(ProductSpec::name).distinct().count() < specs.size()) {
        throw new IllegalArgumentException("an import must not contain a product twice");
      }
    }

    /// Divides the import into smaller ones.
    List<Import> slices() {
      var slices = new ArrayList<Import>();
      for (int from = 0; from < specs.size(); from += SLICE) {
        int to = Math.min(from + SLICE, specs.size());
        slices.add(new Import(specs.subList(from, to), dryRun));
      }
      return slices;
    }

    @Override
    public List<Object> values() {
      return List.of("import", specs, dryRun);
    }
  }
}
