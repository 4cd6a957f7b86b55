package toystore.exchange.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import toystore.exchange.engine.Symbol;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;

/// The table `symbol`, and a cache of its rows, which never change. Any thread, each with its own
/// connection.
public final class SymbolStore {
  static final ChecksummedTable<Symbol> SYMBOLS =
      new ChecksummedTable<>(
          "symbol",
          "number",
          List.of("number", "name"),
          (row, symbol) -> row.set(symbol.number()).set(symbol.name()),
          row -> new Symbol(row.getLong("number"), row.getString("name")));

  private final Map<Long, Symbol> symbols = new ConcurrentHashMap<>();

  /// The row that refers to it must be committed, because the symbol is cached.
  ///
  /// @throws CorruptDataException if it is missing or damaged
  Symbol of(ResultSet row, int column) throws SQLException {
    long number = row.getLong(column);
    Symbol cached = symbols.get(number);
    if (cached != null) {
      return cached;
    }
    Symbol symbol =
        SYMBOLS
            .row(row.getStatement().getConnection(), "WHERE number = ?", number)
            .orElseThrow(() ->
                new CorruptDataException(format("damaged table: symbol %d is missing", number)));
    symbols.put(number, symbol);
    return symbol;
  }

  public static Optional<Symbol> find(Connection connection, String name) throws SQLException {
    return SYMBOLS.row(connection, "WHERE name = ?", name);
  }

  /// In alphabetical order.
  public static List<Symbol> page(Connection connection, String after, int limit)
      throws SQLException {
    return SYMBOLS.rows(connection, "WHERE name > ? ORDER BY name LIMIT ?", after, limit);
  }
}
