package toystore.platform.storage;

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

/// A table whose rows end with a [Checksum], and what a row is in Java. Every statement names its
/// columns, so a migration may add a column: it names it here as well, and gives each row that is
/// as it was written the checksum over its columns of now.
///
/// ```java
/// static final Table<Toy> TOYS =
///     new Table<>(
///         "toy",
///         "id",
///         List.of("id", "name"),
///         (row, toy) -> row.set(toy.id()).set(toy.name()),
///         row -> new Toy(row.getLong("id"), row.getString("name")));
/// ```
///
/// Any thread, each on a connection of its own.
///
/// @param id the column that tells rows apart in messages
/// @param columns those the checksum is over, in its order; without `checksum` itself
public record ChecksummedTable<T>(
    String name, String id, List<String> columns, Binding<T> binding, Mapping<T> mapping) {
  private static final String CHECKSUM = "checksum";

  /// Sets the columns of a row, each once and in their order.
  @FunctionalInterface
  public interface Binding<T> {
    void set(ChecksummedStatement row, T value) throws SQLException;
  }

  /// Makes of a row that is as it was written what it stands for.
  @FunctionalInterface
  public interface Mapping<T> {
    T read(ResultSet row) throws SQLException;
  }

  /// What writes rows: inserts, or replaces those of the same primary key, which is then the first
  /// column. On the writer's connection, by its thread. It ends with the connection.
  public final class Writer {
    private final ChecksummedStatement statement;

    private Writer(ChecksummedStatement statement) {
      this.statement = statement;
    }

    public void put(T value) throws SQLException {
      binding.set(statement, value);
      statement.execute();
    }
  }

  /// Writes new rows.
  public Writer inserts(Connection writing) throws SQLException {
    return new Writer(new ChecksummedStatement(writing, insert()));
  }

  /// Writes rows that are new or known by their first column.
  public Writer upserts(Connection writing) throws SQLException {
    String changes =
        all().skip(1).map(it -> it + " = excluded." + it).collect(Collectors.joining(", "));
    return new Writer(
        new ChecksummedStatement(
            writing,
            "%s ON CONFLICT (%s) DO UPDATE SET %s"
                .formatted(insert(), columns.getFirst(), changes)));
  }

  private String insert() {
    return "INSERT INTO %s (%s) VALUES (%s)"
        .formatted(
            name,
            all().collect(Collectors.joining(", ")),
            String.join(", ", Collections.nCopies(columns.size() + 1, "?")));
  }

  /// The rows that a condition holds for.
  ///
  /// @param rest of the query, behind `FROM` and the table's name
  /// @param parameters of it, in order: numbers and texts
  /// @throws DamagedException where one is not as it was written
  public List<T> rows(Connection connection, String rest, Object... parameters)
      throws SQLException {
    return rows(connection, mapping, rest, parameters);
  }

  /// As [#rows(Connection, String, Object...)], read as something else.
  public <R> List<R> rows(
      Connection connection, Mapping<R> reading, String rest, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT " + selected() + " FROM " + name + " " + rest)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        var rows = new ArrayList<R>();
        while (row.next()) {
          check(row, 1);
          rows.add(reading.read(row));
        }
        return rows;
      }
    }
  }

  /// As [#rows], of a query that finds one at most.
  public Optional<T> row(Connection connection, String rest, Object... parameters)
      throws SQLException {
    return rows(connection, rest + " LIMIT 1", parameters).stream().findFirst();
  }

  /// At most `limit` rows whose ids are numbers without gap, from one on.
  ///
  /// @param series a condition on the series that they belong to, with one parameter
  /// @throws DamagedException where one is not as it was written, or missing before another
  public List<T> run(Connection connection, String series, Object parameter, long from, int limit)
      throws SQLException {
    String rest = "WHERE %s AND %s >= ? ORDER BY %s LIMIT ?".formatted(series, id, id);
    var next = new AtomicLong(from);
    return rows(
        connection,
        row -> {
          if (row.getLong(id) != next.get()) {
            throw new CorruptDataException(
                "damaged table: %s %d is missing".formatted(name, next.get()));
          }
          next.incrementAndGet();
          return mapping.read(row);
        },
        rest,
        parameter,
        from,
        limit);
  }

  /// Sees that a row is as it was written.
  ///
  /// @param first where its first column stands in the result
  /// @throws DamagedException where it is not; the message names file, table and row
  public void check(ResultSet row, int first) throws SQLException {
    Checksum.check(row, first, first + columns.size(), name, first + columns.indexOf(id));
  }

  /// All its columns for a `SELECT`, each with the table's name, the checksum last.
  public String selected() {
    return all().map(it -> name + "." + it).collect(Collectors.joining(", "));
  }

  private Stream<String> all() {
    return Stream.concat(columns.stream(), Stream.of(CHECKSUM));
  }
}
