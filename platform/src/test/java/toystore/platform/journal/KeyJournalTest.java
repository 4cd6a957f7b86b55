package toystore.platform.journal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;
import toystore.platform.storage.DecideAgainException;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

@SuppressWarnings("NullAway.Init") // opened before each test
@ParameterizedClass
@EnumSource(Engine.class)
class KeyJournalTest {
  private static final ChecksummedTable<IdempotencyRecord> REPLIES =
      KeyJournal.table(
          "reply",
          List.of("text"),
          (row, reply) -> row.set(((Answer.Done<?>) reply).value().toString()),
          row -> new Answer.Done<>(row.getString("text")));
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final byte[] HASH = {1, 2};

  @Parameter Engine engine;
  @TempDir Path folder;
  private Database database;
  private KeyJournal journal;
  private Instant now = NOW;
  private int added;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(engine, folder, "answers")
            .open(
                file -> SqliteFile.open(file, "db/answers"),
                url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "answers"),
                PostgresSchema::tryBecomeWriter);
    journal = new KeyJournal(database, REPLIES, () -> now, true);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /// If a disk error changes a key, its row stays at its old position. The lookup of the original
  /// key reads that row and fails, so the request is not carried out again.
  @Test
  void keyNextToADamagedRecordIsNotTreatedAsNew() throws SQLException {
    database.commit(() -> {
      add("a", "k", "z");
      try (var statement = database.queryConnection().createStatement()) {
        statement.executeUpdate("UPDATE reply SET key = 's\nj' WHERE key LIKE '%k'");
      }
    });

    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> journal.find(key("k")))
        .withMessageContaining("damaged row: checksum mismatch in table reply, key s j, database ")
        .withMessageContaining(engine == Engine.SQLITE ? folder.toString() : "jdbc:postgresql:");
    assertThat(found("a").answer()).isEqualTo(new Answer.Done<>("said a"));
  }

  @Test
  void keyThatTheClientDidNotMakeIsAssumedToBeNewUntilOneIsRepeated() throws SQLException {
    var made = new RequestKey("s", "a", false);
    database.commit(() -> add("a"));

    assertThat(journal.find(made)).isNull();
    assertThatExceptionOfType(DecideAgainException.class)
        .isThrownBy(() -> journal.requireNew(made))
        .withMessage("key s a was not made by the client, so it must be new, but it has a record");
    assertThat(journal.find(made)).isNotNull();
    database.commit(() -> add("b"));
    assertThat(journal.find(made)).isNull();
    assertThatExceptionOfType(DecideAgainException.class).isThrownBy(() -> add("a"));
    database.rollback();
    assertThat(journal.find(made)).isNotNull();
  }

  @Test
  void batchDeletesMoreExpiredRecordsThanItAdds() throws SQLException {
    writeBatch(300, NOW);
    writeBatch(1, NOW);
    Instant expired = NOW.plus(DAY).plusMillis(1);

    assertThat(rowsAfterBatch(0, expired)).isEqualTo(291);
    assertThat(rowsAfterBatch(100, expired)).isEqualTo(181);
    assertThat(rowsAfterBatch(50, expired)).isEqualTo(150);
    assertThat(rowsAfterBatch(0, expired)).isEqualTo(150);
    database.commit(() -> add("ever"));
    assertThat(rowsAfterBatch(200, expired.plus(DAY).plusMillis(1))).isEqualTo(201);
    assertThat(found("ever").answer()).isEqualTo(new Answer.Done<>("said ever"));
  }

  @Test
  void deletionPausesForASecondIfItLeftNoExpiredRecord() throws SQLException {
    writeBatch(1, NOW);
    Instant expired = NOW.plus(DAY).plusMillis(2);
    writeBatch(0, expired.minusMillis(2));

    assertThat(rowsAfterBatch(0, expired)).isEqualTo(1);
    assertThat(rowsAfterBatch(0, expired.plusMillis(997))).isEqualTo(1);
    assertThat(rowsAfterBatch(0, expired.plusMillis(998))).isEqualTo(0);
  }

  @Test
  void expiredRecordsAreDeletedAfterTheClockJumpedForwardAndBack() throws SQLException {
    writeBatch(10, NOW.plus(3_650, ChronoUnit.DAYS));
    writeBatch(10, NOW);

    assertThat(rowsAfterBatch(0, NOW.plus(DAY).plusMillis(1))).isEqualTo(10);
  }

  /// Writes a batch of refusals that expire after a day.
  private void writeBatch(int size, Instant time) throws SQLException {
    now = time;
    database.commit(() -> {
      journal.begin();
      for (int i = 0; i < size; i++) {
        put("k" + added++, time.plus(DAY));
      }
      journal.write();
    });
  }

  private int rowsAfterBatch(int size, Instant time) throws SQLException {
    writeBatch(size, time);
    int left = REPLIES.rows(database.queryConnection(), "").size();
    database.rollback();
    return left;
  }

  private void add(String... values) throws SQLException {
    now = Instant.EPOCH;
    journal.begin();
    for (String value : values) {
      put(value, null);
    }
    journal.write();
    journal.begin();
  }

  private void put(String value, @Nullable Instant until) {
    journal.put(key(value), HASH, new Answer.Done<>("said " + value), until);
  }

  private IdempotencyRecord found(String value) throws SQLException {
    IdempotencyRecord found = journal.find(key(value));
    assertThat(found).as(value).isNotNull();
    return requireNonNull(found);
  }

  private static RequestKey key(String value) {
    return new RequestKey("s", value, true);
  }

  /// A change that needs no permanent record.
  private record Change() implements KeyedCommand<Batch, String> {
    @Override
    public Answer<String> decide(Batch unit, CommandContext context) {
      return new Answer.Done<>("changed");
    }

    @Override
    public List<Object> values() {
      return List.of("change");
    }

    @Override
    public Retention retention() {
      return Retention.ONE_DAY;
    }
  }

  private final class Batch implements KeyedUnitOfWork {
    @Override
    public KeyJournal journal() {
      return journal;
    }

    @Override
    public void write() throws SQLException {
      journal.write();
    }

    @Override
    public void publish() {}
  }

  @Test
  void changeThatNeedsNoPermanentRecordIsKeptForADay() throws SQLException {
    var key = new RequestKey("s", "k", false);
    new Submitted<>(new Change(), key, null, () -> false).decide(new Batch());
    database.commit(journal::write);
    assertThat(requireNonNull(REPLIES.row(database.queryConnection(), "").orElseThrow().until()))
        .isEqualTo(NOW.plusSeconds(24 * 60 * 60));
    database.rollback();
  }

  @Test
  void sameKeyOfAnotherUserOrPathIsIndependent() {
    assertThat(
            List.of(
                RequestKey.scope("POST", "/orders", null),
                RequestKey.scope("POST", "/orders", "7"),
                RequestKey.scope("POST", "/orders", "8"),
                RequestKey.scope("POST", "/buy", "7")))
        .doesNotHaveDuplicates()
        .startsWith("POST /orders");
  }

  @Test
  void invalidKeyIsRefused() {
    for (String value : List.of("", "a\nb", "é", "x".repeat(256))) {
      assertThatIllegalArgumentException().isThrownBy(() -> new RequestKey("s", value, true));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new RequestKey("a\nb", "k", true));
  }

  /// Hashes are stored on disk, so their values must not change.
  @Test
  void requestHashIsStable() {
    assertThat(
            HexFormat.of()
                .formatHex(RequestHash.of(List.of("sell", "STORE", "ORDER", false, "Tux", 1))))
        .isEqualTo("0bc70f3a543586233e3595e5dec00827196681cdefe3fbb51f220856fd4952ba");
  }
}
