package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import toystore.clients.Conditions;
import toystore.testkit.PostgresCluster;

/// Processes of two stores never share a schema; those of one store do.
@SuppressWarnings("NullAway.Init") // set before each test
class StoreIdentityTest {
  private static final StoreIdentity TOYS = new StoreIdentity(UUID.randomUUID(), Path.of("/töys"));
  private static final StoreIdentity OTHER = new StoreIdentity(UUID.randomUUID(), Path.of("/b c"));

  private String url;

  @BeforeEach
  void createDatabase() throws SQLException {
    url = PostgresCluster.database("identity");
  }

  @Test
  void anotherStoreIsRefusedBeforeTheElectionAndLaterWithTheNamesOfBothFolders() {
    try (PostgresSchema active = schema(TOYS)) {
      assertThat(active.tryBecomeWriter()).isTrue();
      refused(() -> schema(OTHER));
    }
    refused(() -> schema(OTHER));
  }

  private void refused(Runnable start) {
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(start::run)
        .withMessage(
            "database %s schema numbers belongs to the store of data folder /töys at 127.0.0.1, not to that of data folder /b c; use another database, or, if this folder replaces that one, write %s into /b c/store-id",
            url, TOYS.id())
        .matches(it -> !it.mayPass());
  }

  /// Both found a database without an identity.
  @Test
  void storeThatStartedAtTheSameTimeIsRefusedWhileItWaits() {
    try (PostgresSchema active = schema(TOYS);
        PostgresSchema late = schema(OTHER)) {
      assertThat(active.tryBecomeWriter()).isTrue();
      refused(late::tryBecomeWriter);
    }
  }

  @Test
  void storeThatStartedAtTheSameTimeIsRefusedWhenItTakesOver() {
    try (PostgresSchema late = schema(OTHER)) {
      try (PostgresSchema active = schema(TOYS)) {
        assertThat(active.tryBecomeWriter()).isTrue();
      }
      refused(() -> Conditions.await(late::tryBecomeWriter));
    }
  }

  /// The server ends a closed session, and releases its lock, some time later.
  @Test
  void standbyOfTheStoreWaitsAndTakesOverAlsoWithAnotherFolder() {
    var copied = new StoreIdentity(TOYS.id(), Path.of("/other host"));
    try (PostgresSchema standby = schema(copied)) {
      try (PostgresSchema active = schema(TOYS)) {
        assertThat(active.tryBecomeWriter()).isTrue();
        assertThat(standby.tryBecomeWriter()).isFalse();
      }
      Conditions.await(standby::tryBecomeWriter);
    }
    assertThatExceptionOfType(UnusableFileException.class)
        .isThrownBy(() -> schema(OTHER))
        .withMessageContaining("data folder /other host at 127.0.0.1,");
  }

  @Test
  void processWithoutAnIdentityUsesAnySchemaAndKeepsItsIdentity() {
    for (StoreIdentity store : new @Nullable StoreIdentity[] {null, TOYS, null}) {
      try (PostgresSchema schema = schema(store)) {
        Conditions.await(schema::tryBecomeWriter); // the server may still be ending the one before
      }
    }
    refused(() -> schema(OTHER));
  }

  /// A schema of a version of the store without identities, or a clone for another store.
  @Test
  void schemaWithoutAnIdentityGetsOne() throws SQLException {
    try (PostgresSchema schema = schema(OTHER)) {
      assertThat(schema.tryBecomeWriter()).isTrue();
    }
    execute("DROP TABLE numbers.store_identity");
    execute("DELETE FROM numbers.flyway_schema_history WHERE version IS NULL");
    try (PostgresSchema schema = schema(TOYS)) {
      Conditions.await(schema::tryBecomeWriter); // the server may still be ending the one before
    }
    refused(() -> schema(OTHER));
  }

  private PostgresSchema schema(@Nullable StoreIdentity store) {
    return PostgresSchema.of(new PostgresServer(url, "postgres", "x"), "numbers", store);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = new PostgresServer(url, "postgres", "x").connect("public");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
