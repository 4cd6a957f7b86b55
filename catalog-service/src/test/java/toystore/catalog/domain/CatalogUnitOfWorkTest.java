package toystore.catalog.domain;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.domain.Sale.SaleLine;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.NotDecided;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.IdempotencyRecord;
import toystore.platform.journal.KeyJournal;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.Database;
import toystore.platform.storage.SqliteFile;

@SuppressWarnings("NullAway.Init") // opened before the tests
class CatalogUnitOfWorkTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ChecksummedTable<IdempotencyRecord> ANSWERS =
      KeyJournal.table(
          "answer",
          List.of("outcome"),
          (row, answer) -> row.set(answer.getClass().getSimpleName()),
          row -> {
            throw new IllegalStateException("no key is stored");
          });
  private static final Product TUX =
      new Product(1, null, "Tux", "Animals", 2599, 3, 0, null, false);
  private static final Product WHALE =
      new Product(2, null, "Whale", "Animals", 3499, 5, 0, null, false);
  private static final Product STOCK =
      new Product(3, null, "GameStart", "Stocks", 1599, 100, 0, 10L, false);

  @TempDir static Path folder;
  private static Database database;

  @BeforeAll
  static void open() {
    database = SqliteFile.open(folder.resolve("catalog.db"), "db/catalog");
  }

  @AfterEach
  void rollback() {
    database.rollback();
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  private final Catalog catalog = new Catalog();
  private Instant now = NOW;
  private CatalogUnitOfWork unit = unit(catalog, 4);

  CatalogUnitOfWorkTest() {
    for (Product product : List.of(TUX, WHALE, STOCK)) {
      catalog.publish(product.name(), product);
    }
  }

  @Test
  void saleReducesStockAndGetsNextNumber() {
    assertThat(order("a", line("Tux", 2))).isEqualTo(sold(0, "a", new SaleLine(1, "Tux", 2, 2599)));
    assertThat(order("b", line("Tux", 1))).isEqualTo(sold(1, "b", new SaleLine(1, "Tux", 1, 2599)));
    assertThat(unit.products.changed().values()).containsExactly(TUX.afterSale(SaleKind.ORDER, 3));
  }

  @Test
  void linesAreSoldAllOrNone() {
    assertThat(list("a", line("Whale", 5), line("Tux", 4)))
        .isEqualTo(new Refusal<>(ErrorReason.OUT_OF_STOCK, "\"Tux\" has 3 left, 4 wanted"));
    assertThat(unit.products.changed().values()).isEmpty();
    assertThat(list("b", line("Whale", 5), line("Tux", 3))).isInstanceOf(Done.class);
  }

  @Test
  void everyFormOfANameIsOneProductAlsoInOneBatch() {
    var named = new ProductRef.Named("Jose\u0301");
    assertThat(decide(new CatalogCommand.Add(spec("Jose\u0301")), "a"))
        .isEqualTo(new Done<>(spec("José").toProduct(4)));
    assertThat(decide(new CatalogCommand.Add(spec("José")), "b"))
        .returns(ErrorReason.NAME_TAKEN, CatalogUnitOfWorkTest::reason);
    assertThat(order("c", new RequestedSaleLine(named, 1, null)))
        .isEqualTo(sold(0, "c", new SaleLine(4, "José", 1, 100)));
    assertThat(decide(new CatalogCommand.Remove(named))).isInstanceOf(Done.class);
    assertThat(order("e", line("José", 1)))
        .returns(ErrorReason.PRODUCT_NOT_FOUND, CatalogUnitOfWorkTest::reason);

    catalog.publish("José", spec("José").toProduct(4));
    for (String form : List.of("José", "Jose\u0301")) {
      assertThat(order("published and then removed " + form.length(), line(form, 1)))
          .returns(ErrorReason.PRODUCT_NOT_FOUND, CatalogUnitOfWorkTest::reason);
    }
  }

  private static ProductSpec spec(String name) {
    return new ProductSpec(name, 100, 5, null, null);
  }

  @Test
  void itemsAreBoundedPerSellerAndInTotal() {
    var small = new Catalog(new Items(3, 2));
    unit = unit(small, 4);
    Product first = done(decide(tux(1), "a")).value();
    small.items().publish(first);
    unit = unit(small, 5);

    assertThat(decide(tux(1), "b")).isInstanceOf(Done.class);
    var refused =
        new Refusal<>(
            ErrorReason.TOO_MANY_ITEMS,
            "a seller may have at most 2 items, sold-out items included");
    assertThat(decide(tux(1), "c")).isEqualTo(refused);
    assertThat(decide(tux(2), "d")).isInstanceOf(Done.class);
    assertThat(decide(tux(2), "e"))
        .isEqualTo(
            new Refusal<>(
                ErrorReason.TOO_MANY_ITEMS,
                "the marketplace may have at most 3 items, sold-out items included"));
    assertThat(decide(tux(1), "c")).as("a repeat is decided anew").isEqualTo(refused);
  }

  @Test
  void unexpectedPriceIsRefusedAndRefusalIsStored() {
    // the quantity also exceeds max_volume
    var line = new RequestedSaleLine(new ProductRef.Named("GameStart"), 11, 1600L);
    assertThat(decide(sell(SaleKind.BUY, true, line("GameStart", 1), line), "a"))
        .isEqualTo(
            new Refusal<>(ErrorReason.PRICE_CHANGED, "\"GameStart\" costs 15.99, expected 16.00"));
    assertThat(unit.products.changed().values()).isEmpty();
    decide(new CatalogCommand.Reprice(new ProductRef.Named("GameStart"), 1600, null));
    assertThat(decide(sell(SaleKind.BUY, true, line("GameStart", 1), line), "a"))
        .isEqualTo(
            new Refusal<>(
                ErrorReason.PRICE_CHANGED, "\"GameStart\" costs 15.99, expected 16.00", true));
  }

  @Test
  void keyOfAnotherQuantityOrExpectedPriceIsRefused() {
    order("a", line("Tux", 1));
    for (RequestedSaleLine other :
        List.of(line("Tux", 2), new RequestedSaleLine(new ProductRef.Named("Tux"), 1, 2599L))) {
      assertThat(order("a", other)).isEqualTo(new NotDecided<>(Answer.Cause.KEY_REUSED));
    }
  }

  @Test
  void refusalsNameTheValues() {
    decide(tux(1), "add");
    decide(sell(SaleKind.BUY, false, line("GameStart", 9)), "volume 9");
    decide(sell(SaleKind.BUY, false, line("GameStart", 2)), "above 10");
    var item = new RequestedSaleLine(new ProductRef.WithId(4), 1, null);
    decide(
        new CatalogCommand.Sell(SaleSeries.PURCHASES, SaleKind.ORDER, true, List.of(item)), "buy");
    decide(new CatalogCommand.ReturnPurchase(0), "return");
    assertThat(
            List.of(
                list("a", line("Tux", 2), line("Tux", 2)),
                order("b", line("GameStart", 1)),
                decide(new CatalogCommand.Resume(new ProductRef.Named("GameStart"), 9L, null), "c"),
                decide(new CatalogCommand.RepriceItem(2, 4, 90, null)),
                decide(new CatalogCommand.RemoveUnits(1, 4, 2, null)),
                decide(new CatalogCommand.ReturnPurchase(0), "d"),
                order("e", line("Yeti", 1))))
        .containsExactly(
            new Refusal<>(ErrorReason.OUT_OF_STOCK, "\"Tux\" has 1 left, 2 wanted"),
            new Refusal<>(ErrorReason.SUSPENDED, "\"GameStart\" is suspended"),
            new Refusal<>(
                ErrorReason.SUSPENDED,
                "max_volume of \"GameStart\" must be greater than its traded volume 9, got 9"),
            new Refusal<>(ErrorReason.NOT_THE_OWNER, "item 4 belongs to another seller"),
            new Refusal<>(
                ErrorReason.NOT_ENOUGH, "\"Tux\" has 1 units in stock, 2 cannot be removed"),
            new Refusal<>(ErrorReason.ALREADY_RETURNED, "purchase 0 was already returned"),
            new Refusal<>(ErrorReason.PRODUCT_NOT_FOUND, "product not found"));
  }

  @Test
  void refusalOfClientMadeKeyIsKeptAfterRestock() throws SQLException {
    Answer<Sale> first = order("a", line("Tux", 4));
    decide(new CatalogCommand.Restock(new ProductRef.Named("Tux"), 10), "r");
    assertThat(order("a", line("Tux", 4))).isEqualTo(first.again());
    unit.write();
    assertThat(
            ANSWERS.rows(
                database.queryConnection(), row -> row.getLong("kept_until"), "ORDER BY key"))
        .first()
        .isEqualTo(NOW.plus(Duration.ofHours(24)).toEpochMilli());
  }

  @Test
  void onlyStocksAreTradedAndRefusalIsNotStored() {
    var refused =
        new Refusal<>(ErrorReason.NOT_A_STOCK, "\"Tux\" is not a stock; only stocks can be traded");
    assertThat(decide(sell(SaleKind.BUY, false, line("Tux", 1)), "a")).isEqualTo(refused);
    assertThat(decide(sell(SaleKind.SELL, true, line("GameStart", 1), line("Tux", 1)), "b"))
        .isEqualTo(refused);
    assertThat(unit.products.changed().values()).isEmpty();
    catalog.publish("Tux", TUX.resumed(10L));
    assertThat(decide(sell(SaleKind.BUY, false, line("Tux", 1)), "a")).isInstanceOf(Done.class);
  }

  @Test
  void otherRefusalDoesNotSuspendEvenAboveMaxVolume() {
    catalog.publish("GameStart", STOCK.withMoreUnits(Product.STOCK_LIMIT - 100));
    assertThat(decide(sell(SaleKind.SELL, false, line("GameStart", 11)), "a"))
        .returns(ErrorReason.STOCK_LIMIT, CatalogUnitOfWorkTest::reason);
    assertThat(unit.products.changed().values()).isEmpty();
  }

  @Test
  void restockAboveStockLimitIsRefused() {
    assertThat(
            decide(new CatalogCommand.Restock(new ProductRef.Named("Tux"), Integer.MAX_VALUE), "a"))
        .isInstanceOf(Done.class);
    unit = unit(catalog, 4);
    catalog.publish("Tux", TUX.withMoreUnits(Product.STOCK_LIMIT - 3));
    catalog.publish("GameStart", STOCK.withMoreUnits(Product.STOCK_LIMIT - 100));
    assertThat(decide(new CatalogCommand.Restock(new ProductRef.Named("Tux"), 1), "b"))
        .returns(ErrorReason.STOCK_LIMIT, CatalogUnitOfWorkTest::reason);
    assertThat(decide(sell(SaleKind.SELL, false, line("GameStart", 1)), "c"))
        .returns(ErrorReason.STOCK_LIMIT, CatalogUnitOfWorkTest::reason);
  }

  @Test
  void priceThatTheAdministratorDidNotSeeIsNotOverwritten() {
    var tux = new ProductRef.Named("Tux");
    decide(new CatalogCommand.Reprice(tux, 239_900, 2599L));

    assertThat(decide(new CatalogCommand.Reprice(tux, 2499, 2599L)))
        .isEqualTo(
            new Refusal<>(ErrorReason.PRODUCT_CHANGED, "\"Tux\" costs 2399.00, expected 25.99"));
    assertThat(unit.products.changed().values()).containsExactly(TUX.withPrice(239_900));
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
                ErrorReason.PRODUCT_CHANGED,
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
        .returns(ErrorReason.PRODUCT_CHANGED, CatalogUnitOfWorkTest::reason);
    decide(new CatalogCommand.Reprice(new ProductRef.Named("Whale"), 3499, null));
    assertThat(decide(new CatalogCommand.Import(specs, false, seen))).isInstanceOf(Done.class);
    assertThat(decide(new CatalogCommand.Import(specs, false, seen)))
        .isEqualTo(
            new Refusal<>(
                ErrorReason.PRODUCT_CHANGED,
                "\"Tux\" has changed since the differences were shown: expected price 25.99 → 1.00,"
                    + " got no difference"));
  }

  private Map<String, String> seen(List<ProductSpec> specs) {
    var preview = (Done<?>) decide(new CatalogCommand.Import(specs, true));
    return ((List<?>) preview.value())
        .stream()
            .map(ProductDifference.class::cast)
            .collect(
                Collectors.toMap(it -> requireNonNull(it.after()).name(), ProductDifference::text));
  }

  @Test
  void resumedStockIsTradedUpToMaxVolume() {
    decide(sell(SaleKind.BUY, false, line("GameStart", 9)), "a");
    decide(sell(SaleKind.BUY, false, line("GameStart", 2)), "b");

    assertThat(
            decide(new CatalogCommand.Resume(new ProductRef.Named("GameStart"), null, null), "c"))
        .isEqualTo(
            new Done<>(new Product(3, null, "GameStart", "Stocks", 1599, 91, 0, 10L, false)));
    assertThat(unit.explanations).containsExactly(new CatalogUnitOfWork.VolumeChange(3, -9, NOW));
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
                ErrorReason.PRODUCT_CHANGED,
                "\"GameStart\" is suspended at volume 9, expected suspended at 8"));
    assertThat(decide(new CatalogCommand.Resume(gameStart, 20L, 9L), "d")).isInstanceOf(Done.class);
    assertThat(decide(new CatalogCommand.Resume(gameStart, null, 9L), "e"))
        .isEqualTo(
            new Refusal<>(
                ErrorReason.PRODUCT_CHANGED,
                "\"GameStart\" is traded at volume 9, expected suspended at 9"));
  }

  private static @Nullable ErrorReason reason(Answer<?> answer) {
    return answer instanceof Refusal(ErrorReason reason, _, _) ? reason : null;
  }

  private static <T> Done<T> done(Answer<T> answer) {
    return (Done<T>) answer;
  }

  private Answer<Sale> order(String key, RequestedSaleLine line) {
    return decide(sell(SaleKind.ORDER, false, line), key);
  }

  private Answer<Sale> list(String key, RequestedSaleLine... lines) {
    return decide(sell(SaleKind.ORDER, true, lines), key);
  }

  private <T> Answer<T> decide(CatalogCommand<T> command, String key) {
    return decide(command, key(key));
  }

  private <T> Answer<T> decide(CatalogCommand<T> command, RequestKey key) {
    return decide(new Submitted<>(command, key, null, () -> false));
  }

  private <T> Answer<T> decide(CatalogCommand<T> command) {
    return decide(new Submitted<>(command));
  }

  private <T> Answer<T> decide(Submitted<CatalogUnitOfWork, T> submitted) {
    return submitted.decide(unit);
  }

  /// A batch of a catalog whose database has no keys and no purchases.
  private CatalogUnitOfWork unit(Catalog published, long nextProductId) {
    var journal = new KeyJournal(database, ANSWERS, () -> now, false);
    return new CatalogUnitOfWork(
        published, _ -> null, _ -> null, journal, Map.of(SaleSeries.STORE, 0L), nextProductId) {
      @Override
      public void write() throws SQLException {
        journal.write();
      }

      @Override
      public void publish() {}
    };
  }

  private static CatalogCommand.Sell sell(
      SaleKind kind, boolean asList, RequestedSaleLine... lines) {
    return new CatalogCommand.Sell(SaleSeries.STORE, kind, asList, List.of(lines));
  }

  private static CatalogCommand.AddItem tux(long seller) {
    return new CatalogCommand.AddItem(
        "Tux", 100, 1, new Item(seller, 3, List.of("toy"), Item.Condition.USED));
  }

  private static Done<Sale> sold(long number, String key, SaleLine line) {
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
