package toystore.catalog;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.catalog.Answer.Changed;
import toystore.catalog.Answer.Difference;
import toystore.catalog.Answer.Imported;
import toystore.catalog.Answer.Sold;
import toystore.catalog.Sale.SaleLine;

/// Decides one batch of commands: each against the published catalog and what the batch has changed
/// so far. It changes nothing but itself; what is to be written stands in it afterwards. The
/// writer's thread alone.
final class Till {
  /// How long a refusal is kept for its key.
  static final Duration REFUSALS_KEPT = Duration.ofHours(24);

  private final Catalog published;
  private final InstantSource clock;
  private long nextNumber;
  private long nextProductId;

  private final Map<String, @Nullable Product> onSale = new LinkedHashMap<>();
  private final Map<Long, Product> products = new LinkedHashMap<>();
  private final Set<Long> removed = new LinkedHashSet<>();
  private final List<Sale> sales = new ArrayList<>();
  private final List<StockChange> stockChanges = new ArrayList<>();
  private final List<PriceChange> priceChanges = new ArrayList<>();
  private final List<VolumeChange> volumeChanges = new ArrayList<>();
  private final Map<String, KeptAnswer> kept = new LinkedHashMap<>();

  /// A row that says why there is more or less in stock, other than by a sale.
  record StockChange(long productId, Kind kind, long quantity, Instant time) {
    enum Kind {
      INITIAL,
      RESTOCK,
      /// The operator counted; the quantity is the difference.
      COUNT
    }
  }

  record PriceChange(long productId, long priceCents, Instant time) {}

  /// A row that says why the volume is other than what was traded.
  record VolumeChange(long productId, long units, Instant time) {}

  Till(Catalog published, InstantSource clock, long nextNumber, long nextProductId) {
    this.published = published;
    this.clock = clock;
    this.nextNumber = nextNumber;
    this.nextProductId = nextProductId;
  }

  /// What this batch has answered a key, if it has.
  @Nullable KeptAnswer kept(Key key) {
    return kept.get(key.stored());
  }

  /// @param known what the request's key was answered before, in this batch or on disk
  Answer decide(Request request, @Nullable KeptAnswer known) {
    Instant now = clock.instant();
    if (request.cancelled().getAsBoolean()
        || (request.decideBy() != null && now.isAfter(request.decideBy()))) {
      return new Refused(Reason.TOO_LATE, "reached too late, not done");
    }
    if (known != null) {
      return repeated(request, known);
    }
    Key key = request.key();
    Answer answer = decide(request.command(), key, now);
    if (key != null) {
      keep(key, request.hash(), answer, now);
    }
    return answer;
  }

  private static Answer repeated(Request request, KeptAnswer known) {
    if (!Arrays.equals(request.hash(), known.hash())) {
      return new Refused(
          Reason.KEY_REUSED, "this Idempotency-Key was used for a request that asked otherwise");
    }
    return switch (known.answer()) {
      case Sold sold -> new Sold(sold.sale(), true);
      case Changed changed -> new Changed(changed.product(), true);
      case Refused refused -> new Refused(refused.reason(), refused.message(), true);
      case Imported _ -> throw new IllegalStateException("imports have no key");
    };
  }

  private Answer decide(Command command, @Nullable Key key, Instant now) {
    return switch (command) {
      case Command.Sell sell -> sell(sell, key, now);
      case Command.Add add -> add(add.spec(), now);
      case Command.Remove remove -> remove(remove.name());
      case Command.Reprice reprice -> reprice(reprice, now);
      case Command.Restock restock -> restock(restock, now);
      case Command.Resume resume -> resume(resume, now);
      case Command.Import all -> importAll(all, now);
    };
  }

  private Answer sell(Command.Sell sell, @Nullable Key key, Instant now) {
    if (key == null) {
      throw new IllegalStateException("a sale without a key");
    }
    Map<String, Product> after = new HashMap<>();
    List<SaleLine> lines = new ArrayList<>(sell.lines().size());
    for (Line line : sell.lines()) {
      Product earlier = after.get(line.name());
      Product product = earlier == null ? find(line.name()) : earlier;
      if (product == null) {
        return unknown();
      }
      Refused obstacle = product.obstacle(sell.kind(), line.quantity());
      if (obstacle != null) {
        if (obstacle.reason() == Reason.SUSPENDED) {
          suspend(line.name());
        }
        return obstacle;
      }
      after.put(line.name(), product.sold(sell.kind(), line.quantity()));
      lines.add(new SaleLine(product.id(), product.name(), line.quantity(), product.priceCents()));
    }
    after.values().forEach(this::change);
    var sale =
        new Sale(
            sell.series(),
            nextNumber++,
            key.stored(),
            sell.kind(),
            sell.asList(),
            List.copyOf(lines),
            now);
    sales.add(sale);
    return new Sold(sale, false);
  }

  /// A trade that would pass the volume bound is refused whole, and suspends the product.
  private void suspend(String name) {
    Product before = find(name);
    if (before != null && !before.suspended()) {
      change(before.suspend());
    }
  }

  private Answer add(ProductSpec spec, Instant now) {
    if (find(spec.name()) != null) {
      return new Refused(
          Reason.NAME_TAKEN, "there is a product named \"%s\" already".formatted(spec.name()));
    }
    return new Changed(putOnSale(spec, now), false);
  }

  private Product putOnSale(ProductSpec spec, Instant now) {
    Product product = spec.asNew(nextProductId++);
    change(product);
    stockChanges.add(
        new StockChange(product.id(), StockChange.Kind.INITIAL, product.quantity(), now));
    priceChanges.add(new PriceChange(product.id(), product.priceCents(), now));
    return product;
  }

  private Answer remove(String name) {
    Product product = find(name);
    if (product == null) {
      return unknown();
    }
    products.put(product.id(), product);
    removed.add(product.id());
    onSale.put(name, null);
    return new Changed(product, false);
  }

  private Answer reprice(Command.Reprice reprice, Instant now) {
    Product product = find(reprice.name());
    if (product == null) {
      return unknown();
    }
    Product after = product.priced(reprice.priceCents());
    change(after);
    priceChanges.add(new PriceChange(product.id(), reprice.priceCents(), now));
    return new Changed(after, false);
  }

  private Answer restock(Command.Restock restock, Instant now) {
    Product product = find(restock.name());
    if (product == null) {
      return unknown();
    }
    if (restock.quantity() > Product.STOCK_LIMIT - product.quantity()) {
      return new Refused(
          Reason.STOCK_LIMIT,
          "\"%s\" may have %d in stock at most".formatted(product.name(), Product.STOCK_LIMIT));
    }
    Product after = product.restocked(restock.quantity());
    change(after);
    stockChanges.add(
        new StockChange(product.id(), StockChange.Kind.RESTOCK, restock.quantity(), now));
    return new Changed(after, false);
  }

  private Answer resume(Command.Resume resume, Instant now) {
    Product product = find(resume.name());
    if (product == null) {
      return unknown();
    }
    Long bound = resume.maxVolume();
    if (bound != null && bound <= product.volume()) {
      return new Refused(
          Reason.SUSPENDED,
          "\"%s\" has %d traded: a bound of %d leaves nothing to trade"
              .formatted(product.name(), product.volume(), bound));
    }
    Product after = product.resumed(bound);
    change(after);
    if (after.volume() != product.volume()) {
      volumeChanges.add(new VolumeChange(product.id(), after.volume() - product.volume(), now));
    }
    return new Changed(after, false);
  }

  private Answer importAll(Command.Import all, Instant now) {
    List<Difference> differences = new ArrayList<>();
    for (ProductSpec spec : all.specs()) {
      Product before = find(spec.name());
      Product after = before == null ? spec.asNew(nextProductId) : before.stated(spec);
      if (!after.equals(before)) {
        differences.add(new Difference(before, after));
        if (!all.dryRun()) {
          state(spec, before, after, now);
        }
      }
    }
    return new Imported(differences);
  }

  private void state(ProductSpec spec, @Nullable Product before, Product after, Instant now) {
    if (before == null) {
      putOnSale(spec, now);
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

  private void keep(Key key, byte[] hash, Answer answer, Instant now) {
    switch (answer) {
      case Refused refused -> {
        if (key.clientMade() && refused.reason().isKept()) {
          put(key, hash, refused, now.plus(REFUSALS_KEPT));
        }
      }
      case Sold sold -> put(key, hash, sold, null);
      case Changed changed -> put(key, hash, changed, null);
      case Imported _ -> throw new IllegalStateException("imports have no key");
    }
  }

  private void put(Key key, byte[] hash, Answer answer, @Nullable Instant until) {
    kept.put(key.stored(), new KeptAnswer(key.stored(), hash, answer, until));
  }

  private @Nullable Product find(String name) {
    return onSale.containsKey(name) ? onSale.get(name) : published.find(name);
  }

  private void change(Product product) {
    products.put(product.id(), product);
    onSale.put(product.name(), product);
  }

  private static Refused unknown() {
    return new Refused(Reason.PRODUCT_NOT_FOUND, "product not found");
  }

  /// What bears each changed name now; null: nothing does.
  Map<String, @Nullable Product> onSale() {
    return onSale;
  }

  /// The changed products, those that were removed as they were.
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

  Iterable<KeptAnswer> keptAnswers() {
    return kept.values();
  }

  long nextNumber() {
    return nextNumber;
  }

  long nextProductId() {
    return nextProductId;
  }
}
