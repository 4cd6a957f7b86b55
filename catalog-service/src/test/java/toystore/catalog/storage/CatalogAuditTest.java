package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Item;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.Database;
import toystore.platform.storage.MigrationDataSource;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// Audits a real database in which some rows were changed.
@ParameterizedClass
@MethodSource("toystore.testkit.TestDatabase#engines")
@Tag("engines")
@SuppressWarnings("NullAway.Init") // set before each test
class CatalogAuditTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  @Parameter Engine engine;
  @TempDir Path folder;
  private TestDatabase stored;
  private Database database;
  private ReadPool reader;
  private CatalogAudit audit;

  @BeforeEach
  void sellFive() throws SQLException {
    stored = new TestDatabase(engine, folder, "catalog");
    database =
        stored.open(
            file -> SqliteFile.open(file, "db/catalog"),
            url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "catalog"),
            PostgresSchema::tryBecomeWriter);
    if (engine == Engine.SQLITE) {
      MigrationDataSource.registerRowChecksum(database.queryConnection());
    }
    reader = database.readers(1, 10);
    audit = new CatalogAudit(reader);
    var batches = new CatalogBatches(database, new Catalog(), CLOCK);
    try (var writer = new SingleWriter<>("audit", database, batches, 100, 100, _ -> {}).start()) {
      writer.submit(
          recorded(new CatalogCommand.Add(new ProductSpec("Tux", 100, 10, null, 1_000L))));
      writer.submit(recorded(new CatalogCommand.Reprice(new ProductRef.Named("Tux"), 99, null)));
      for (int i = 0; i < 5; i++) {
        writer.submit(sale(i == 4 ? SaleKind.SELL : SaleKind.ORDER, "key-" + i));
      }
    }
  }

  @AfterEach
  void close() throws SQLException {
    reader.close();
    database.close();
  }

  @Test
  void auditOfUnchangedFilePasses() {
    assertThat(run(false))
        .isEqualTo(
            List.of(
                new AuditCheckResult(
                    "stock",
                    true,
                    "stock = initial stock + restocked - removed + sold back + returned - sold, for"
                        + " 1 products after 5 sales"),
                new AuditCheckResult(
                    "stock is never negative", true, "no product has a negative stock"),
                new AuditCheckResult("volume", true, "volume = units traded since the last reset"),
                new AuditCheckResult("sale numbers", true, "consecutive, checked up to 5"),
                new AuditCheckResult("one sale per key", true, "checked up to 5"),
                new AuditCheckResult("items", true, "the details of all 0 items are present"),
                new AuditCheckResult("returns", true, "0 returns, each of one purchase"),
                new AuditCheckResult(
                    "rows as written", true, "all checksums match, checked up to 5")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UPDATE product SET quantity = 8                      | stock          | Tux: 10 units added, 3 sold, so 7 expected in stock; found 8
          UPDATE stock_change SET quantity = 9                 | stock          | Tux: 9 units added, 3 sold, so 6 expected in stock; found 7
          UPDATE sale SET kind = 'ORDER' WHERE number = 4      | stock          | Tux: 10 units added, 5 sold, so 5 expected in stock; found 7
          UPDATE product SET volume = 2                        | volume         | Tux: 1 units traded, expected volume 1, found 2
          INSERT INTO volume_change (product_id, units, time) VALUES (1, -1, 0) | volume         | Tux: 1 units traded, expected volume 0, found 1
          DELETE FROM sale WHERE number IN (1, 3)              | sale numbers   | number 1 is missing
          UPDATE answer SET number = 1 WHERE number = 2        | one sale per key | the idempotency record of sale 2 is missing or names another result
          UPDATE answer SET outcome = 'CHANGED' WHERE number=2 | one sale per key | the idempotency record of sale 2 is missing or names another result
          DELETE FROM answer                                   | one sale per key | the idempotency record of sale 0 is missing or names another result
          """)
  void changedRowIsReported(String change, String check, String detail) throws SQLException {
    change(change);

    assertThat(run(false)).contains(new AuditCheckResult(check, false, detail));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DELETE FROM recorded_change WHERE number = 1         | recorded_change 1 is missing
          UPDATE recorded_change SET made_by = 'nobody' WHERE number = 2 | checksum mismatch in table recorded_change, number 2
          """)
  void changedRowOfTheRecordedChangesIsReported(String change, String detail) throws SQLException {
    assertThat(run(false)).allMatch(AuditCheckResult::ok);
    try (var statement =
        database.queryConnection().createStatement()) { // the checksums stay as they were
      statement.executeUpdate(change);
      database.queryConnection().commit();
    }

    assertThat(run(true))
        .singleElement()
        .satisfies(it -> {
          assertThat(it.name()).isEqualTo("rows as written");
          assertThat(it.ok()).isFalse();
          assertThat(it.detail()).contains(detail);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UPDATE stock_change SET quantity=-1 WHERE kind='REMOVED' | stock   | Lego: 8 units added, 3 sold, so 5 expected in stock; found 4
          UPDATE sale SET kind = 'ORDER' WHERE kind = 'RETURN'   | stock   | Lego: 7 units added, 7 sold, so 0 expected in stock; found 4
          DELETE FROM item                                       | items   | Lego: product 2 has owner 7, but its item has seller 0
          UPDATE item SET seller_id = 8                          | items   | Lego: product 2 has owner 7, but its item has seller 8
          UPDATE product SET owner = NULL WHERE id = 2           | items   | Lego: product 2 has owner 0, but its item has seller 7
          INSERT INTO item VALUES (9, 1, 0, '[]', 'NEW', 0)      | items   | no product for the items [9]
          DELETE FROM sale_return                                | returns | 1 sales are returns, but only 0 name their purchase
          UPDATE sale_return SET purchase = 1                    | returns | sale 2 is not the return of purchase 1
          UPDATE sale_return SET number = 1                      | returns | sale 1 is not the return of purchase 0
          INSERT INTO sale_return VALUES (1, 2, 0)               | returns | sale 2 is not the return of purchase 1
          UPDATE sale_line SET price_cents = 99 WHERE series = 2 AND number = 2 | returns | sale 2 is not the return of purchase 0
          """)
  void changedItemOrReturnIsReported(String change, String check, String detail)
      throws SQLException {
    buyAndReturn();
    assertThat(run(true))
        .allMatch(AuditCheckResult::ok)
        .contains(
            new AuditCheckResult("items", true, "the details of all 1 items are present"),
            new AuditCheckResult("returns", true, "1 returns, each of one purchase"));
    change(change);

    assertThat(run(true)).contains(new AuditCheckResult(check, false, detail));
  }

  private void buyAndReturn() throws SQLException {
    var batches = new CatalogBatches(database, new Catalog(), CLOCK);
    var item = new Item(7, 0, List.of("toy"), Item.Condition.NEW);
    try (var writer = new SingleWriter<>("items", database, batches, 100, 100, _ -> {}).start()) {
      writer.submit(keyed("add", new CatalogCommand.AddItem("Lego", 100, 9, item)));
      writer.submit(new Submitted<>(new CatalogCommand.RemoveUnits(7, 2, 2, null)));
      writer.submit(keyed("buy 2", purchase(2)));
      writer.submit(keyed("buy 3", purchase(3)));
      writer.submit(keyed("return 2", new CatalogCommand.ReturnPurchase(0)));
    }
  }

  private static CatalogCommand<Sale> purchase(long units) {
    var line = new RequestedSaleLine(new ProductRef.WithId(2), units, null);
    return new CatalogCommand.Sell(SaleSeries.PURCHASES, SaleKind.ORDER, true, List.of(line));
  }

  @Test
  void checkedSalesAreSkippedUntilFullAudit() throws SQLException {
    run(false);
    change("UPDATE answer SET number = 7 WHERE number = 2");

    assertThat(run(false)).allMatch(AuditCheckResult::ok);
    assertThat(run(true))
        .contains(
            new AuditCheckResult(
                "one sale per key",
                false,
                "the idempotency record of sale 2 is missing or names another result"));
    change("UPDATE answer SET number = 2 WHERE number = 7");
    assertThat(run(true)).allMatch(AuditCheckResult::ok);
  }

  @Test
  void missingLineOfASaleIsDamage() throws SQLException {
    change("DELETE FROM sale_line WHERE number = 3");

    assertThat(run(true))
        .singleElement()
        .satisfies(rows -> assertThat(rows.detail()).contains("table sale_line"))
        .returns(false, AuditCheckResult::ok);
  }

  @Test
  void auditThatCannotRunReportsReason() throws SQLException {
    reader.close();

    assertThat(run(false))
        .containsExactly(
            new AuditCheckResult(
                "rows as written", null, "service is stopping; the request was not processed"));
  }

  private List<AuditCheckResult> run(boolean full) {
    return audit.run(full).toCompletableFuture().join();
  }

  /// Changes rows and updates all checksums, as a faulty service would.
  private void change(String sql) throws SQLException {
    stored.change(
        database.queryConnection(),
        sql,
        Map.of(
            "product",
            List.of(
                "id",
                "owner",
                "name",
                "category",
                "price_cents",
                "quantity",
                "volume",
                "max_volume",
                "suspended",
                "removed"),
            "sale",
            List.of("series", "number", "key", "kind", "as_list", "lines", "time"),
            "sale_line",
            List.of("series", "number", "line", "product_id", "name", "quantity", "price_cents"),
            "answer",
            List.of("key", "request_hash", "outcome", "number", "series", "detail", "kept_until"),
            "item",
            List.of("product_id", "seller_id", "category", "keywords", "condition"),
            "sale_return",
            List.of("purchase", "number")));
  }

  private static Submitted<CatalogUnitOfWork, Sale> sale(SaleKind kind, String key) {
    var sell =
        new CatalogCommand.Sell(
            SaleSeries.STORE, kind, false, List.of(new RequestedSaleLine("Tux", 1)));
    return keyed(key, sell);
  }

  private static <T> Submitted<CatalogUnitOfWork, T> recorded(CatalogCommand<T> command) {
    return new Submitted<>(new CatalogCommand.RecordedFor<>("administrator, gRPC", command));
  }

  private static <T> Submitted<CatalogUnitOfWork, T> keyed(String key, CatalogCommand<T> command) {
    return new Submitted<>(command, new RequestKey("s", key, true), null, () -> false);
  }
}
