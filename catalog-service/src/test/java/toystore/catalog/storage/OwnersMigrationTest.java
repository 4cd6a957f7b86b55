package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.domain.CatalogRefusal;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.items.Item;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.idempotency.Submitted;
import toystore.platform.storage.MigrationDataSource;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;

/// Tests the migration of a file from a version without owners. That version identified products by
/// name.
class OwnersMigrationTest {
  private static final InstantSource CLOCK = () -> Instant.ofEpochMilli(9);

  /// The hash of the sale's request, as computed by the version without owners.
  private static final String HASH_OF_SALE =
      "0bc70f3a543586233e3595e5dec00827196681cdefe3fbb51f220856fd4952ba";

  private static final String HASH_OF_RESTOCK =
      "1ccef0936e5c8966db617c645f0f905faf3f6d04ea43e59a6323fb195a9d6d3e";

  private static final Product TUX = new Product(1, null, "Tux", "", 2599, 9, 0, null, false);

  @TempDir Path folder;

  @Test
  void migratedProductsHaveNoOwnerAndOldKeysGetStoredAnswers() throws Exception {
    Path path = folder.resolve("catalog.db");
    writeWithoutOwners(path);

    try (SqliteFile file = SqliteFile.open(path, "db/catalog");
        ReadPool reader = file.readers(1, 10)) {
      var catalog = new Catalog();
      var batchStore = new CatalogBatchStore(file, catalog, CLOCK);
      assertThat(catalog.page("", "", 0, 10)).containsExactly(TUX);
      assertThat(catalog.find(1)).isEqualTo(TUX);
      try (var writer = new SingleWriter<>("owners", batchStore, 10, 10, _ -> {})) {
        assertThat(answer(writer, "k", sell()))
            .isEqualTo(
                new Answer.Done<>(
                    new Sale(
                        SaleSeries.STORE,
                        0,
                        "s\nk",
                        SaleKind.ORDER,
                        false,
                        List.of(new Sale.SaleLine(1, "Tux", 1, 2599)),
                        Instant.ofEpochMilli(7)),
                    true));
        assertThat(answer(writer, "r", new CatalogCommand.Restock(new ProductRef.Named("Tux"), 5)))
            .isEqualTo(
                new Answer.Done<>(new Product(1, null, "Tux", "", 2599, 15, 0, null, false), true));
        assertThat(answer(writer, "other", sell())).isInstanceOf(Answer.Done.class);
        assertThat(answer(writer, "taken", add()))
            .isEqualTo(
                new Answer.Refusal<>(
                    CatalogRefusal.NAME_TAKEN, "a product named \"Tux\" already exists"));
        assertThat(answer(writer, "owned", addItem())).isInstanceOf(Answer.Done.class);
      }
      assertThat(batchStore.nextNumber(SaleSeries.STORE)).isEqualTo(2);
      assertThat(new CatalogAudit(reader).run(true).toCompletableFuture().join())
          .allSatisfy(check -> assertThat(check.ok()).as(check.detail()).isTrue());
    }
  }

  private static void writeWithoutOwners(Path path) throws Exception {
    Flyway.configure()
        .dataSource(new MigrationDataSource(path))
        .locations("classpath:db/file", "classpath:db/catalog")
        .target("3")
        .load()
        .migrate();
    try (var connection = new MigrationDataSource(path).getConnection();
        var statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO product VALUES (1, 'Tux', '', 2599, 9, 0, NULL, 0, 0,"
              + " row_checksum(1, 'Tux', '', 2599, 9, 0, NULL, 0, 0))");
      statement.executeUpdate(
          "INSERT INTO stock_change VALUES (1, 1, 'INITIAL', 5, 0), (2, 1, 'RESTOCK', 5, 0)");
      statement.executeUpdate(
          "INSERT INTO sale VALUES (1, 0, 's' || char(10) || 'k', 'ORDER', 0,"
              + " '[[1,\"Tux\",1,2599]]', 7, 0)");
      statement.executeUpdate(
          String.format(
                  Locale.ROOT,
                  "INSERT INTO answer VALUES ('s' || char(10) || 'k', x'%s', 'SOLD', 0, 1, NULL, NULL, 0),",
                  HASH_OF_SALE)
              + String.format(
                  Locale.ROOT,
                  " ('s' || char(10) || 'r', x'%s', 'CHANGED', NULL, NULL,",
                  HASH_OF_RESTOCK)
              + " '[1,\"Tux\",\"\",2599,15,0,null,false]', NULL, 0)");
      statement.executeUpdate(
          "UPDATE sale SET checksum = row_checksum(series, number, key, kind, as_list, lines, time)");
      statement.executeUpdate(
          "UPDATE answer SET checksum = row_checksum("
              + "key, request_hash, outcome, number, series, detail, kept_until)");
    }
  }

  private static <T> Answer<T, CatalogRefusal> answer(
      SingleWriter<CatalogDecider> writer, String key, CatalogCommand<T> command) {
    return writer
        .submit(new Submitted<>(command, new RequestKey("s", key, true), null, () -> false))
        .toCompletableFuture()
        .join();
  }

  private static CatalogCommand<Sale> sell() {
    return new CatalogCommand.Sell(
        SaleSeries.STORE, SaleKind.ORDER, false, List.of(new RequestedSaleLine("Tux", 1)));
  }

  private static CatalogCommand<Product> add() {
    return new CatalogCommand.Add(new ProductSpec("Tux", 100, 1, null, null));
  }

  private static CatalogCommand<Product> addItem() {
    return new CatalogCommand.AddItem("Tux", 100, 1, new Item(1, 0, List.of(), Item.Condition.NEW));
  }
}
