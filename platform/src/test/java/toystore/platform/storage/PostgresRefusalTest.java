package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import toystore.testkit.PostgresCluster;

/// Databases that a service must not use are refused with one line, and nothing in them is changed.
@SuppressWarnings("NullAway.Init") // set before each test
class PostgresRefusalTest {
  private String url;

  @BeforeEach
  void createDatabase() throws SQLException {
    url = PostgresCluster.database("refused");
  }

  @Test
  void serverThatDoesNotAnswerIsRefused() {
    refused(new PostgresServer("jdbc:postgresql://127.0.0.1:1/toys?user=no", "ann", "x"))
        .withMessage(
            "database jdbc:postgresql://127.0.0.1:1/toys cannot be used: Connection refused");
  }

  @Test
  void unknownUserAndDatabaseAreRefused() {
    refused(new PostgresServer(url, "nobody", "x"))
        .withMessage("database " + url + " cannot be used: FATAL: role \"nobody\" does not exist");
    refused(new PostgresServer(url + "2", "postgres", "x"))
        .withMessageEndingWith("FATAL: database \"refused2\" does not exist");
  }

  @Test
  void oldServerIsRefused() {
    PostgresServer server = server();
    PostgresSchema.requireVersion(server, 15);
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> PostgresSchema.requireVersion(server, 14))
        .withMessage(
            "database "
                + url
                + " cannot be used: version of PostgreSQL must be 15 or newer, got 14");
  }

  @Test
  void schemaOfAnotherProgramIsRefused() throws SQLException {
    execute("CREATE SCHEMA numbers");
    execute("CREATE TABLE numbers.invoice (id bigint)");
    refused(server())
        .withMessage(
            "database "
                + url
                + " cannot be used: schema numbers has tables of another program, such as invoice; use another database");
    assertThat(tables()).containsExactly("invoice");
  }

  @Test
  void schemaOfANewerVersionIsRefused() throws SQLException {
    try (PostgresSchema schema = PostgresSchema.of(server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
    }
    execute(
        "INSERT INTO numbers.flyway_schema_history SELECT 99, '8', description, type, 'V8__x.sql', checksum, installed_by, now(), execution_time, success"
            + " FROM numbers.flyway_schema_history WHERE version = '1'");
    refused(server())
        .withMessageStartingWith(
            "database "
                + url
                + " schema numbers cannot be used: schema version 8 is newer than 1,");
    assertThat(tables())
        .containsExactly("flyway_schema_history", "number", "store_identity", "writer");
  }

  private PostgresServer server() {
    return new PostgresServer(url, "postgres", "x");
  }

  private static org.assertj.core.api.ThrowableAssertAlternative<UnusableFileException> refused(
      PostgresServer server) {
    return assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> PostgresSchema.of(server, "numbers").tryBecomeWriter())
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = server().connect("public");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> tables() throws SQLException {
    var names = new ArrayList<String>();
    try (Connection connection = server().connect("numbers");
        ResultSet table =
            connection.getMetaData().getTables(null, "numbers", "%", new String[] {"TABLE"})) {
      while (table.next()) {
        names.add(table.getString("TABLE_NAME"));
      }
    }
    return names;
  }
}
