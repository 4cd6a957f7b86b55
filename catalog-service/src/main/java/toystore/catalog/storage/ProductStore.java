package toystore.catalog.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.domain.Product;
import toystore.catalog.items.Item;
import toystore.platform.storage.ChecksummedStatement;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;

/// Products and the rows that explain their stock and prices, in the catalog's database. An
/// instance writes and belongs to the writer's connection and thread. The static methods read on
/// any connection.
public final class ProductStore {
  static final ChecksummedTable<Row> PRODUCTS =
      new ChecksummedTable<>(
          "product",
          "id",
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
          ProductStore::set,
          row -> row(row, Map.of()));

  static final ChecksummedTable<ItemRow> ITEMS =
      new ChecksummedTable<>(
          "item",
          "product_id",
          List.of("product_id", "seller_id", "category", "keywords", "condition"),
          (row, it) -> {
            Item item = it.item();
            row.set(it.productId())
                .set(item.sellerId())
                .set(item.category())
                .set(JsonColumns.keywords(item))
                .set(item.condition().name());
          },
          row ->
              new ItemRow(
                  row.getLong("product_id"),
                  new Item(
                      row.getLong("seller_id"),
                      row.getInt("category"),
                      JsonColumns.keywords(row.getString("keywords")),
                      Item.Condition.valueOf(row.getString("condition")))));

  private static final String MATCHING =
      """
       FROM product_words JOIN product ON product.id = product_words.rowid
      WHERE product_words MATCH ?1 AND (?2 = '' OR product.category = ?2)
      """;

  private final ChecksummedTable<Row>.Writer products;
  private final ChecksummedTable<Row>.Writer removedProducts;
  private final ChecksummedTable<ItemRow>.Writer items;
  private final PreparedStatement dropWords;
  private final PreparedStatement putWords;
  private final PreparedStatement addStockChange;
  private final PreparedStatement addPriceChange;
  private final PreparedStatement addVolumeChange;

  /// A product's row.
  ///
  /// @param removed whether the product is no longer on sale
  record Row(Product product, boolean removed) {}

  /// An item's row. It never changes.
  record ItemRow(long productId, Item item) {}

  ProductStore(Connection writing) throws SQLException {
    items = ITEMS.inserts(writing);
    products =
        PRODUCTS.upserts(
            writing,
            List.of("category", "price_cents", "quantity", "volume", "max_volume", "suspended"));
    removedProducts = PRODUCTS.upserts(writing);
    dropWords = writing.prepareStatement("DELETE FROM product_words WHERE rowid = ?");
    putWords =
        writing.prepareStatement(
            "INSERT INTO product_words (rowid, name, category) VALUES (?, ?, ?)");
    addStockChange =
        writing.prepareStatement(
            "INSERT INTO stock_change (product_id, kind, quantity, time) VALUES (?, ?, ?, ?)");
    addPriceChange =
        writing.prepareStatement(
            "INSERT INTO price_change (product_id, price_cents, time) VALUES (?, ?, ?)");
    addVolumeChange =
        writing.prepareStatement(
            "INSERT INTO volume_change (product_id, units, time) VALUES (?, ?, ?)");
  }

  /// Adds a product, or replaces its row. Only the removal of a product changes its entry in the
  /// index of names.
  void put(Row row) throws SQLException {
    (row.removed() ? removedProducts : products).put(row);
  }

  void add(long productId, Item item) throws SQLException {
    items.put(new ItemRow(productId, item));
  }

  /// Adds the name and category of one of the shop's own products to the search index; null removes
  /// them.
  void putWords(long productId, @Nullable Product product) throws SQLException {
    execute(dropWords, productId);
    if (product != null) {
      execute(putWords, productId, product.name(), product.category());
    }
  }

  void add(CatalogDecider.StockChange change) throws SQLException {
    execute(
        addStockChange,
        change.productId(),
        change.kind().name(),
        change.quantity(),
        change.time().toEpochMilli());
  }

  void add(CatalogDecider.PriceChange change) throws SQLException {
    execute(addPriceChange, change.productId(), change.priceCents(), change.time().toEpochMilli());
  }

  void add(CatalogDecider.VolumeChange change) throws SQLException {
    execute(addVolumeChange, change.productId(), change.units(), change.time().toEpochMilli());
  }

  private static void execute(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    statement.executeUpdate();
  }

  /// All products that ever existed, in order of their ids.
  ///
  /// @throws CorruptDataException if a row is damaged
  static List<Row> all(Connection connection) throws SQLException {
    Map<Long, Item> items = new HashMap<>();
    for (ItemRow row : ITEMS.rows(connection, "")) {
      items.put(row.productId(), row.item());
    }
    return PRODUCTS.rows(connection, row -> row(row, items), "ORDER BY id");
  }

  /// Returns the names, in order, of at most `limit` products on sale that follow `after` and match
  /// all words, without the first `skip` of them.
  ///
  /// @param category empty: all
  public static List<String> search(
      Connection connection, String query, String category, String after, int skip, int limit)
      throws SQLException {
    String words = asPrefixes(query);
    var names = new ArrayList<String>();
    if (words.isEmpty()) {
      return names;
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT product.name"
                + MATCHING
                + " AND product.name > ?3 ORDER BY product.name LIMIT ?4 OFFSET ?5")) {
      statement.setString(1, words);
      statement.setString(2, category);
      statement.setString(3, after);
      statement.setInt(4, limit);
      statement.setInt(5, skip);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
    }
    return names;
  }

  /// Returns the number of products on sale that match all words.
  public static long count(Connection connection, String query, String category)
      throws SQLException {
    String words = asPrefixes(query);
    if (words.isEmpty()) {
      return 0;
    }
    try (PreparedStatement statement = connection.prepareStatement("SELECT count(*)" + MATCHING)) {
      statement.setString(1, words);
      statement.setString(2, category);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.getLong(1);
      }
    }
  }

  /// `blue bunnies` → `"blue" * AND ("bunnies" * OR "bunny" *)`: FTS5 finds rows that have each
  /// word, or its singular, or a word that begins with one of them.
  private static String asPrefixes(String query) {
    return words(query).stream().map(ProductStore::asPrefix).collect(Collectors.joining(" AND "));
  }

  private static String asPrefix(String word) {
    String singular = singular(word);
    String prefix = '"' + singular + "\" *";
    return word.startsWith(singular) ? prefix : "(\"" + word + "\" * OR " + prefix + ")";
  }

  /// The words of a query. Other characters than letters, digits and marks separate them, as in
  /// FTS5.
  public static List<String> words(String query) {
    return Arrays.stream(query.split("[^\\p{L}\\p{N}\\p{M}]+"))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /// The singular of a regular English plural; any other word as it is. A stemming tokenizer would
  /// find more, but no beginnings of words: `buildin` would not find `Building`.
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

  private static void set(ChecksummedStatement row, Row it) throws SQLException {
    Product product = it.product();
    row.set(product.id())
        .set(product.item() == null ? null : (Long) product.item().sellerId())
        .set(product.name())
        .set(product.category())
        .set(product.priceCents())
        .set(product.quantity())
        .set(product.volume())
        .set(product.maxVolume())
        .set(product.suspended())
        .set(it.removed());
  }

  /// @param items the items by product
  private static Row row(ResultSet row, Map<Long, Item> items) throws SQLException {
    long id = row.getLong("id");
    Item item = items.get(id);
    Long owner = orNull(row, "owner");
    if (!Objects.equals(owner, item == null ? null : item.sellerId())) {
      throw new CorruptDataException(
          String.format(
              Locale.ROOT,
              "damaged table: product %d has owner %s, but its row in table item is %s",
              id,
              owner,
              item == null ? "missing" : "of seller " + item.sellerId()));
    }
    var product =
        new Product(
            id,
            item,
            row.getString("name"),
            row.getString("category"),
            row.getLong("price_cents"),
            row.getLong("quantity"),
            row.getLong("volume"),
            orNull(row, "max_volume"),
            row.getBoolean("suspended"));
    return new Row(product, row.getBoolean("removed"));
  }

  private static @Nullable Long orNull(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : Long.valueOf(value);
  }
}
