package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SqliteFile;

class ChecksumsMigrationTest {
  @TempDir Path folder;

  @Test
  void migrationAddsChecksumsToExistingRows() throws Exception {
    Path path = folder.resolve("catalog.db");
    String url = "jdbc:sqlite:" + path;
    Flyway.configure()
        .dataSource(url, null, null)
        .locations("classpath:db/file", "classpath:db/catalog")
        .target("1")
        .load()
        .migrate();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO product VALUES (1, 'Tux', '', 2599, 9, 0, NULL, 0, 0)");
      statement.executeUpdate("INSERT INTO stock_change VALUES (1, 1, 'INITIAL', 10, 0)");
      statement.executeUpdate(
          "INSERT INTO sale VALUES (1, 0, 's' || char(10) || 'k', 'ORDER', 0,"
              + " '[[1,\"Tux\",1,2599]]', 7)");
      statement.executeUpdate(
          "INSERT INTO answer VALUES ('s' || char(10) || 'k', x'00ff', 'SOLD', 0, 1, NULL, NULL)");
    }

    try (SqliteFile file = SqliteFile.open(path, "db/catalog");
        ReadPool reader = file.readers(1, 10)) {
      assertThat(SaleStore.find(file.writing(), SaleSeries.STORE, 0))
          .contains(
              new Sale(
                  SaleSeries.STORE,
                  0,
                  "s\nk",
                  SaleKind.ORDER,
                  false,
                  List.of(new Sale.SaleLine(1, "Tux", 1, 2599)),
                  Instant.ofEpochMilli(7)));
      assertThat(new CatalogAudit(reader).run(true).toCompletableFuture().join())
          .allSatisfy(check -> assertThat(check.ok()).as(check.detail()).isTrue());
    }
  }
}
