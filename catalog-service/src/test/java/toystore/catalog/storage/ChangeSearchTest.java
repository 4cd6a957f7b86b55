package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductDifference;
import toystore.catalog.domain.RecordedChange;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// An administrator's change of a kite, more automatic restocks than a page reads, and another
/// change of the kite.
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // opened before each test
class ChangeSearchTest {
  private static final String ZOE = "administrator, Zoë Kašpárek, page 192.0.2.1";
  private static final long LAST = ChangeSearch.MAX_READ + 301;

  @Parameter Engine engine;
  @TempDir Path folder;
  private Database database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(engine, folder, "catalog")
            .open(
                file -> SqliteFile.open(file, "db/catalog"),
                url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "catalog"),
                PostgresSchema::tryBecomeWriter);
    var changes = new ChangeStore(database);
    for (long number = 1; number <= LAST; number++) {
      boolean byZoe = number == 1 || number == LAST;
      changes.add(
          new ChangeStore.Row(
              number,
              byZoe ? change(number, ZOE, "Kite – ÉTÉ") : change(number, restock(), "Tux")));
    }
    database.commit();
  }

  private static String restock() {
    return AutomaticRestock.CHANGED_BY;
  }

  private static RecordedChange change(long second, String by, String product) {
    var after = new Product(7, null, product, "", 100, 100, 0, null, false);
    return new RecordedChange(
        Instant.ofEpochSecond(second), by, new ProductDifference(null, after));
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /// Number of the latest and of the first change, and the number of restocks.
  private record Found(long latest, long first, int restocks) {}

  private List<Found> page(ChangeSearch search, long before, int limit, long next)
      throws SQLException {
    ChangeSearch.Page page = search.page(database.queryConnection(), before, limit);
    assertThat(page.next()).isEqualTo(next);
    return page.entries().stream()
        .map(it -> new Found(it.latest().number(), it.first().number(), it.restocks()))
        .toList();
  }

  @Test
  void restocksThatFollowEachOtherAreOneEntry() throws SQLException {
    var search = new ChangeSearch("", "", true);

    assertThat(page(search, Long.MAX_VALUE, 50, 302))
        .containsExactly(new Found(LAST, LAST, 0), new Found(LAST - 1, 302, 9_999));
    assertThat(page(search, 302, 50, 0))
        .containsExactly(new Found(301, 2, 300), new Found(1, 1, 0));
  }

  @Test
  void pageEndsWithItsLimit() throws SQLException {
    var folded = new ChangeSearch("", "", true);
    assertThat(page(folded, Long.MAX_VALUE, 1, LAST)).containsExactly(new Found(LAST, LAST, 0));
    assertThat(page(folded, 302, 1, 2)).containsExactly(new Found(301, 2, 300));
    assertThat(page(folded, 2, 1, 0)).containsExactly(new Found(1, 1, 0));

    assertThat(page(new ChangeSearch("", "", false), Long.MAX_VALUE, 2, LAST - 1))
        .containsExactly(new Found(LAST, LAST, 0), new Found(LAST - 1, LAST - 1, 0));
  }

  @Test
  void changesAreFoundByPartsOfTextInAnyLetterCase() throws SQLException {
    for (var search :
        List.of(
            new ChangeSearch("kite – été", "", true),
            new ChangeSearch("e\u0301te\u0301", "", false),
            new ChangeSearch("", "zoë KAŠPÁREK", true))) {
      assertThat(page(search, Long.MAX_VALUE, 50, 302)).containsExactly(new Found(LAST, LAST, 0));
      assertThat(page(search, 302, 50, 0)).containsExactly(new Found(1, 1, 0));
    }
    assertThat(page(new ChangeSearch("tux", "zoë", true), Long.MAX_VALUE, 50, 302)).isEmpty();
  }
}
