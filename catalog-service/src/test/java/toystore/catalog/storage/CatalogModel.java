package toystore.catalog.storage;

import static java.util.Objects.requireNonNull;
import static toystore.common.RootLocale.format;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.Item;
import toystore.catalog.domain.Items;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductDifference;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;

/// A naive catalog: one thread, no disk, no batches. Its answers are texts.
final class CatalogModel {
  private final Map<Long, Toy> toys = new TreeMap<>();
  private final Map<String, StoredAnswer> answers = new HashMap<>();
  private final Map<SaleSeries, Long> sold = new EnumMap<>(SaleSeries.class);
  private final Map<Long, Map<Toy, Long>> purchases = new HashMap<>();
  private long ids;

  private static final class Toy {
    long id;
    @Nullable Item item;
    String name = "";
    String category = "";
    long cents;
    long stock;
    long volume;
    long bound = Long.MAX_VALUE;
    boolean suspended;

    @Override
    public String toString() {
      return String.join(
          " ",
          id + " of " + (item == null ? "the shop" : item),
          name,
          category,
          cents + "¢",
          stock + " left",
          volume + " traded",
          bound == Long.MAX_VALUE ? "without bound" : "at most " + bound,
          suspended ? "suspended" : "on sale");
    }
  }

  /// @param until the end of the retention time
  private record StoredAnswer(List<Object> values, String answer, Instant until) {}

  String decide(Submitted<?, ?> request, Instant now) {
    if (request.cancelled().getAsBoolean()
        || (request.decideBy() != null && now.isAfter(request.decideBy()))) {
      return "not decided TOO_LATE";
    }
    RequestKey key = request.key();
    StoredAnswer before = key == null ? null : answers.get(key.value());
    if (before != null) {
      return before.values().equals(request.command().values())
          ? before.answer() + " true"
          : "not decided KEY_REUSED";
    }
    String answer = decide((CatalogCommand<?>) request.command());
    boolean refused = answer.startsWith("refused");
    if (key != null && !answer.equals("refused NOT_A_STOCK") && (key.clientMade() || !refused)) {
      Instant until = refused ? now.plus(Duration.ofHours(24)) : Instant.MAX;
      answers.put(key.value(), new StoredAnswer(request.command().values(), answer, until));
    }
    return answer + " false";
  }

  /// Refusals whose retention time is over.
  void forget(Instant now) {
    answers.values().removeIf(it -> it.until().isBefore(now));
  }

  long sold(SaleSeries series) {
    return sold.getOrDefault(series, 0L);
  }

  /// The highest that was ever assigned.
  long ids() {
    return ids;
  }

  Map<Long, String> shelf() {
    Map<Long, String> shelf = new TreeMap<>();
    toys.forEach((id, toy) -> shelf.put(id, toy.toString()));
    return shelf;
  }

  /// Of the shop's own toys, in name order.
  List<String> names(String category) {
    return toys.values().stream()
        .filter(it -> it.item == null && it.category.equals(category))
        .map(it -> it.name)
        .sorted()
        .toList();
  }

  /// Of items in stock with at least one of the keywords, or of all without keywords. Best match
  /// first.
  List<Long> search(int category, List<String> keywords) {
    return toys.values().stream()
        .filter(it -> it.item != null && it.stock > 0 && isOf(it.item, category))
        .filter(it -> keywords.isEmpty() || matches(it, keywords) > 0)
        .sorted(Comparator.comparing((Toy it) -> -matches(it, keywords)).thenComparing(it -> it.id))
        .map(it -> it.id)
        .toList();
  }

  private static boolean isOf(Item item, int category) {
    return category == Items.ALL_CATEGORIES || item.category() == category;
  }

  private static long matches(Toy toy, List<String> keywords) {
    return toy.item == null
        ? 0
        : toy.item.keywords().stream()
            .filter(it -> keywords.stream().anyMatch(it::equalsIgnoreCase))
            .count();
  }

  List<Long> itemsOf(long seller) {
    return toys.values().stream()
        .filter(it -> it.item != null && it.item.sellerId() == seller)
        .map(it -> it.id)
        .toList();
  }

  @Nullable Long cents(ProductRef ref) {
    Toy toy = ref instanceof ProductRef.WithId(long id) ? toys.get(id) : find(ref);
    return toy == null ? null : (Long) toy.cents;
  }

  /// In the format of [#shelf].
  static String shown(Product product) {
    var toy = new Toy();
    toy.id = product.id();
    toy.item = product.item();
    toy.name = product.name();
    toy.category = product.category();
    toy.cents = product.priceCents();
    toy.stock = product.quantity();
    toy.volume = product.volume();
    toy.bound = product.maxVolume() == null ? Long.MAX_VALUE : product.maxVolume();
    toy.suspended = product.suspended();
    return toy.toString();
  }

  /// In the format of [#decide].
  static String shown(Answer<?> answer) {
    return switch (answer) {
      case Done(Sale sale, boolean replayed) ->
          format("sold %s %d %s", sale.series(), sale.number(), replayed);
      case Done(Product product, boolean replayed) -> format("%s %s", shown(product), replayed);
      case Done(var changed, _) -> {
        List<String> texts = new ArrayList<>();
        for (Object it : (List<?>) changed) {
          texts.add(
              switch (it) {
                case Product product -> shown(product);
                case ProductDifference(Product before, Product after) ->
                    (before == null ? "" : shown(before)) + " → " + shown(requireNonNull(after));
                default -> throw new IllegalStateException("unexpected " + it);
              });
        }
        yield "changed " + texts + " false";
      }
      case Answer.Refusal(ErrorReason reason, _, boolean replayed) ->
          format("refused %s %s", reason, replayed);
      case Answer.NotDecided(Answer.Cause cause) -> "not decided " + cause;
    };
  }

  private String decide(CatalogCommand<?> command) {
    return switch (command) {
      case CatalogCommand.Add(ProductSpec spec) ->
          find(new ProductRef.Named(spec.name())) == null
              ? put(spec, null).toString()
              : "refused NAME_TAKEN";
      case CatalogCommand.AddItem it ->
          put(new ProductSpec(it.name(), it.priceCents(), it.quantity(), null, null), it.item())
              .toString();
      case CatalogCommand.RepriceItem(long seller, long id, long cents, _) ->
          changedItem(seller, id, 0, null, it -> it.cents = cents);
      case CatalogCommand.RemoveUnits(long seller, long id, long units, Long expected) ->
          changedItem(seller, id, units, expected, it -> it.stock -= units);
      case CatalogCommand.ReturnPurchase(long number) -> returnPurchase(number);
      case CatalogCommand.Restock restock ->
          changed(restock.product(), it -> it.stock += restock.quantity());
      case CatalogCommand.Reprice reprice ->
          changed(reprice.product(), it -> it.cents = reprice.priceCents());
      case CatalogCommand.Remove remove -> changed(remove.product(), it -> toys.remove(it.id));
      case CatalogCommand.Resume resume -> resume(resume.product(), resume.maxVolume());
      case CatalogCommand.Sell sell -> sell(sell);
      case CatalogCommand.CancelSale _ -> "refused SALE_CANCELLED";
      case CatalogCommand.EndSession _ -> throw new IllegalArgumentException("changes no product");
      case CatalogCommand.RestockSoldOut all -> restockSoldOut(all);
      case CatalogCommand.Import all -> importAll(all);
      case CatalogCommand.RecordedFor<?> it -> decide(it.command());
    };
  }

  private String sell(CatalogCommand.Sell sell) {
    boolean takes = sell.kind() != SaleKind.SELL;
    boolean trade = sell.kind() != SaleKind.ORDER;
    Map<Toy, Long> wanted = new HashMap<>();
    for (RequestedSaleLine line : sell.lines()) {
      boolean items = sell.series() == SaleSeries.PURCHASES;
      Toy toy = items ? item(line.product()) : find(line.product());
      if (toy == null) {
        return items ? "refused ITEM_NOT_FOUND" : "refused PRODUCT_NOT_FOUND";
      }
      if (line.expectedCents() != null && line.expectedCents() != toy.cents) {
        return "refused PRICE_CHANGED";
      }
      long all = wanted.merge(toy, line.quantity(), Long::sum);
      if (trade && toy.bound == Long.MAX_VALUE) {
        return "refused NOT_A_STOCK";
      }
      if (toy.suspended) {
        return "refused SUSPENDED";
      }
      if (takes && all > toy.stock) {
        return "refused OUT_OF_STOCK";
      }
      if (trade && toy.volume + all > toy.bound) {
        toy.suspended = true;
        return "refused SUSPENDED";
      }
    }
    wanted.forEach((toy, units) -> {
      toy.stock += takes ? -units : units;
      toy.volume += trade ? units : 0;
    });
    long number = sold.merge(sell.series(), 1L, Long::sum) - 1;
    if (sell.series() == SaleSeries.PURCHASES) {
      purchases.put(number, wanted);
    }
    return format("sold %s %d", sell.series(), number);
  }

  private String returnPurchase(long number) {
    if (!purchases.containsKey(number)) {
      return "refused ORDER_NOT_FOUND";
    }
    Map<Toy, Long> bought = purchases.put(number, Map.of());
    if (bought.isEmpty()) {
      return "refused ALREADY_RETURNED";
    }
    bought.forEach((toy, units) -> toy.stock += units);
    return "sold PURCHASES " + (sold.merge(SaleSeries.PURCHASES, 1L, Long::sum) - 1);
  }

  private String changedItem(
      long seller, long id, long removed, @Nullable Long expected, Consumer<Toy> change) {
    Toy toy = item(new ProductRef.WithId(id));
    if (toy == null || toy.item == null) {
      return "refused ITEM_NOT_FOUND";
    }
    if (toy.item.sellerId() != seller) {
      return "refused NOT_THE_OWNER";
    }
    if (expected != null && expected != toy.stock) {
      return "refused STOCK_CHANGED";
    }
    if (removed > toy.stock) {
      return "refused NOT_ENOUGH";
    }
    change.accept(toy);
    return toy.toString();
  }

  private String resume(ProductRef ref, @Nullable Long bound) {
    Toy toy = find(ref);
    if (toy != null && bound != null && bound <= toy.volume) {
      return "refused SUSPENDED";
    }
    return changed(
        ref,
        it -> {
          it.suspended = false;
          it.volume = bound == null ? 0 : it.volume;
          it.bound = bound == null ? it.bound : bound;
        });
  }

  private String restockSoldOut(CatalogCommand.RestockSoldOut all) {
    List<Toy> soldOut =
        all.productIds().stream()
            .map(it -> find(new ProductRef.WithId(it)))
            .filter(it -> it != null && it.stock == 0 && it.bound == Long.MAX_VALUE)
            .distinct()
            .toList();
    soldOut.forEach(it -> it.stock = all.quantity());
    return "changed " + soldOut;
  }

  private String importAll(CatalogCommand.Import all) {
    List<String> differences = new ArrayList<>();
    for (ProductSpec spec : all.specs()) {
      Toy known = find(new ProductRef.Named(spec.name()));
      Toy after = withSpec(known == null ? nextToy(null) : known, spec);
      if (known == null || !after.toString().equals(known.toString())) {
        differences.add((known == null ? "" : known) + " → " + after);
      }
      if (!all.dryRun()) {
        toys.put(after.id, after);
        ids = Math.max(ids, after.id);
      }
    }
    return "changed " + differences;
  }

  private Toy put(ProductSpec spec, @Nullable Item item) {
    Toy toy = withSpec(nextToy(item), spec);
    toys.put(toy.id, toy);
    ids = toy.id;
    return toy;
  }

  private Toy nextToy(@Nullable Item item) {
    var toy = new Toy();
    toy.id = ids + 1;
    toy.item = item;
    return toy;
  }

  private static Toy withSpec(Toy before, ProductSpec spec) {
    var after = new Toy();
    after.id = before.id;
    after.item = before.item;
    after.name = spec.name();
    after.category = spec.category() == null ? before.category : spec.category();
    after.cents = spec.priceCents();
    after.stock = spec.quantity();
    after.volume = before.volume;
    after.bound = spec.maxVolume() == null ? before.bound : spec.maxVolume();
    boolean raised = after.bound > before.bound && after.bound > after.volume;
    after.suspended = before.suspended && !raised;
    return after;
  }

  private String changed(ProductRef ref, Consumer<Toy> change) {
    Toy toy = find(ref);
    if (toy == null) {
      return "refused PRODUCT_NOT_FOUND";
    }
    change.accept(toy);
    return toy.toString();
  }

  private @Nullable Toy find(ProductRef ref) {
    return toys.values().stream()
        .filter(it ->
            switch (ref) {
              case ProductRef.Named(String name) -> it.item == null && it.name.equals(name);
              case ProductRef.WithId(long id) -> it.item == null && it.id == id;
            })
        .findFirst()
        .orElse(null);
  }

  private @Nullable Toy item(ProductRef ref) {
    Toy toy = ref instanceof ProductRef.WithId(long id) ? toys.get(id) : null;
    return toy == null || toy.item == null ? null : toy;
  }
}
