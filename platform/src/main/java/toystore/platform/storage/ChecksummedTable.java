package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A table whose rows end with a [RowChecksum], and its mapping to Java values. Every statement
/// names its columns, so a migration can add a column. The migration must also add it here and
/// recompute the checksums of undamaged rows. Any thread, each with its own connection.
///
/// @param id the column that identifies rows in messages
/// @param columns the columns of the checksum, in its order, without `checksum` itself
/// @param selected all columns for a `SELECT`, each with the table's name; the checksum is last
public record ChecksummedTable<T>(
    String name,
    String id,
    List<String> columns,
    Binding<T> binding,
    Mapping<T> mapping,
    String selected) {
  private static final Logger log = LoggerFactory.getLogger(ChecksummedTable.class);
  private static final String CHECKSUM = "checksum";

  public ChecksummedTable(
      String name, String id, List<String> columns, Binding<T> binding, Mapping<T> mapping) {
    this(
        name,
        id,
        columns,
        binding,
        mapping,
        withChecksum(columns).map(it -> name + "." + it).collect(Collectors.joining(", ")));
  }

  /// Sets the columns of a row, each once and in order.
  @FunctionalInterface
  public interface Binding<T> {
    void set(WriterStatement row, T value) throws SQLException;
  }

  /// Converts a row whose checksum was verified.
  @FunctionalInterface
  public interface Mapping<T> {
    T read(ResultSet row) throws SQLException;
  }

  @FunctionalInterface
  private interface RowReader<R> {
    void read(ResultSet row, List<R> rows) throws SQLException;
  }

  /// Used by the writer's thread.
  public final class Writer {
    private final WriterStatement statement;

    private Writer(WriterStatement statement) {
      this.statement = statement;
    }

    public void put(T value) throws SQLException {
      binding.set(statement, value);
      statement.addWithChecksum();
    }

    public void putAll(Iterable<? extends T> values) throws SQLException {
      for (T value : values) {
        put(value);
      }
    }
  }

  public Writer inserts(Database database) {
    return new Writer(database.statement(insert()));
  }

  /// Returns a writer that inserts rows, or replaces those with the same primary key, which must be
  /// the first column.
  public Writer upserts(Database database) {
    return upserts(database, columns.subList(1, columns.size()));
  }

  /// Like [#upserts(Database)], for rows of which only some columns ever change. The indexes of the
  /// other columns are not written again.
  ///
  /// @param changing the columns that may differ from those of the row before
  public Writer upserts(Database database, List<String> changing) {
    String assignments =
        Stream.concat(changing.stream(), Stream.of(CHECKSUM))
            .map(it -> it + " = excluded." + it)
            .collect(Collectors.joining(", "));
    return new Writer(
        database.statement(
            format(
                "%s ON CONFLICT (%s) DO UPDATE SET %s",
                insert(), columns.getFirst(), assignments)));
  }

  private String insert() {
    return format(
        "INSERT INTO %s (%s) VALUES (%s)",
        name,
        withChecksum(columns).collect(Collectors.joining(", ")),
        String.join(", ", Collections.nCopies(columns.size() + 1, "?")));
  }

  /// Returns the rows that a query selects.
  ///
  /// @param clause rest of the query, after `FROM` and the table's name
  /// @param parameters of the clause, in order: numbers, texts, and flags
  /// @throws CorruptDataException if the checksum of a row does not match
  public List<T> rows(Connection connection, String clause, Object... parameters)
      throws SQLException {
    return rows(connection, mapping, clause, parameters);
  }

  public <R> List<R> rows(
      Connection connection, Mapping<R> rowMapping, String clause, Object... parameters)
      throws SQLException {
    RowReader<R> checked =
        (row, rows) -> {
          check(row, 1);
          rows.add(rowMapping.read(row));
        };
    return select(connection, checked, Integer.MAX_VALUE, clause, parameters);
  }

  /// Like [#rows(Connection, String, Object...)], without damaged rows: they are logged, and do not
  /// hide the others.
  ///
  /// @param limit maximum number of rows
  public List<T> intactRows(Connection connection, int limit, String clause, Object... parameters)
      throws SQLException {
    RowReader<T> undamaged =
        (row, rows) -> {
          try {
            check(row, 1);
            rows.add(mapping.read(row));
          } catch (CorruptDataException damaged) {
            log.error("a row is left out: {}", damaged.getMessage());
          }
        };
    return select(connection, undamaged, limit, clause, parameters);
  }

  private <R> List<R> select(
      Connection connection, RowReader<R> reader, int limit, String clause, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT " + selected + " FROM " + name + " " + clause)) {
      for (int i = 0; i < parameters.length; i++) {
        if (parameters[i] instanceof Boolean flag) {
          statement.setLong(i + 1, flag ? 1 : 0);
        } else {
          statement.setObject(i + 1, parameters[i]);
        }
      }
      try (ResultSet row = statement.executeQuery()) {
        var rows = new ArrayList<R>();
        while (rows.size() < limit && row.next()) {
          reader.read(row, rows);
        }
        return rows;
      }
    }
  }

  /// Like [#rows], for a query that selects at most one row.
  public Optional<T> row(Connection connection, String clause, Object... parameters)
      throws SQLException {
    return rows(connection, clause + " LIMIT 1", parameters).stream().findFirst();
  }

  /// Verifies the checksums of all rows, page by page.
  ///
  /// @param before a value before those of the column `id`, which is unique
  /// @throws CorruptDataException if the checksum of a row does not match
  public void checkAll(Connection connection, Object before, int page) throws SQLException {
    String clause = format("WHERE %s > ? ORDER BY %s LIMIT ?", id, id);
    Object last = before;
    List<Object> ids;
    do {
      ids = rows(connection, row -> row.getObject(id), clause, last, page);
      last = ids.isEmpty() ? last : ids.getLast();
    } while (ids.size() == page);
  }

  /// Returns at most `limit` rows whose ids are consecutive numbers, starting at `from`.
  ///
  /// @param series a condition, with one parameter, that selects the series of the rows
  /// @throws CorruptDataException if the checksum of a row does not match, or a row is missing
  ///   before another
  public List<T> run(Connection connection, String series, Object parameter, long from, int limit)
      throws SQLException {
    String clause = format("WHERE %s AND %s >= ? ORDER BY %s LIMIT ?", series, id, id);
    var next = new AtomicLong(from);
    return rows(
        connection,
        row -> {
          if (row.getLong(id) != next.get()) {
            throw new CorruptDataException(
                format("damaged table: %s %d is missing", name, next.get()));
          }
          next.incrementAndGet();
          return mapping.read(row);
        },
        clause,
        parameter,
        from,
        limit);
  }

  /// Compares a row with its checksum.
  ///
  /// @param first index of the row's first column in the result
  /// @throws CorruptDataException if they differ; the message names file, table and row
  public void check(ResultSet row, int first) throws SQLException {
    RowChecksum.check(row, first, first + columns.size(), name, first + columns.indexOf(id));
  }

  private static Stream<String> withChecksum(List<String> columns) {
    return Stream.concat(columns.stream(), Stream.of(CHECKSUM));
  }
}
