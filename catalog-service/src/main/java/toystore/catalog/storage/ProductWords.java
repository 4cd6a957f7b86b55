package toystore.catalog.storage;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.Product;
import toystore.platform.storage.Database;
import toystore.platform.storage.Dialect;
import toystore.platform.storage.WriterStatement;

/// The search index of the shop's own products on sale: FTS5 in SQLite, a GIN index in PostgreSQL.
/// An instance writes and belongs to the writer's thread; the static methods read on any
/// connection.
///
/// Both find a row that has each word of a query, its singular, or a word that begins with one of
/// them, without case and diacritics. Words are separated here: PostgreSQL's parser keeps `v1.2` as
/// one.
public final class ProductWords {
  private static final String MATCHING_SQLITE =
      """
       FROM product_words JOIN product ON product.id = product_words.rowid
      WHERE product_words MATCH ? AND (? = '' OR product.category = ?)
      """;

  private static final String MATCHING_POSTGRESQL =
      """
       FROM product_words JOIN product ON product.id = product_words.product_id
      WHERE product_words.words @@ CAST(? AS tsquery) AND (? = '' OR product.category = ?)
      """;

  private final Dialect dialect;
  private final WriterStatement delete;
  private final WriterStatement insert;

  ProductWords(Database database) {
    dialect = database.dialect();
    delete =
        database.statement(
            dialect == Dialect.SQLITE
                ? "DELETE FROM product_words WHERE rowid = ?"
                : "DELETE FROM product_words WHERE product_id = ?");
    insert =
        database.statement(
            dialect == Dialect.SQLITE
                ? "INSERT INTO product_words (rowid, name, category) VALUES (?, ?, ?)"
                : "INSERT INTO product_words VALUES (?, array_to_tsvector(string_to_array(?, '"
                    + " ')))");
  }

  /// For a database whose products were copied. The caller commits.
  public static void rebuild(Database database) throws SQLException {
    var index = new ProductWords(database);
    try (Statement statement = database.queryConnection().createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT id, name, category FROM product WHERE removed = 0 AND owner IS NULL")) {
      while (row.next()) {
        index.insert(row.getLong(1), row.getString(2), row.getString(3));
      }
    }
    database.flush();
  }

  /// Null removes the words.
  void put(long productId, @Nullable Product product) throws SQLException {
    delete.set(productId).add();
    if (product != null) {
      insert(productId, product.name(), product.category());
    }
  }

  private void insert(long productId, String name, String category) throws SQLException {
    if (dialect == Dialect.SQLITE) {
      insert.set(productId).set(name).set(category).add();
    } else {
      String words = lexemes(name + " " + category).collect(Collectors.joining(" "));
      insert.set(productId).set(words).add();
    }
  }

  /// Names, in order, of products on sale that match all words.
  ///
  /// @param category empty: all
  /// @param skip number of products left out after `after`
  public static List<String> search(
      Connection connection, String query, String category, String after, int skip, int limit)
      throws SQLException {
    Dialect dialect = Dialect.of(connection);
    String page = " AND product.name > ? ORDER BY product.name LIMIT ? OFFSET ?";
    Object[] values = {asPrefixes(query, dialect), category, category, after, limit, skip};
    return ProductStore.select(
        connection,
        row -> row.getString(1),
        "SELECT product.name" + matching(dialect) + page,
        values);
  }

  public static long count(Connection connection, String query, String category)
      throws SQLException {
    Dialect dialect = Dialect.of(connection);
    Object[] values = {asPrefixes(query, dialect), category, category};
    return ProductStore.select(
            connection, row -> row.getLong(1), "SELECT count(*)" + matching(dialect), values)
        .getFirst();
  }

  private static String matching(Dialect dialect) {
    return dialect == Dialect.SQLITE ? MATCHING_SQLITE : MATCHING_POSTGRESQL;
  }

  /// `blue bunnies` → `"blue" * AND ("bunnies" * OR "bunny" *)`, or the same as a `tsquery`.
  /// Without words it finds nothing.
  private static String asPrefixes(String query, Dialect dialect) {
    String all =
        (dialect == Dialect.SQLITE ? words(query).stream() : lexemes(query))
            .map(word -> asPrefix(word, dialect))
            .collect(Collectors.joining(dialect == Dialect.SQLITE ? " AND " : " & "));
    return all.isEmpty() && dialect == Dialect.SQLITE ? "\"\"" : all;
  }

  private static String asPrefix(String word, Dialect dialect) {
    String singular = singular(word);
    String prefix = prefix(singular, dialect);
    if (word.startsWith(singular)) {
      return prefix;
    }
    String or = dialect == Dialect.SQLITE ? " OR " : " | ";
    return "(" + prefix(word, dialect) + or + prefix + ")";
  }

  private static String prefix(String word, Dialect dialect) {
    return dialect == Dialect.SQLITE ? '"' + word + "\" *" : "'" + word + "':*";
  }

  /// Without case and diacritics, as FTS5 compares them.
  private static Stream<String> lexemes(String text) {
    return words(text).stream()
        .map(word -> Normalizer.normalize(word, Normalizer.Form.NFD).replaceAll("\\p{M}+", ""))
        .filter(word -> !word.isEmpty()) // it was a diacritic alone
        .map(word -> word.toLowerCase(Locale.ROOT));
  }

  /// Other characters than letters, digits and marks separate them, as in FTS5.
  public static List<String> words(String query) {
    return Arrays.stream(query.split("[^\\p{L}\\p{N}\\p{M}]+"))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /// Of a regular English plural; any other word as it is. A stemming tokenizer would find more,
  /// but no beginnings: `buildin` would not find `Building`.
  static String singular(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    if (lower.length() < 4 || !lower.endsWith("s") || lower.endsWith("ss")) {
      return word;
    }
    if (lower.endsWith("ies")) {
      return word.substring(0, word.length() - 3) + "y";
    }
    boolean twoLetters = Stream.of("ses", "xes", "zes", "ches", "shes").anyMatch(lower::endsWith);
    return word.substring(0, word.length() - (twoLetters ? 2 : 1));
  }
}
