package toystore.catalog.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.Sale.SaleLine;
import toystore.platform.journal.CommandContext;
import toystore.platform.journal.KeyJournal;
import toystore.platform.journal.KeyedUnitOfWork;
import toystore.platform.storage.ReadThrough;
import toystore.platform.text.IdentifierText;

/// What the commands of a batch read and change: the published catalog, rows, and the changes of
/// this batch. Writer's thread.
public abstract class CatalogUnitOfWork implements KeyedUnitOfWork {
  private final Catalog published;
  private final KeyJournal journal;
  private final Map<SaleSeries, Long> nextNumbers;
  private long nextProductId;

  /// Removed ones have their last state.
  protected final ReadThrough<Long, Product> products;

  /// Empty if no product has the name now.
  protected final ReadThrough<String, Optional<Product>> onSale;

  protected final ReadThrough<Long, Sale> purchases;

  /// By purchase, the number of its return.
  protected final ReadThrough<Long, Long> returns;

  protected final Set<Long> added = new HashSet<>();
  protected final Set<Long> removed = new HashSet<>();
  protected final List<Sale> sales = new ArrayList<>();
  protected final List<Explanation> explanations = new ArrayList<>();
  protected final List<RecordedChange> changes = new ArrayList<>();
  private final Map<Long, Integer> addedItems = new HashMap<>(); // by seller

  /// Explains a change of a product that is no sale.
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

  /// @param purchases finds a committed sale of series PURCHASES
  /// @param returns finds the committed return of a purchase
  protected CatalogUnitOfWork(
      Catalog published,
      ReadThrough.Source<Long, Sale> purchases,
      ReadThrough.Source<Long, Long> returns,
      KeyJournal journal,
      Map<SaleSeries, Long> nextNumbers,
      long nextProductId) {
    this.published = published;
    this.journal = journal;
    this.nextNumbers = new EnumMap<>(nextNumbers);
    this.nextProductId = nextProductId;
    this.products =
        new ReadThrough<>(id -> {
          Product own = published.find(id);
          return own == null ? published.items().find(id) : own;
        });
    this.onSale = new ReadThrough<>(name -> Optional.ofNullable(published.find(name)));
    this.purchases = new ReadThrough<>(purchases);
    this.returns = new ReadThrough<>(returns);
  }

  @Override
  public final KeyJournal journal() {
    return journal;
  }

  @Nullable Product find(ProductRef ref) {
    return switch (ref) {
      case ProductRef.Named(String name) -> find(name);
      case ProductRef.WithId(long id) -> {
        Product product = products.find(id);
        yield product == null || product.item() != null || removed.contains(id) ? null : product;
      }
    };
  }

  @Nullable Product find(String name) {
    Optional<Product> product = onSale.find(IdentifierText.normalized(name));
    return product == null ? null : product.orElse(null);
  }

  @Nullable Product findItem(long id) {
    Product product = products.find(id);
    return product == null || product.item() == null ? null : product;
  }

  Items items() {
    return published.items();
  }

  int addedItems() {
    return addedItems.values().stream().mapToInt(it -> it).sum();
  }

  int addedItems(long sellerId) {
    return addedItems.getOrDefault(sellerId, 0);
  }

  protected final long nextProductId() {
    return nextProductId;
  }

  Product add(Product product, Instant now) {
    nextProductId++;
    change(product);
    added.add(product.id());
    if (product.item() != null) {
      addedItems.merge(product.item().sellerId(), 1, Integer::sum);
    }
    explanations.add(
        new StockChange(product.id(), StockChange.Kind.INITIAL, product.quantity(), now));
    explanations.add(new PriceChange(product.id(), product.priceCents(), now));
    return product;
  }

  void change(Product product) {
    products.put(product.id(), product);
    if (product.item() == null) {
      onSale.put(product.name(), Optional.of(product));
    }
  }

  void remove(Product product) {
    products.put(product.id(), product);
    removed.add(product.id());
    onSale.put(product.name(), Optional.empty());
  }

  Product changeStock(Product product, StockChange.Kind kind, long units, Instant now) {
    Product after = product.withMoreUnits(units);
    change(after);
    explanations.add(new StockChange(product.id(), kind, units, now));
    return after;
  }

  Product changePrice(Product product, long priceCents, Instant now) {
    Product after = product.withPrice(priceCents);
    change(after);
    explanations.add(new PriceChange(product.id(), priceCents, now));
    return after;
  }

  /// Records it if the command says who makes it.
  void recordChange(@Nullable Product before, @Nullable Product after, CommandContext context) {
    if (context.by() != null && !Objects.equals(before, after)) {
      changes.add(
          new RecordedChange(context.now(), context.by(), new ProductDifference(before, after)));
    }
  }

  /// @param after the products of the lines after the sale
  Sale sell(
      SaleSeries series,
      SaleKind kind,
      boolean asList,
      List<SaleLine> lines,
      Collection<Product> after,
      CommandContext context) {
    after.forEach(this::change);
    long number = nextNumbers.merge(series, 1L, Long::sum) - 1;
    var sale =
        new Sale(
            series,
            number,
            context.requiredKey().stored(),
            kind,
            asList,
            List.copyOf(lines),
            context.now());
    sales.add(sale);
    if (series == SaleSeries.PURCHASES) {
      purchases.put(number, sale);
    }
    return sale;
  }

  protected final Map<SaleSeries, Long> nextNumbers() {
    return nextNumbers;
  }
}
