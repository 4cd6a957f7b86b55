package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.clients.Conditions;
import toystore.testkit.PostgresCluster;

@SuppressWarnings("NullAway.Init") // set before each test
class PostgresSchemaTest {
  private static final Duration WAIT = Duration.ofSeconds(60);

  private String url;

  @BeforeEach
  void createDatabase() throws SQLException {
    url = PostgresCluster.database("numbers");
  }

  private PostgresSchema schema() {
    return PostgresSchema.of(new PostgresServer(url, "postgres", "x"), "numbers");
  }

  private static long next(SingleWriter<Numbers.Batch> writer, String text) {
    return writer.submit(it -> it.next(text)).toCompletableFuture().join();
  }

  private List<String> texts() throws SQLException {
    try (Connection connection = new PostgresServer(url, "postgres", "x").connect("numbers");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT text FROM number ORDER BY value")) {
      var texts = new ArrayList<String>();
      while (row.next()) {
        texts.add(row.getString(1));
      }
      return texts;
    }
  }

  private static void terminate(Connection session) throws SQLException {
    int pid = session.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    try (Connection connection = PostgresCluster.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_terminate_backend(" + pid + ")");
    }
  }

  @Test
  void batchIsCommittedAndFoundByTheNextWriter() throws SQLException {
    var fatal = new CompletableFuture<Throwable>();
    try (PostgresSchema schema = schema()) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      assertThat(schema.notServing()).isEqualTo(Database.NOT_LOADED);
      try (var writer = ShopDatabase.writer(schema, fatal);
          ReadPool readers = schema.readers(2, 10)) {
        assertThat(schema.notServing()).isNull();
        assertThat(next(writer, "a")).isZero();
        assertThat(next(writer, "b")).isOne();
        assertThat(readers.read(PostgresSchemaTest::count)).succeedsWithin(WAIT).isEqualTo(2L);
      }
    }
    try (PostgresSchema schema = schema()) {
      Conditions.await(schema::tryBecomeWriter); // the server may still be ending the one before
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        assertThat(next(writer, "c")).isEqualTo(2);
      }
    }
    assertThat(texts()).containsExactly("a", "b", "c");
  }

  @Test
  void queryReadsOneSnapshotAndCannotWrite() throws SQLException {
    try (PostgresSchema schema = schema()) {
      schema.tryBecomeWriter();
      try (var writer = ShopDatabase.writer(schema, new CompletableFuture<>());
          ReadPool readers = schema.readers(1, 10)) {
        next(writer, "a");
        assertThat(
                readers.read(connection -> {
                  long before = count(connection);
                  next(writer, "b");
                  return List.of(before, count(connection));
                }))
            .succeedsWithin(WAIT)
            .isEqualTo(List.of(1L, 1L));
        assertThat(readers.read(connection -> execute(connection, "DELETE FROM number")))
            .failsWithin(WAIT)
            .withThrowableOfType(ExecutionException.class)
            .withMessageContaining("read-only transaction");
        assertThat(readers.read(PostgresSchemaTest::count)).succeedsWithin(WAIT).isEqualTo(2L);
      }
    }
  }

  @Test
  void queryThatLosesItsConnectionIsNotExecutedAndTheNextConnectsAgain() throws SQLException {
    try (PostgresSchema schema = schema()) {
      schema.tryBecomeWriter();
      try (ReadPool readers = schema.readers(1, 10)) {
        assertThat(
                readers.read(connection -> {
                  terminate(connection);
                  return count(connection);
                }))
            .failsWithin(WAIT)
            .withThrowableOfType(ExecutionException.class)
            .withCauseInstanceOf(NotExecutedException.class);
        assertThat(readers.read(PostgresSchemaTest::count)).succeedsWithin(WAIT).isEqualTo(0L);
      }
    }
  }

  private static boolean execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }

  private static long count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM number")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void onlyOneIsElected() throws SQLException {
    try (PostgresSchema first = schema();
        PostgresSchema second = schema()) {
      assertThat(first.tryBecomeWriter()).isTrue();
      assertThat(second.tryBecomeWriter()).isFalse();
      assertThat(second.notReady()).isEqualTo("standby");
      first.close();
      Conditions.await(second::tryBecomeWriter);
    }
  }

  @Test
  void batchIsDecidedAgainAfterItsConnectionWasLost() throws SQLException {
    var fatal = new CompletableFuture<Throwable>();
    try (PostgresSchema schema = schema()) {
      schema.tryBecomeWriter();
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        for (int i = 0; i < 5; i++) {
          assertThat(next(writer, "n" + i)).isEqualTo(i);
          terminate(schema.queryConnection());
        }
        assertThat(next(writer, "last")).isEqualTo(5);
      }
      assertThat(fatal).isNotDone();
      assertThat(texts()).hasSize(6);
    }
  }

  /// What the process has in memory was committed, and is not in the rows.
  @Test
  void writerEndsAfterTheDatabaseWasRestored() throws Exception {
    var fatal = new CompletableFuture<Throwable>();
    try (PostgresSchema schema = schema()) {
      schema.tryBecomeWriter();
      var writer = ShopDatabase.writer(schema, fatal);
      assertThat(next(writer, "a")).isZero();
      Connection session = schema.statementConnection();
      try (Connection restore = new PostgresServer(url, "postgres", "x").connect("numbers")) {
        restore.setAutoCommit(false); // the writer waits for the row
        execute(restore, "UPDATE writer SET batch = 0");
        execute(restore, "DELETE FROM number");
        terminate(session);
        restore.commit();
      }
      var late = writer.submit(it -> it.next("late")).toCompletableFuture();
      assertThat(fatal)
          .succeedsWithin(WAIT)
          .isInstanceOf(TakenOverException.class)
          .asString()
          .contains("the last batch is 0, expected 1 or later: the database was restored");
      assertThat(late).isNotDone();
    }
    assertThat(texts()).isEmpty();
  }

  /// The server commits, or does not, and its answer is lost.
  @ParameterizedTest
  @EnumSource(names = {"BEFORE_COMMIT", "AFTER_COMMIT"})
  void commitInDoubtIsResolvedByItsNumber(CommitProxy.Cut cut) throws Exception {
    var fatal = new CompletableFuture<Throwable>();
    try (var proxy = new CommitProxy(PostgresCluster.port());
        PostgresSchema schema =
            PostgresSchema.of(
                new PostgresServer(
                    "jdbc:postgresql://127.0.0.1:"
                        + proxy.port()
                        + "/numbers?prepareThreshold=0", // sends the text of each COMMIT
                    "postgres",
                    "x"),
                "numbers")) {
      schema.tryBecomeWriter();
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        assertThat(next(writer, "a")).isZero();
        proxy.cutNext(cut);
        assertThat(writer.submit(it -> it.next("b")).toCompletableFuture())
            .succeedsWithin(WAIT)
            .isEqualTo(1L);
        assertThat(proxy.hasCut()).isTrue();
        assertThat(next(writer, "c")).isEqualTo(2);
      }
      try (Statement statement = schema.queryConnection().createStatement();
          ResultSet row = statement.executeQuery("SHOW idle_session_timeout")) {
        row.next();
        assertThat(row.getString(1)).as("a stopped process loses the new session").isEqualTo("6s");
      }
    }
    assertThat(fatal).isNotDone();
    assertThat(texts()).containsExactly("a", "b", "c");
  }

  @Test
  void writerEndsWhileItsSuccessorWorks() throws Exception {
    var fatal = new CompletableFuture<Throwable>();
    try (PostgresSchema old = schema();
        PostgresSchema other = schema()) {
      old.tryBecomeWriter();
      var writer = ShopDatabase.writer(old, fatal);
      assertThat(next(writer, "a")).isZero();
      // the server ends the session of a process that is stopped, and another takes over
      terminate(old.queryConnection());
      Conditions.await(other::tryBecomeWriter);
      try (var successor = ShopDatabase.writer(other, new CompletableFuture<>())) {
        assertThat(next(successor, "b")).isOne();
        var late = writer.submit(it -> it.next("late")).toCompletableFuture();
        assertThat(fatal.get(60, TimeUnit.SECONDS)).isInstanceOf(TakenOverException.class);
        assertThat(late).isNotDone(); // the process ends: its callers learn that it is unknown
        assertThat(old.notReady()).isNotNull();
        assertThat(next(successor, "c")).isEqualTo(2);
      }
      assertThat(texts()).containsExactly("a", "b", "c");
    }
  }

  /// For example, a pool of connections between writer and server releases the lock.
  @Test
  void writerThatLostTheLockCannotCommitAfterTheNextEpochBegan() throws Exception {
    var fatal = new CompletableFuture<Throwable>();
    try (PostgresSchema old = schema();
        PostgresSchema other = schema()) {
      old.tryBecomeWriter();
      var writer = ShopDatabase.writer(old, fatal);
      assertThat(next(writer, "a")).isZero();
      execute(old.queryConnection(), "SELECT pg_advisory_unlock_all()");
      Conditions.await(other::tryBecomeWriter);

      var late = writer.submit(it -> it.next("late")).toCompletableFuture();
      CompletableFuture.anyOf(late, fatal).get(60, TimeUnit.SECONDS);
      assertThat(late).isNotDone();
      assertThat(fatal).isCompletedWithValueMatching(TakenOverException.class::isInstance);
      assertThat(texts()).containsExactly("a");
    }
  }

  /// The writer's thread waits, like that of a process that is stopped.
  @Test
  void processThatStoppedIsNotReadyWhenAnotherIsElected() throws Exception {
    var fatal = new CompletableFuture<Throwable>();
    var go = new CompletableFuture<Void>();
    try (PostgresSchema old = schema();
        PostgresSchema other = schema()) {
      old.tryBecomeWriter();
      var writer = ShopDatabase.writer(old, fatal);
      assertThat(next(writer, "a")).isZero();
      writer.submit(it -> {
        go.join();
        return it.next("late");
      });
      assertThat(old.notReady()).isNull();
      Conditions.await(other::tryBecomeWriter);

      assertThat(old.notReady()).as("why it serves no reads").contains("no commit for");
      go.complete(null);
      assertThat(fatal.get(60, TimeUnit.SECONDS)).isInstanceOf(TakenOverException.class);
      assertThat(texts()).containsExactly("a");
    }
  }

  /// A machine that is stopped or cut off accepts connections, or drops packets, and never answers.
  @Test
  void hostThatDoesNotAnswerIsPassedOver() throws Exception {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      url =
          format(
              "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/numbers?loadBalanceHosts=false",
              silent.getLocalPort(), PostgresCluster.port());
      new PostgresServer(url, "postgres", "x").connect("numbers").close();
    }
  }
}
