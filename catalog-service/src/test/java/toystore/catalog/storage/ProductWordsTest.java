package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.catalog.domain.Product;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// Both databases find the same products.
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // opened before each test
class ProductWordsTest {
  @Parameter Engine engine;
  @TempDir Path folder;
  private Database database;
  private ProductStore products;
  private long ids;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(engine, folder, "catalog")
            .open(
                file -> SqliteFile.open(file, "db/catalog"),
                url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "catalog"),
                PostgresSchema::tryBecomeWriter);
    products = new ProductStore(database);
    for (String name :
        List.of("Blue Tree", "Blue Train", "Tree", "Über-Bär", "Bären", "Grizzly bears")) {
      sell(name, "Plants");
    }
    sell("Dolphin", "Blue Animals");
    for (String name :
        List.of(
            "Robot v1.2",
            "Robot v1.3",
            "www.x.de",
            "İstanbul",
            "日本 robot",
            "日本語",
            "O'Neil & sons",
            "STRASSE",
            "Straße",
            "a\u0301b",
            "\u0301 mark")) {
      sell(name, "");
    }
    database.commit();
  }

  private void sell(String name, String category) throws SQLException {
    var product = new Product(++ids, null, name, category, 1, 1, 0, null, false);
    products.put(new ProductStore.Row(product, false));
    products.putWords(ids, product);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void bothEnginesFindTheSameNames() throws SQLException {
    List<String> expected =
        """
        tr blue -> Blue Train, Blue Tree
        blue -> Blue Train, Blue Tree, Dolphin
        TREES -> Blue Tree, Tree
        tree- -> Blue Tree, Tree
        ree ->
        bar -> Bären, Über-Bär
        BÄR -> Bären, Über-Bär
        uber -> Über-Bär
        bear -> Grizzly bears
        bears -> Grizzly bears
        v1.2 -> Robot v1.2
        v1 -> Robot v1.2, Robot v1.3
        1.2 ->
        2 -> Robot v1.2
        www.x.de -> www.x.de
        x -> www.x.de
        istanbul -> İstanbul
        İSTANBUL -> İstanbul
        日本 -> 日本 robot, 日本語
        日本 robot -> 日本 robot
        本 ->
        o'neil -> O'Neil & sons
        son -> O'Neil & sons
        strasse -> STRASSE
        straße -> Straße
        áb -> a\u0301b
        mark -> \u0301 mark
        ' OR 1=1 -- ->
        a & !b | (c ->
        """
            .lines()
            .toList();
    List<String> found = new ArrayList<>();
    for (String line : expected) {
      String query = line.substring(0, line.lastIndexOf(" ->"));
      List<String> names = search(query, "", "", 10);
      found.add((query + " -> " + String.join(", ", names)).strip());
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void pagesFollowTheByteOrderOfNames() throws SQLException {
    assertThat(search("tr", "Plants", "", 10)).containsExactly("Blue Train", "Blue Tree", "Tree");
    assertThat(search("tr", "", "Blue Train", 1)).containsExactly("Blue Tree");
    assertThat(search("blue", "Blue Animals", "", 10)).containsExactly("Dolphin");
    assertThat(ProductWords.count(database.queryConnection(), "tr", "")).isEqualTo(3);
    assertThat(ProductWords.count(database.queryConnection(), "tr", "Nothing")).isZero();
  }

  @Test
  void wordsOfARemovedProductAreForgottenAndThoseOfAnotherCategoryReplaced() throws SQLException {
    products.putWords(1, null);
    products.putWords(2, new Product(2, null, "Blue Train", "Rails", 1, 1, 0, null, false));
    database.commit();

    assertThat(search("blue", "", "", 10)).containsExactly("Blue Train", "Dolphin");
    assertThat(search("rail", "", "", 10)).containsExactly("Blue Train");
    assertThat(search("plants", "", "", 10)).doesNotContain("Blue Train");
  }

  @Test
  void textWithoutWordsFindsNothing() throws SQLException {
    for (String query :
        List.of(
            "",
            " ?!",
            "'",
            "''",
            "\\",
            "\u0301",
            "\u0301 \u0302",
            "\u0301\u0301\u0301!",
            "\uD800")) {
      assertThat(search(query, "", "", 10)).as(query).isEmpty();
      assertThat(ProductWords.count(database.queryConnection(), query, "")).as(query).isZero();
    }
  }

  @Test
  void longWordsAreStoredAndFound() throws SQLException {
    String name = "x".repeat(200);
    sell(name, "y".repeat(200));
    database.commit();

    assertThat(search("x".repeat(199), "", "", 10)).containsExactly(name);
    assertThat(search("x".repeat(201), "", "", 10)).isEmpty();
  }

  private List<String> search(String query, String category, String after, int limit)
      throws SQLException {
    return ProductWords.search(database.queryConnection(), query, category, after, 0, limit);
  }

  @Test
  void regularPluralHasASingular() {
    assertThat(
            Stream.of(
                    "bears", "boxes", "Brushes", "horses", "puzzles", "bunnies", "chess", "bus",
                    "bear", "S", "日本s")
                .map(ProductWords::singular))
        .containsExactly(
            "bear", "box", "Brush", "hors", "puzzle", "bunny", "chess", "bus", "bear", "S", "日本s");
  }
}
