package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.domain.CatalogRefusal;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.items.Item;
import toystore.catalog.items.PostingIndex;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.idempotency.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.MigrationDataSource;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;

/// Tests the migration of a file from a version without items. In that version, the administrator
/// could add products with an owner.
class ItemsMigrationTest {
  private static final InstantSource CLOCK = InstantSource.system();

  private static final Product TUX = new Product(1, null, "Tux", "", 2599, 9, 0, null, false);
  private static final Product OWNED =
      new Product(
          2, new Item(3, 0, List.of(), Item.Condition.USED), "Tux", "", 100, 4, 0, null, false);

  @TempDir Path folder;

  @Test
  void productsWithAnOwnerBecomeUsedItemsInCategoryZero() throws Exception {
    Path path = folder.resolve("catalog.db");
    writeWithoutItems(path);

    try (SqliteFile file = SqliteFile.open(path, "db/catalog");
        ReadPool reader = file.readers(1, 10)) {
      var catalog = new Catalog();
      var batchStore = new CatalogBatchStore(file, catalog, CLOCK);
      assertThat(catalog.page("", "", 0, 10)).containsExactly(TUX);
      assertThat(catalog.items().ofSeller(3, 0, 10)).containsExactly(OWNED);
      assertThat(catalog.items().search(0, List.of(), null, 10))
          .containsExactly(new PostingIndex.Match(1, 2));
      assertThat(JsonColumns.product(detail(file, "added"))).isEqualTo(OWNED);
      assertThat(detail(file, "damaged")).isEqualTo("no JSON");
      try (var writer = new SingleWriter<>("items", batchStore, 10, 10, _ -> {})) {
        assertThat(answer(writer, "added", new CatalogCommand.ReturnPurchase(9)))
            .as("a different request with a known key")
            .isEqualTo(new Answer.NotDecided<>(Answer.Cause.KEY_REUSED));
        assertThat(answer(writer, "back", new CatalogCommand.ReturnPurchase(0)))
            .isInstanceOf(Answer.Done.class);
      }
      assertThat(catalog.items().find(2)).isEqualTo(OWNED.afterSale(SaleKind.RETURN, 1));
      assertThat(new CatalogAudit(reader).run(false).toCompletableFuture().join())
          .allMatch(AuditCheckResult::ok);
    }
  }

  private static String detail(SqliteFile file, String key) throws SQLException {
    try (var statement =
        file.writing().prepareStatement("SELECT detail FROM answer WHERE key = ?")) {
      statement.setString(1, "s\n" + key);
      try (var row = statement.executeQuery()) {
        return row.getString(1);
      }
    }
  }

  private static <T> Answer<T, CatalogRefusal> answer(
      SingleWriter<CatalogDecider> writer, String key, CatalogCommand<T> command) {
    return writer
        .submit(new Submitted<>(command, new RequestKey("s", key, true), null, () -> false))
        .toCompletableFuture()
        .join();
  }

  private static void writeWithoutItems(Path path) throws Exception {
    Flyway.configure()
        .dataSource(new MigrationDataSource(path))
        .locations("classpath:db/file", "classpath:db/catalog")
        .target("5")
        .load()
        .migrate();
    try (var connection = new MigrationDataSource(path).getConnection();
        var statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO product VALUES (1, 'Tux', '', 2599, 9, 0, NULL, 0, 0, 0, NULL),"
              + " (2, 'Tux', '', 100, 4, 0, NULL, 0, 0, 0, 3),"
              + " (3, 'Whale', '', 100, 1, 0, NULL, 0, 1, 0, 3)");
      statement.executeUpdate(
          "INSERT INTO stock_change VALUES (1, 1, 'INITIAL', 9, 0), (2, 2, 'INITIAL', 5, 0),"
              + " (3, 3, 'INITIAL', 1, 0)");
      statement.executeUpdate(
          "INSERT INTO sale VALUES (2, 0, 's' || char(10) || 'bought', 'ORDER', 1,"
              + " '[[2,\"Tux\",1,100]]', 7, 0)");
      statement.executeUpdate(
          "INSERT INTO answer VALUES"
              + " ('s' || char(10) || 'bought', x'00ff', 'SOLD', 0, 2, NULL, NULL, 0),"
              + " ('s' || char(10) || 'added', x'00ff', 'CHANGED', NULL, NULL,"
              + " '[2,\"Tux\",\"\",100,4,0,null,false,3]', NULL, 0),"
              + " ('s' || char(10) || 'damaged', x'00ff', 'CHANGED', NULL, NULL,"
              + " 'no JSON', NULL, 0)");
      statement.executeUpdate(
          "UPDATE product SET checksum = row_checksum(id, owner, name, category, price_cents,"
              + " quantity, volume, max_volume, suspended, removed)");
      statement.executeUpdate(
          "UPDATE sale SET checksum = row_checksum(series, number, key, kind, as_list, lines, time)");
      statement.executeUpdate(
          "UPDATE answer SET checksum = row_checksum("
              + "key, request_hash, outcome, number, series, detail, kept_until)"
              + " WHERE detail IS NOT 'no JSON'");
    }
  }
}
