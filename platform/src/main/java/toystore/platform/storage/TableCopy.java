package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Copies the tables of a service from SQLite to PostgreSQL. The migrations have created the same
/// tables in both. One thread.
///
/// ```
/// all tables      row by row; the connections fetch and insert pages of rows
/// last_session    the row that the migration inserts is replaced
/// product_words   not copied: the catalog computes it from its products
/// ```
public final class TableCopy {
  private static final int PAGE = 1_000;

  /// Tables of one engine, or of the migrations.
  private static final Set<String> NOT_COPIED =
      Set.of("flyway_schema_history", "writer", "store_identity", "probe");

  /// SQLite's own tables, and the tables of which an FTS5 index consists.
  private static final String NOT_COPIED_PREFIX = "(sqlite_|product_words).*";

  /// Tables that have a row as soon as they exist.
  private static final Set<String> NEVER_EMPTY = Set.of("last_session");

  private final Connection from;
  private final Connection to;
  private final Progress progress;

  @FunctionalInterface
  public interface Progress {
    /// @param rows of the table that have been read
    void at(String table, long rows);
  }

  /// The rows of some tables: how many, and the sum of the checksums over all their values.
  public record Content(int tables, long rows, long checksums) {
    private Content plus(Content other) {
      return new Content(tables + other.tables, rows + other.rows, checksums + other.checksums);
    }
  }

  /// A table and its columns, in the order in which both databases are read.
  private record Table(String name, List<String> columns) {
    String selected() {
      return String.join(", ", columns);
    }
  }

  private TableCopy(Connection from, Connection to, Progress progress) {
    this.from = from;
    this.to = to;
    this.progress = progress;
  }

  /// Prevents that a service becomes the writer of a schema of PostgreSQL, until the transaction
  /// ends. What follows in the transaction has no time limit.
  public static void lock(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, 0);
    execute(connection, "SET lock_timeout = 0; SET statement_timeout = 0");
    execute(connection, "LOCK TABLE writer IN ACCESS EXCLUSIVE MODE");
  }

  /// Copies all rows in the transactions of the connections, and compares the copy with the
  /// original. The caller commits.
  ///
  /// @param to is [locked][#lock]
  /// @throws UnusableFileException if the target has rows, or the copy differs
  public static Content copy(Connection from, Connection to, Progress progress)
      throws SQLException {
    return new TableCopy(from, to, progress).copy();
  }

  private Content copy() throws SQLException {
    Set<String> names = tables(to);
    require(names.equals(tables(from)), "the databases have different tables", tables(from), names);
    var all = new Content(0, 0, 0);
    for (String name : names) {
      var table = new Table(name, List.copyOf(columns(to, name)));
      require(
          columns(from, name).equals(columns(to, name)),
          "table " + name + " has different columns",
          columns(from, name),
          columns(to, name));
      if (NEVER_EMPTY.contains(name)) {
        execute(to, "DELETE FROM " + quoted(name));
      }
      Content before = read(to, table, null);
      require(before.rows == 0, "the target is not empty", "no rows in table " + name, before.rows);
      Content original = insert(table);
      restartIdentity(table);
      Content copy = read(to, table, null);
      require(original.equals(copy), "the copy of table " + name + " differs", original, copy);
      all = all.plus(copy);
    }
    return all;
  }

  private static void require(boolean valid, String what, Object expected, Object found) {
    if (!valid) {
      throw new UnusableFileException(format("%s: expected %s, got %s", what, expected, found));
    }
  }

  private static Set<String> tables(Connection connection) throws SQLException {
    var names = new TreeSet<String>();
    try (ResultSet row =
        connection
            .getMetaData()
            .getTables(null, connection.getSchema(), "%", new String[] {"TABLE"})) {
      while (row.next()) {
        String name = row.getString("TABLE_NAME");
        if (!NOT_COPIED.contains(name) && !name.matches(NOT_COPIED_PREFIX)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static Set<String> columns(Connection connection, String table) throws SQLException {
    var names = new TreeSet<String>();
    try (ResultSet row = columnsOf(connection, table)) {
      while (row.next()) {
        names.add(quoted(row.getString("COLUMN_NAME")));
      }
    }
    return names;
  }

  private static ResultSet columnsOf(Connection connection, String table) throws SQLException {
    DatabaseMetaData data = connection.getMetaData();
    String escape = data.getSearchStringEscape();
    return data.getColumns(null, connection.getSchema(), table.replace("_", escape + "_"), "%");
  }

  private Content insert(Table table) throws SQLException {
    progress.at(table.name, 0);
    try (PreparedStatement insert =
        to.prepareStatement(
            format(
                "INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE VALUES (%s)", // identity columns
                quoted(table.name),
                table.selected(),
                String.join(", ", Collections.nCopies(table.columns.size(), "?"))))) {
      Content content = read(from, table, insert);
      insert.executeBatch();
      return content;
    }
  }

  /// @param insert null, or the statement that inserts each of them; the last page is not executed
  private Content read(Connection connection, Table table, @Nullable PreparedStatement insert)
      throws SQLException {
    long rows = 0;
    long checksums = 0;
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(PAGE);
      try (ResultSet row =
          statement.executeQuery(
              format("SELECT %s FROM %s", table.selected(), quoted(table.name)))) {
        while (row.next()) {
          List<@Nullable Object> values = values(row, table.columns.size());
          checksums += RowChecksum.of(values);
          rows++;
          if (insert != null) {
            insert(table, insert, values, rows);
          }
        }
      }
    }
    return new Content(1, rows, checksums);
  }

  /// @param rows that have been read
  private void insert(
      Table table, PreparedStatement insert, List<@Nullable Object> values, long rows)
      throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      insert.setObject(i + 1, values.get(i));
    }
    insert.addBatch();
    if (rows % PAGE == 0) {
      insert.executeBatch();
      progress.at(table.name, rows);
    }
  }

  /// The values of a row. SQLite returns small integers as `Integer`.
  private static List<@Nullable Object> values(ResultSet row, int columns) throws SQLException {
    var values = new ArrayList<@Nullable Object>();
    for (int column = 1; column <= columns; column++) {
      Object value = row.getObject(column);
      values.add(value instanceof Integer integer ? (Object) integer.longValue() : value);
    }
    return values;
  }

  /// Lets the numbers that PostgreSQL assigns begin after those that were copied.
  private void restartIdentity(Table table) throws SQLException {
    var identities = new ArrayList<String>();
    try (ResultSet row = columnsOf(to, table.name)) {
      while (row.next()) {
        if (row.getString("IS_AUTOINCREMENT").equals("YES")) {
          identities.add(quoted(row.getString("COLUMN_NAME")));
        }
      }
    }
    for (String column : identities) {
      try (Statement statement = to.createStatement();
          ResultSet row =
              statement.executeQuery(
                  format("SELECT coalesce(max(%s), 0) + 1 FROM %s", column, quoted(table.name)))) {
        row.next();
        execute(
            to,
            format(
                "ALTER TABLE %s ALTER %s RESTART WITH %d",
                quoted(table.name), column, row.getLong(1)));
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }
}
