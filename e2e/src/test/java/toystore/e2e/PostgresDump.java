package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// The schemas and rows of a PostgreSQL database as SQL, because the tests' PostgreSQL has no
/// `pg_dump`. Knows tables with identities, constraints and indexes; the schemas may have nothing
/// else.
final class PostgresDump {
  private static final String OWN =
      " nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('public', 'information_schema')";

  private static final String OTHERS =
      """
      SELECT format('%s %I.%I', relkind, nspname, relname) FROM pg_class
        JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind NOT IN ('r', 'i', 'S') AND $own
      UNION ALL SELECT format('function %I.%I', nspname, proname) FROM pg_proc
        JOIN pg_namespace n ON n.oid = pronamespace WHERE $own
      UNION ALL SELECT format('trigger %I', tgname) FROM pg_trigger WHERE NOT tgisinternal
      """;

  private static final String SCHEMAS =
      "SELECT format('CREATE SCHEMA %I', nspname) FROM pg_namespace WHERE $own ORDER BY 1";

  private static final String TABLES =
      """
      SELECT format('CREATE TABLE %s (%s)%s', a.attrelid::regclass,
        string_agg(format('%I %s%s%s%s%s', attname, format_type(atttypid, atttypmod),
            CASE WHEN attcollation <> typcollation THEN ' COLLATE "' || collname || '"' END,
            CASE WHEN attidentity <> '' THEN ' GENERATED ALWAYS AS IDENTITY' END,
            ' DEFAULT ' || pg_get_expr(adbin, adrelid),
            CASE WHEN attnotnull THEN ' NOT NULL' END), ', ' ORDER BY attnum),
        ' WITH (' || array_to_string(reloptions, ', ') || ')')
      FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid
        JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_type t ON t.oid = atttypid
        LEFT JOIN pg_collation l ON l.oid = attcollation
        LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum
      WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped AND $own
      GROUP BY attrelid, reloptions ORDER BY 1
      """;

  private static final String CONSTRAINTS =
      """
      SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(c.oid))
      FROM pg_constraint c JOIN pg_namespace n ON n.oid = connamespace
      WHERE contype <> 'n' AND $own ORDER BY contype = 'f', 1
      """;

  private static final String INDEXES =
      """
      SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
        JOIN pg_namespace n ON n.oid = relnamespace
      WHERE $own AND indexrelid NOT IN (SELECT conindid FROM pg_constraint) ORDER BY 1
      """;

  /// Selects for each sequence a query for its state. `pg_sequences` does not show a restart.
  private static final String SEQUENCES =
      """
      SELECT format('SELECT format(''SELECT setval(%%L, %%s, %%L)'', %L, last_value, is_called) FROM %s',
        c.oid::regclass, c.oid::regclass)
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind = 'S' AND $own ORDER BY 1
      """;

  /// Selects for each table a query for its rows.
  private static final String ROWS =
      """
      SELECT format('SELECT %L || concat_ws('', '', %s) || '')'' FROM %s ORDER BY 1',
        format('INSERT INTO %s OVERRIDING SYSTEM VALUE VALUES (', attrelid::regclass),
        string_agg(format('quote_nullable(%I::text)', attname), ', ' ORDER BY attnum),
        attrelid::regclass)
      FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped AND $own
      GROUP BY attrelid ORDER BY 1
      """;

  private PostgresDump() {}

  /// Returns the statements that make the database from an empty one.
  static String of(String url) throws SQLException {
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement()) {
      assertThat(lines(statement, OTHERS)).as("not in the dump").isEmpty();
      var all = new ArrayList<String>();
      for (String query : List.of(SCHEMAS, TABLES)) {
        all.addAll(lines(statement, query));
      }
      for (String query : List.of(ROWS, SEQUENCES)) {
        for (String ofOne : lines(statement, query)) {
          all.addAll(lines(statement, ofOne));
        }
      }
      for (String query : List.of(CONSTRAINTS, INDEXES)) {
        all.addAll(lines(statement, query));
      }
      return String.join(";\n", all) + ";\n";
    }
  }

  /// @param url of an empty database
  static void restore(String dump, String url) throws SQLException {
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(dump);
    }
  }

  private static Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, "postgres", "");
  }

  private static List<String> lines(Statement statement, String query) throws SQLException {
    var lines = new ArrayList<String>();
    try (ResultSet row = statement.executeQuery(query.replace("$own", OWN))) {
      while (row.next()) {
        lines.add(row.getString(1));
      }
    }
    return lines;
  }
}
