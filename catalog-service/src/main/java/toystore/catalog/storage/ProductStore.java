package toystore.catalog.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.CatalogUnitOfWork.PriceChange;
import toystore.catalog.domain.CatalogUnitOfWork.StockChange;
import toystore.catalog.domain.CatalogUnitOfWork.VolumeChange;
import toystore.catalog.domain.Item;
import toystore.catalog.domain.Product;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;
import toystore.platform.storage.WriterStatement;

/// Products and the rows that explain their stock and prices. An instance writes and belongs to the
/// writer's thread; the static methods read on any connection.
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

  private final ChecksummedTable<Row>.Writer products;
  private final ChecksummedTable<Row>.Writer removedProducts;
  private final ChecksummedTable<ItemRow>.Writer items;
  private final ProductWords words;
  private final WriterStatement addStockChange;
  private final WriterStatement addPriceChange;
  private final WriterStatement addVolumeChange;

  /// @param removed whether it is no longer on sale
  record Row(Product product, boolean removed) {}

  /// It never changes.
  record ItemRow(long productId, Item item) {}

  ProductStore(Database database) {
    items = ITEMS.inserts(database);
    products =
        PRODUCTS.upserts(
            database,
            List.of("category", "price_cents", "quantity", "volume", "max_volume", "suspended"));
    removedProducts = PRODUCTS.upserts(database);
    words = new ProductWords(database);
    addStockChange =
        database.statement(
            "INSERT INTO stock_change (product_id, kind, quantity, time) VALUES (?, ?, ?, ?)");
    addPriceChange =
        database.statement(
            "INSERT INTO price_change (product_id, price_cents, time) VALUES (?, ?, ?)");
    addVolumeChange =
        database.statement("INSERT INTO volume_change (product_id, units, time) VALUES (?, ?, ?)");
  }

  /// Only a removal changes the entry in the index of names.
  void put(Row row) throws SQLException {
    (row.removed() ? removedProducts : products).put(row);
  }

  void add(long productId, Item item) throws SQLException {
    items.put(new ItemRow(productId, item));
  }

  /// Null removes them.
  void putWords(long productId, @Nullable Product product) throws SQLException {
    words.put(productId, product);
  }

  void add(CatalogUnitOfWork.Explanation explanation) throws SQLException {
    switch (explanation) {
      case StockChange(long product, StockChange.Kind kind, long quantity, Instant time) ->
          addStockChange.add(product, kind.name(), quantity, time.toEpochMilli());
      case PriceChange(long product, long cents, Instant time) ->
          addPriceChange.add(product, cents, time.toEpochMilli());
      case VolumeChange(long product, long units, Instant time) ->
          addVolumeChange.add(product, units, time.toEpochMilli());
    }
  }

  /// All that ever existed, in order of their ids.
  ///
  /// @throws CorruptDataException if a row is damaged
  static List<Row> all(Connection connection) throws SQLException {
    Map<Long, Item> items = new HashMap<>();
    for (ItemRow row : ITEMS.rows(connection, "")) {
      items.put(row.productId(), row.item());
    }
    return PRODUCTS.rows(connection, row -> row(row, items), "ORDER BY id");
  }

  static <T> List<T> select(
      Connection connection, ChecksummedTable.Mapping<T> mapping, String query, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        var rows = new ArrayList<T>();
        while (row.next()) {
          rows.add(mapping.read(row));
        }
        return rows;
      }
    }
  }

  private static void set(WriterStatement row, Row it) throws SQLException {
    Product product = it.product();
    row.set(product.id())
        .set(product.item() == null ? null : product.item().sellerId())
        .set(product.name())
        .set(product.category())
        .set(product.priceCents())
        .set(product.quantity())
        .set(product.volume())
        .set(product.maxVolume())
        .set(product.suspended())
        .set(it.removed());
  }

  private static Row row(ResultSet row, Map<Long, Item> items) throws SQLException {
    long id = row.getLong("id");
    Item item = items.get(id);
    Long owner = orNull(row, "owner");
    if (!Objects.equals(owner, item == null ? null : item.sellerId())) {
      throw new CorruptDataException(
          format(
              "damaged table: product %d has owner %s, but its row in table item is %s",
              id, owner, item == null ? "missing" : "of seller " + item.sellerId()));
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
