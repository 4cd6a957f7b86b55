package toystore.catalog.domain;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import toystore.catalog.domain.Sale.SaleLine;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Answer.Done;
import toystore.platform.idempotency.Answer.NotDecided;
import toystore.platform.idempotency.Answer.Refusal;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.idempotency.Submitted;

class CatalogDeciderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Product TUX =
      new Product(1, null, "Tux", "Animals", 2599, 3, 0, null, false);
  private static final Product WHALE =
      new Product(2, null, "Whale", "Animals", 3499, 5, 0, null, false);
  private static final Product STOCK =
      new Product(3, null, "GameStart", "Stocks", 1599, 100, 0, 10L, false);

  private final Catalog catalog = new Catalog();
  private Instant now = NOW;
  private CatalogDecider decider = decider(catalog, 4);

  CatalogDeciderTest() {
    for (Product product : List.of(TUX, WHALE, STOCK)) {
      catalog.publish(product.name(), product);
    }
  }

  @Test
  void saleReducesStockAndGetsNextNumber() {
    assertThat(order("a", line("Tux", 2))).isEqualTo(sold(0, "a", new SaleLine(1, "Tux", 2, 2599)));
    assertThat(order("b", line("Tux", 1))).isEqualTo(sold(1, "b", new SaleLine(1, "Tux", 1, 2599)));
    assertThat(decider.products()).containsExactly(TUX.afterSale(SaleKind.ORDER, 3));
  }

  @Test
  void saleAboveStockIsRefusedWithoutNumber() {
    assertThat(order("a", line("Tux", 4)))
        .isEqualTo(new Refusal<>(CatalogRefusal.OUT_OF_STOCK, "\"Tux\" has 3 left, 4 wanted"));
    assertThat(order("b", line("Tux", 3))).isEqualTo(sold(0, "b", new SaleLine(1, "Tux", 3, 2599)));
  }

  @Test
  void onlyToysThatAreSoldOutWhenItIsDecidedAreRestocked() {
    var gone = new CatalogCommand.Remove(new ProductRef.Named("Whale"));
    order("a", line("Tux", 3));
    list("b", line("Whale", 5));
    assertThat(decide(gone)).isInstanceOf(Done.class);
    order("c", line("GameStart", 100));

    var command = new CatalogCommand.RestockSoldOut(List.of(1L, 1L, 2L, 3L, 99L), 100);
    Product full = TUX.withMoreUnits(97);
    assertThat(decide(new CatalogCommand.RecordedFor<>("store", command)))
        .isEqualTo(new Done<>(List.of(full)));
    assertThat(decide(command)).isEqualTo(new Done<>(List.of()));
    assertThat(decider.changes())
        .containsExactly(
            new RecordedChange(
                NOW, "store", new ProductDifference(TUX.afterSale(SaleKind.ORDER, 3), full)));
    assertThat(decider.explanations())
        .contains(
            new CatalogDecider.StockChange(1, CatalogDecider.StockChange.Kind.RESTOCK, 100, NOW));
  }

  @Test
  void linesAreSoldAllOrNone() {
    assertThat(list("a", line("Whale", 5), line("Tux", 4)))
        .isEqualTo(new Refusal<>(CatalogRefusal.OUT_OF_STOCK, "\"Tux\" has 3 left, 4 wanted"));
    assertThat(decider.products()).isEmpty();
    assertThat(list("b", line("Whale", 5), line("Tux", 3))).isInstanceOf(Done.class);
  }

  @Test
  void linesOfOneProductAreAddedUp() {
    assertThat(list("a", line("Tux", 2), line("Tux", 2)))
        .isEqualTo(new Refusal<>(CatalogRefusal.OUT_OF_STOCK, "\"Tux\" has 1 left, 2 wanted"));
  }

  @Test
  void unknownProductIsNotFound() {
    assertThat(order("a", line("Yeti", 1)))
        .isEqualTo(new Refusal<>(CatalogRefusal.PRODUCT_NOT_FOUND, "product not found"));
  }

  @Test
  void everyFormOfANameIsOneProductAlsoInOneBatch() {
    var named = new ProductRef.Named("Jose\u0301");
    assertThat(decide(new CatalogCommand.Add(spec("Jose\u0301")), "a"))
        .isEqualTo(new Done<>(spec("José").toProduct(4)));
    assertThat(decide(new CatalogCommand.Add(spec("José")), "b"))
        .returns(CatalogRefusal.NAME_TAKEN, CatalogDeciderTest::reason);
    assertThat(order("c", new RequestedSaleLine(named, 1, null)))
        .isEqualTo(sold(0, "c", new SaleLine(4, "José", 1, 100)));
    assertThat(decide(new CatalogCommand.Remove(named))).isInstanceOf(Done.class);
    assertThat(order("e", line("José", 1)))
        .returns(CatalogRefusal.PRODUCT_NOT_FOUND, CatalogDeciderTest::reason);

    catalog.publish("José", spec("José").toProduct(4));
    for (String form : List.of("José", "Jose\u0301")) {
      assertThat(order("published and then removed " + form.length(), line(form, 1)))
          .returns(CatalogRefusal.PRODUCT_NOT_FOUND, CatalogDeciderTest::reason);
    }
  }

  private static ProductSpec spec(String name) {
    return new ProductSpec(name, 100, 5, null, null);
  }

  @Test
  void nameAndIdFindTheSameProduct() {
    assertThat(list("a", line("Tux", 2), new RequestedSaleLine(new ProductRef.WithId(1), 2, null)))
        .isEqualTo(new Refusal<>(CatalogRefusal.OUT_OF_STOCK, "\"Tux\" has 1 left, 2 wanted"));
    assertThat(order("b", new RequestedSaleLine(new ProductRef.WithId(1), 3, null)))
        .isEqualTo(sold(0, "b", new SaleLine(1, "Tux", 3, 2599)));
    assertThat(order("c", new RequestedSaleLine(new ProductRef.WithId(9), 1, null)))
        .returns(CatalogRefusal.PRODUCT_NOT_FOUND, CatalogDeciderTest::reason);
  }

  @Test
  void sellersMayShareNamesAndStoreKnowsNoItem() {
    for (long seller = 1; seller <= 2; seller++) {
      assertThat(decide(tux(seller), "add " + seller))
          .isEqualTo(new Done<>(tux(seller).toProduct(3 + seller)));
    }
    var second = new RequestedSaleLine(new ProductRef.WithId(5), 1, null);

    assertThat(order("a", second))
        .returns(CatalogRefusal.PRODUCT_NOT_FOUND, CatalogDeciderTest::reason);
    assertThat(decide(purchase(second), "b"))
        .isEqualTo(
            new Done<>(
                new Sale(
                    SaleSeries.PURCHASES,
                    0,
                    key("b").stored(),
                    SaleKind.ORDER,
                    true,
                    List.of(new SaleLine(5, "Tux", 1, 100)),
                    NOW)));
    for (CatalogCommand<Product> command :
        List.of(
            new CatalogCommand.Remove(second.product()),
            new CatalogCommand.Reprice(second.product(), 1, null),
            new CatalogCommand.Restock(second.product(), 1),
            new CatalogCommand.Resume(second.product(), null, null))) {
      assertThat(decide(command))
          .returns(CatalogRefusal.PRODUCT_NOT_FOUND, CatalogDeciderTest::reason);
    }
    assertThat(order("d", line("Tux", 1)))
        .as("the shop's own product with the same name")
        .isEqualTo(sold(0, "d", new SaleLine(1, "Tux", 1, 2599)));
  }

  @Test
  void purchaseOfTheShopsOwnProductIsRefused() {
    for (RequestedSaleLine line :
        List.of(line("Tux", 1), new RequestedSaleLine(new ProductRef.WithId(1), 1, null))) {
      assertThat(decide(purchase(line), line.toString()))
          .returns(CatalogRefusal.ITEM_NOT_FOUND, CatalogDeciderTest::reason);
    }
  }

  @Test
  void onlyTheOwnerChangesAnItem() {
    decide(tux(1), "add");
    assertThat(decide(new CatalogCommand.RepriceItem(2, 4, 90, null)))
        .isEqualTo(new Refusal<>(CatalogRefusal.NOT_THE_OWNER, "item 4 belongs to another seller"));
    assertThat(decide(new CatalogCommand.RemoveUnits(2, 4, 1, null)))
        .returns(CatalogRefusal.NOT_THE_OWNER, CatalogDeciderTest::reason);
    assertThat(decide(new CatalogCommand.RemoveUnits(1, 1, 1, null)))
        .returns(CatalogRefusal.ITEM_NOT_FOUND, CatalogDeciderTest::reason);
    assertThat(decider.products()).containsExactly(tux(1).toProduct(4));

    assertThat(decide(new CatalogCommand.RepriceItem(1, 4, 90, null)))
        .isEqualTo(new Done<>(tux(1).toProduct(4).withPrice(90)));
    assertThat(decide(new CatalogCommand.RepriceItem(1, 4, 80, 100L)))
        .returns(CatalogRefusal.PRODUCT_CHANGED, CatalogDeciderTest::reason);
  }

  @Test
  void itemsAreBoundedPerSellerAndInTotal() {
    var small = new Catalog(0, new Items(3, 2));
    decider = decider(small, 4);
    Product first = done(decide(tux(1), "a")).value();
    small.items().publish(first);
    decider = decider(small, 5);

    assertThat(decide(tux(1), "b")).isInstanceOf(Done.class);
    var refused =
        new Refusal<>(
            CatalogRefusal.TOO_MANY_ITEMS,
            "a seller may have at most 2 items, sold-out items included");
    assertThat(decide(tux(1), "c")).isEqualTo(refused);
    assertThat(decide(tux(2), "d")).isInstanceOf(Done.class);
    assertThat(decide(tux(2), "e"))
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.TOO_MANY_ITEMS,
                "the marketplace may have at most 3 items, sold-out items included"));
    assertThat(decide(tux(1), "c")).as("a repeat is decided anew").isEqualTo(refused);
  }

  @Test
  void sellerRemovesNoMoreUnitsThanThereAre() {
    decide(tux(1), "add");
    assertThat(decide(new CatalogCommand.RemoveUnits(1, 4, 2, null)))
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.NOT_ENOUGH, "\"Tux\" has 1 units in stock, 2 cannot be removed"));
    assertThat(decide(new CatalogCommand.RemoveUnits(1, 4, 1, null)))
        .isEqualTo(new Done<>(tux(1).toProduct(4).withMoreUnits(-1)));
    assertThat(decider.explanations())
        .containsExactly(
            new CatalogDecider.StockChange(4, CatalogDecider.StockChange.Kind.INITIAL, 1, NOW),
            new CatalogDecider.PriceChange(4, 100, NOW),
            new CatalogDecider.StockChange(4, CatalogDecider.StockChange.Kind.REMOVED, -1, NOW));
  }

  @Test
  void purchaseIsReturnedOnceAtItsOwnPrices() {
    decide(tux(1), "add");
    decide(purchase(new RequestedSaleLine(new ProductRef.WithId(4), 1, null)), "a");
    decide(new CatalogCommand.RepriceItem(1, 4, 90, null));
    var returned =
        new Sale(
            SaleSeries.PURCHASES,
            1,
            key("b").stored(),
            SaleKind.RETURN,
            true,
            List.of(new SaleLine(4, "Tux", 1, 100)),
            NOW);

    assertThat(decide(new CatalogCommand.ReturnPurchase(0), "b")).isEqualTo(new Done<>(returned));
    assertThat(decide(new CatalogCommand.ReturnPurchase(0), "b"))
        .isEqualTo(new Done<>(returned, true));
    assertThat(decide(new CatalogCommand.ReturnPurchase(0), "c"))
        .isEqualTo(
            new Refusal<>(CatalogRefusal.ALREADY_RETURNED, "purchase 0 was already returned"));
    for (long number : List.of(1L, 2L)) {
      assertThat(decide(new CatalogCommand.ReturnPurchase(number), "d" + number))
          .returns(CatalogRefusal.PURCHASE_NOT_FOUND, CatalogDeciderTest::reason);
    }
    assertThat(decider.products()).containsExactly(tux(1).toProduct(4).withPrice(90));
    assertThat(decider.returns()).isEqualTo(Map.of(0L, 1L));
  }

  @Test
  void eachSeriesHasItsOwnNumbers() {
    decide(tux(1), "add");
    order("a", line("Tux", 1));
    decide(purchase(new RequestedSaleLine(new ProductRef.WithId(4), 1, null)), "b");
    order("c", line("Tux", 1));
    assertThat(decider.sales())
        .extracting(it -> it.series() + " " + it.number())
        .containsExactly("STORE 0", "PURCHASES 0", "STORE 1");
    assertThat(decider.nextNumbers())
        .isEqualTo(Map.of(SaleSeries.STORE, 2L, SaleSeries.PURCHASES, 1L));
  }

  @Test
  void unexpectedPriceIsRefusedAndRefusalIsStored() {
    // the quantity also exceeds max_volume
    var line = new RequestedSaleLine(new ProductRef.Named("GameStart"), 11, 1600L);
    assertThat(decide(sell(SaleKind.BUY, true, line("GameStart", 1), line), "a"))
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.PRICE_CHANGED, "\"GameStart\" costs 15.99, expected 16.00"));
    assertThat(decider.products()).isEmpty();
    decide(new CatalogCommand.Reprice(new ProductRef.Named("GameStart"), 1600, null));
    assertThat(decide(sell(SaleKind.BUY, true, line("GameStart", 1), line), "a"))
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.PRICE_CHANGED, "\"GameStart\" costs 15.99, expected 16.00", true));
  }

  @Test
  void expectedPriceIsAccepted() {
    assertThat(order("a", new RequestedSaleLine(new ProductRef.Named("Tux"), 1, 2599L)))
        .isEqualTo(sold(0, "a", new SaleLine(1, "Tux", 1, 2599)));
    assertThat(order("a", line("Tux", 1))).isEqualTo(new NotDecided<>(Answer.Cause.KEY_REUSED));
  }

  @Test
  void repeatedKeyGetsSameAnswerWithinBatch() {
    Answer<Sale, CatalogRefusal> first = order("a", line("Tux", 1));
    assertThat(order("a", line("Tux", 1))).isEqualTo(new Done<>(done(first).value(), true));
    assertThat(decider.sales()).hasSize(1);
  }

  @Test
  void repeatedKeyWithDifferentRequestIsRefused() {
    order("a", line("Tux", 1));
    assertThat(order("a", line("Tux", 2))).isEqualTo(new NotDecided<>(Answer.Cause.KEY_REUSED));
  }

  @Test
  void refusalOfClientMadeKeyIsKeptAfterRestock() {
    Answer<Sale, CatalogRefusal> first = order("a", line("Tux", 4));
    decide(new CatalogCommand.Restock(new ProductRef.Named("Tux"), 10), "r");
    assertThat(order("a", line("Tux", 4))).isEqualTo(first.again());
    assertThat(decider.keys().records())
        .first()
        .satisfies(kept -> assertThat(kept.until()).isEqualTo(NOW.plus(Duration.ofHours(24))));
  }

  @Test
  void refusalOfFrontendMadeKeyIsNotKept() {
    decide(
        sell(SaleKind.ORDER, false, line("Tux", 4)), new RequestKey("POST /orders", "made", false));
    assertThat(decider.keys().records()).isEmpty();
  }

  @Test
  void requestPastItsDeadlineIsNotDoneAndNotStored() {
    var late =
        new Submitted<>(
            sell(SaleKind.ORDER, false, line("Tux", 1)), key("a"), NOW.minusMillis(1), () -> false);
    assertThat(decide(late)).isEqualTo(new NotDecided<>(Answer.Cause.TOO_LATE));
    assertThat(decider.keys().records()).isEmpty();
    assertThat(order("a", line("Tux", 1))).isInstanceOf(Done.class);
  }

  @Test
  void cancelledRequestIsNotDone() {
    var cancelled =
        new Submitted<>(sell(SaleKind.ORDER, false, line("Tux", 1)), key("a"), null, () -> true);
    assertThat(decide(cancelled)).isEqualTo(new NotDecided<>(Answer.Cause.TOO_LATE));
    assertThat(decider.products()).isEmpty();
  }

  @Test
  void tradesIncreaseVolumeAndOrdersDoNot() {
    decide(sell(SaleKind.BUY, false, line("GameStart", 4)), "a");
    decide(sell(SaleKind.SELL, false, line("GameStart", 5)), "b");
    decide(sell(SaleKind.ORDER, false, line("GameStart", 1)), "c");
    assertThat(decider.products())
        .containsExactly(new Product(3, null, "GameStart", "Stocks", 1599, 100, 9, 10L, false));
  }

  @Test
  void tradeAboveMaxVolumeIsRefusedAndSuspendsProduct() {
    decide(sell(SaleKind.BUY, false, line("GameStart", 10)), "a");
    assertThat(decide(sell(SaleKind.BUY, false, line("GameStart", 1)), "b"))
        .returns(CatalogRefusal.SUSPENDED, CatalogDeciderTest::reason);
    assertThat(decider.products())
        .containsExactly(new Product(3, null, "GameStart", "Stocks", 1599, 90, 10, 10L, true));
    assertThat(decide(sell(SaleKind.SELL, false, line("GameStart", 1)), "c"))
        .isEqualTo(new Refusal<>(CatalogRefusal.SUSPENDED, "\"GameStart\" is suspended"));
    assertThat(order("d", line("GameStart", 1)))
        .isEqualTo(new Refusal<>(CatalogRefusal.SUSPENDED, "\"GameStart\" is suspended"));
  }

  @Test
  void onlyStocksAreTradedAndRefusalIsNotStored() {
    var refused =
        new Refusal<>(
            CatalogRefusal.NOT_A_STOCK, "\"Tux\" is not a stock; only stocks can be traded");
    assertThat(decide(sell(SaleKind.BUY, false, line("Tux", 1)), "a")).isEqualTo(refused);
    assertThat(decide(sell(SaleKind.SELL, true, line("GameStart", 1), line("Tux", 1)), "b"))
        .isEqualTo(refused);
    assertThat(decider.products()).isEmpty();
    catalog.publish("Tux", TUX.resumed(10L));
    assertThat(decide(sell(SaleKind.BUY, false, line("Tux", 1)), "a")).isInstanceOf(Done.class);
  }

  @Test
  void tradeAboveStockDoesNotSuspend() {
    assertThat(decide(sell(SaleKind.BUY, false, line("GameStart", 101)), "a"))
        .returns(CatalogRefusal.OUT_OF_STOCK, CatalogDeciderTest::reason);
    assertThat(decider.products()).isEmpty();
  }

  @Test
  void otherRefusalDoesNotSuspendEvenAboveMaxVolume() {
    catalog.publish("GameStart", STOCK.withMoreUnits(Product.STOCK_LIMIT - 100));
    assertThat(decide(sell(SaleKind.SELL, false, line("GameStart", 11)), "a"))
        .returns(CatalogRefusal.STOCK_LIMIT, CatalogDeciderTest::reason);
    assertThat(decider.products()).isEmpty();
  }

  @Test
  void unknownProductIsNotRestockedRepricedOrRemoved() {
    var unknown = new Refusal<>(CatalogRefusal.PRODUCT_NOT_FOUND, "product not found");
    assertThat(decide(new CatalogCommand.Restock(new ProductRef.Named("Yeti"), 1), "a"))
        .isEqualTo(unknown);
    assertThat(decide(new CatalogCommand.Reprice(new ProductRef.Named("Yeti"), 1, null)))
        .isEqualTo(unknown);
    assertThat(decide(new CatalogCommand.Remove(new ProductRef.Named("Yeti")))).isEqualTo(unknown);
  }

  @Test
  void restockAboveStockLimitIsRefused() {
    assertThat(
            decide(new CatalogCommand.Restock(new ProductRef.Named("Tux"), Integer.MAX_VALUE), "a"))
        .isInstanceOf(Done.class);
    decider = decider(catalog, 4);
    catalog.publish("Tux", TUX.withMoreUnits(Product.STOCK_LIMIT - 3));
    catalog.publish("GameStart", STOCK.withMoreUnits(Product.STOCK_LIMIT - 100));
    assertThat(decide(new CatalogCommand.Restock(new ProductRef.Named("Tux"), 1), "b"))
        .returns(CatalogRefusal.STOCK_LIMIT, CatalogDeciderTest::reason);
    assertThat(decide(sell(SaleKind.SELL, false, line("GameStart", 1)), "c"))
        .returns(CatalogRefusal.STOCK_LIMIT, CatalogDeciderTest::reason);
  }

  @Test
  void nameIsFreeAfterProductIsRemoved() {
    var spec = new ProductSpec("Tux", 100, 1, null, null);
    assertThat(decide(new CatalogCommand.Add(spec), "a"))
        .returns(CatalogRefusal.NAME_TAKEN, CatalogDeciderTest::reason);
    assertThat(decide(new CatalogCommand.Remove(new ProductRef.Named("Tux"))))
        .isEqualTo(new Done<>(TUX));
    assertThat(order("b", line("Tux", 1)))
        .returns(CatalogRefusal.PRODUCT_NOT_FOUND, CatalogDeciderTest::reason);
    assertThat(decide(new CatalogCommand.Add(spec), "c")).isEqualTo(new Done<>(spec.toProduct(4)));
    assertThat(decider.isRemoved(TUX)).isTrue();
  }

  @Test
  void newPriceAppliesToNextSale() {
    decide(new CatalogCommand.Reprice(new ProductRef.Named("Tux"), 100, null));
    assertThat(order("a", line("Tux", 1))).isEqualTo(sold(0, "a", new SaleLine(1, "Tux", 1, 100)));
  }

  @Test
  void priceThatTheAdministratorDidNotSeeIsNotOverwritten() {
    var tux = new ProductRef.Named("Tux");
    decide(new CatalogCommand.Reprice(tux, 239_900, 2599L));

    assertThat(decide(new CatalogCommand.Reprice(tux, 2499, 2599L)))
        .isEqualTo(
            new Refusal<>(CatalogRefusal.PRODUCT_CHANGED, "\"Tux\" costs 2399.00, expected 25.99"));
    assertThat(decider.products()).containsExactly(TUX.withPrice(239_900));
    assertThat(decide(new CatalogCommand.Reprice(tux, 2499, 239_900L)))
        .isEqualTo(new Done<>(TUX.withPrice(2499)));
  }

  @Test
  void importChangesWhatWasSeenOrNothing() {
    var name = "Crème brûlée 🧸";
    decide(new CatalogCommand.Add(new ProductSpec(name, 2399, 76, null, null)), "a");
    List<ProductSpec> specs =
        List.of(
            new ProductSpec("Tux", 100, 3, null, null),
            new ProductSpec(name, 2399, 100, null, null),
            new ProductSpec("Kašpárek", 100, 1, null, null));
    Map<String, String> seen = seen(specs);
    assertThat(seen).containsEntry(name, "quantity 76 → 100").hasSize(3);
    order("b", line(name, 5));

    var refused = decide(new CatalogCommand.Import(specs, false, seen));

    assertThat(refused)
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.PRODUCT_CHANGED,
                '"'
                    + name
                    + "\" has changed since the differences were shown: expected quantity 76 → 100,"
                    + " got quantity 71 → 100"));
    assertThat(order("c", line("Tux", 1)))
        .as("nothing was imported")
        .isEqualTo(sold(1, "c", new SaleLine(1, "Tux", 1, 2599)));
    assertThat(decide(new CatalogCommand.Import(specs, false, seen(specs))))
        .isInstanceOf(Done.class);
    assertThat(order("d", line(name, 100))).isInstanceOf(Done.class);
  }

  @Test
  void importThatWasAlreadyMadeOrFindsANewDifferenceIsRefused() {
    List<ProductSpec> specs =
        List.of(
            new ProductSpec("Tux", 100, 3, null, null),
            new ProductSpec("Whale", 3499, 5, null, null),
            new ProductSpec("Kašpárek", 100, 1, null, null));
    Map<String, String> seen = seen(specs);
    assertThat(seen).containsOnlyKeys("Tux", "Kašpárek");
    decide(new CatalogCommand.Reprice(new ProductRef.Named("Whale"), 1, null));
    assertThat(decide(new CatalogCommand.Import(specs, false, seen)))
        .returns(CatalogRefusal.PRODUCT_CHANGED, CatalogDeciderTest::reason);
    decide(new CatalogCommand.Reprice(new ProductRef.Named("Whale"), 3499, null));
    assertThat(decide(new CatalogCommand.Import(specs, false, seen))).isInstanceOf(Done.class);
    assertThat(decide(new CatalogCommand.Import(specs, false, seen)))
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.PRODUCT_CHANGED,
                "\"Tux\" has changed since the differences were shown: expected price 25.99 → 1.00,"
                    + " got no difference"));
  }

  private Map<String, String> seen(List<ProductSpec> specs) {
    var preview = (Done<?, CatalogRefusal>) decide(new CatalogCommand.Import(specs, true));
    return ((List<?>) preview.value())
        .stream()
            .map(ProductDifference.class::cast)
            .collect(
                Collectors.toMap(it -> requireNonNull(it.after()).name(), ProductDifference::text));
  }

  @Test
  void importReturnsDifferencesAndDryRunChangesNothing() {
    List<ProductSpec> specs =
        List.of(
            new ProductSpec("Tux", 2599, 1, null, null),
            new ProductSpec("Whale", 3499, 5, null, null),
            new ProductSpec("Yeti", 100, 7, "Animals", null));
    var difference =
        new Done<>(
            List.of(
                new ProductDifference(
                    TUX, new Product(1, null, "Tux", "Animals", 2599, 1, 0, null, false)),
                new ProductDifference(
                    null, new Product(4, null, "Yeti", "Animals", 100, 7, 0, null, false))));

    assertThat(decide(new CatalogCommand.Import(specs, true))).isEqualTo(difference);
    assertThat(decider.products()).isEmpty();
    assertThat(decide(new CatalogCommand.Import(specs, false))).isEqualTo(difference);
    assertThat(decider.explanations())
        .containsExactly(
            new CatalogDecider.StockChange(1, CatalogDecider.StockChange.Kind.COUNT, -2, NOW),
            new CatalogDecider.StockChange(4, CatalogDecider.StockChange.Kind.INITIAL, 7, NOW),
            new CatalogDecider.PriceChange(4, 100, NOW));
  }

  @Test
  void higherMaxVolumeLiftsSuspension() {
    decide(sell(SaleKind.BUY, false, line("GameStart", 10)), "a");
    decide(sell(SaleKind.BUY, false, line("GameStart", 1)), "b");
    var raised = new ProductSpec("GameStart", 1599, 90, null, 20L);
    decide(new CatalogCommand.Import(List.of(raised), false));
    assertThat(decide(sell(SaleKind.BUY, false, line("GameStart", 10)), "c"))
        .isInstanceOf(Done.class);
  }

  @Test
  void importWithoutHigherMaxVolumeKeepsSuspension() {
    decide(sell(SaleKind.BUY, false, line("GameStart", 11)), "a");
    var same = new ProductSpec("GameStart", 1234, 100, null, 10L);
    decide(new CatalogCommand.Import(List.of(same), false));
    assertThat(decide(sell(SaleKind.BUY, false, line("GameStart", 1)), "b"))
        .isEqualTo(new Refusal<>(CatalogRefusal.SUSPENDED, "\"GameStart\" is suspended"));
  }

  @Test
  void resumedStockIsTradedUpToMaxVolume() {
    decide(sell(SaleKind.BUY, false, line("GameStart", 9)), "a");
    decide(sell(SaleKind.BUY, false, line("GameStart", 2)), "b");

    assertThat(
            decide(new CatalogCommand.Resume(new ProductRef.Named("GameStart"), null, null), "c"))
        .isEqualTo(
            new Done<>(new Product(3, null, "GameStart", "Stocks", 1599, 91, 0, 10L, false)));
    assertThat(decider.explanations()).containsExactly(new CatalogDecider.VolumeChange(3, -9, NOW));
    assertThat(decide(sell(SaleKind.SELL, false, line("GameStart", 10)), "d"))
        .isInstanceOf(Done.class);
    assertThat(decide(sell(SaleKind.SELL, false, line("GameStart", 1)), "e"))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void suspensionIsLiftedOnlyAsTheAdministratorSawIt() {
    var gameStart = new ProductRef.Named("GameStart");
    decide(sell(SaleKind.BUY, false, line("GameStart", 9)), "a");
    decide(sell(SaleKind.BUY, false, line("GameStart", 2)), "b");

    assertThat(decide(new CatalogCommand.Resume(gameStart, 30L, 8L), "c"))
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.PRODUCT_CHANGED,
                "\"GameStart\" is suspended at volume 9, expected suspended at 8"));
    assertThat(decide(new CatalogCommand.Resume(gameStart, 20L, 9L), "d")).isInstanceOf(Done.class);
    assertThat(decide(new CatalogCommand.Resume(gameStart, null, 9L), "e"))
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.PRODUCT_CHANGED,
                "\"GameStart\" is traded at volume 9, expected suspended at 9"));
  }

  @Test
  void resumeWithMaxVolumeNotAboveVolumeIsRefused() {
    decide(sell(SaleKind.BUY, false, line("GameStart", 9)), "a");
    decide(sell(SaleKind.BUY, false, line("GameStart", 2)), "b");

    assertThat(decide(new CatalogCommand.Resume(new ProductRef.Named("GameStart"), 9L, null), "c"))
        .isEqualTo(
            new Refusal<>(
                CatalogRefusal.SUSPENDED,
                "max_volume of \"GameStart\" must be greater than its traded volume 9, got 9"));
    assertThat(decide(new CatalogCommand.Resume(new ProductRef.Named("GameStart"), 12L, null), "d"))
        .isEqualTo(
            new Done<>(new Product(3, null, "GameStart", "Stocks", 1599, 91, 9, 12L, false)));
    assertThat(decider.explanations()).isEmpty();
    assertThat(decide(new CatalogCommand.Resume(new ProductRef.Named("Yeti"), null, null), "e"))
        .isEqualTo(new Refusal<>(CatalogRefusal.PRODUCT_NOT_FOUND, "product not found"));
  }

  private static @Nullable CatalogRefusal reason(Answer<?, CatalogRefusal> answer) {
    return answer instanceof Refusal(CatalogRefusal reason, _, _) ? reason : null;
  }

  private static <T> Done<T, CatalogRefusal> done(Answer<T, CatalogRefusal> answer) {
    return (Done<T, CatalogRefusal>) answer;
  }

  private Answer<Sale, CatalogRefusal> order(String key, RequestedSaleLine line) {
    return decide(sell(SaleKind.ORDER, false, line), key);
  }

  private Answer<Sale, CatalogRefusal> list(String key, RequestedSaleLine... lines) {
    return decide(sell(SaleKind.ORDER, true, lines), key);
  }

  private <T> Answer<T, CatalogRefusal> decide(CatalogCommand<T> command, String key) {
    return decide(command, key(key));
  }

  private <T> Answer<T, CatalogRefusal> decide(CatalogCommand<T> command, RequestKey key) {
    return decide(new Submitted<>(command, key, null, () -> false));
  }

  private <T> Answer<T, CatalogRefusal> decide(CatalogCommand<T> command) {
    return decide(new Submitted<>(command));
  }

  private <T> Answer<T, CatalogRefusal> decide(
      Submitted<CatalogDecider, T, CatalogRefusal> submitted) {
    return submitted.decide(decider);
  }

  /// A decider of a catalog whose database has no keys and no purchases.
  private CatalogDecider decider(Catalog published, long nextProductId) {
    return new CatalogDecider(
        published,
        _ -> Optional.empty(),
        _ -> false,
        new BatchIdempotency<>(_ -> null, () -> now),
        Map.of(SaleSeries.STORE, 0L),
        nextProductId);
  }

  private static CatalogCommand.Sell sell(
      SaleKind kind, boolean asList, RequestedSaleLine... lines) {
    return new CatalogCommand.Sell(SaleSeries.STORE, kind, asList, List.of(lines));
  }

  private static CatalogCommand.Sell purchase(RequestedSaleLine line) {
    return new CatalogCommand.Sell(SaleSeries.PURCHASES, SaleKind.ORDER, true, List.of(line));
  }

  private static CatalogCommand.AddItem tux(long seller) {
    return new CatalogCommand.AddItem(
        "Tux", 100, 1, new Item(seller, 3, List.of("toy"), Item.Condition.USED));
  }

  private static Done<Sale, CatalogRefusal> sold(long number, String key, SaleLine line) {
    return new Done<>(
        new Sale(
            SaleSeries.STORE,
            number,
            key(key).stored(),
            SaleKind.ORDER,
            false,
            List.of(line),
            NOW));
  }

  private static RequestKey key(String value) {
    return new RequestKey("POST /orders", value, true);
  }

  private static RequestedSaleLine line(String name, long quantity) {
    return new RequestedSaleLine(name, quantity);
  }
}
