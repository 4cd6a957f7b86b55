package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static toystore.common.RootLocale.format;

import io.grpc.Context;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import toystore.clients.Conditions;

class SqliteFileTest {
  @TempDir Path folder;

  @Test
  @Tag("child")
  void answeredCommandsSurviveAKilledProcess() throws Exception {
    Process child = child("write");
    long acknowledged = -1;
    try (BufferedReader lines = lines(child)) {
      while (acknowledged < 200) {
        acknowledged = Long.parseLong(lines.readLine());
      }
    } finally {
      child.destroyForcibly().waitFor();
    }

    try (SqliteFile file = open()) {
      assertThat(count(file)).isGreaterThan(acknowledged);
    }
  }

  @Test
  void logRestartsUnderContinuousWrites() throws Exception {
    long bound = 1L << 17;
    Path log = folder.resolve("numbers.db-wal");
    try (SqliteFile file = SqliteFile.open(folder.resolve("numbers.db"), "db/numbers", bound);
        var writer = writer(file)) {
      String text = "x".repeat(4_000);
      long written = 0;
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (written < 4 * Files.size(log) || written < 4 * bound) {
        assertThat(System.nanoTime()).as("%d bytes, log not restarted", written).isLessThan(end);
        CompletableFuture.allOf(
                IntStream.range(0, 10)
                    .mapToObj(_ -> writer.submit(it -> it.next(text)).toCompletableFuture())
                    .toArray(CompletableFuture[]::new))
            .join();
        written += 10L * text.length();
      }
    }
  }

  @Test
  void longReadDoesNotBlockTheWriter() throws Exception {
    long bound = 1L << 20;
    try (SqliteFile file = SqliteFile.open(folder.resolve("numbers.db"), "db/numbers", bound);
        Connection reading =
            SqliteFile.dataSource(folder.resolve("numbers.db"), true).getConnection()) {
      insert(file, 1, 1);
      try (var statement = reading.createStatement();
          var _ = statement.executeQuery("SELECT * FROM number")) {
        insert(file, 2, 500);
        long shortest = Long.MAX_VALUE;
        for (int look = 0; look < 3; look++) {
          long checkpoints = file.checkpoints();
          await(() -> file.checkpoints() > checkpoints + 1 && file.logBytes() > bound);
          long begin = System.nanoTime();
          file.tidy();
          shortest = Math.min(shortest, System.nanoTime() - begin);
        }
        assertThat(Duration.ofNanos(shortest)).isLessThan(Duration.ofMillis(500));
      }
      await(() -> {
        file.tidy();
        insert(file, 1_000, 1);
        return file.logBytes() < bound;
      });
    }
  }

  private interface Condition {
    boolean holds() throws SQLException;
  }

  private static void await(Condition condition) throws SQLException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("condition not met within 20 s").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /// Inserts rows of one page each in one commit.
  private static void insert(SqliteFile file, int from, int count) throws SQLException {
    try (var statement =
        file.queryConnection().prepareStatement("INSERT OR REPLACE INTO number VALUES (?, ?)")) {
      for (int number = from; number < from + count; number++) {
        statement.setLong(1, number);
        statement.setString(2, "x".repeat(4_000));
        statement.executeUpdate();
      }
    }
    file.queryConnection().commit();
  }

  @Test
  void readerSeesCommittedDataOnly() throws Exception {
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 10)) {
      try (var statement = file.queryConnection().createStatement()) {
        statement.executeUpdate("INSERT INTO number VALUES (0, 'a')");
        assertThat(count(readers)).isZero();
        file.queryConnection().commit();
        assertThat(count(readers)).isEqualTo(1);
      }
    }
  }

  @Test
  void statementsAreCommittedAtomically() throws Exception {
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 10)) {
      file.commit(() -> insert(file, 0));
      assertThat(count(readers)).isEqualTo(1);
      assertThatThrownBy(() ->
              file.commit(() -> {
                insert(file, 1);
                insert(file, 1);
              }))
          .isInstanceOf(SQLException.class);
      file.queryConnection().commit();
      assertThat(count(readers)).isEqualTo(1);
    }
  }

  @Test
  void probeCommits() throws Exception {
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 10)) {
      file.probe();
      file.probe();
      assertThat(number(readers, "SELECT tries FROM probe")).isEqualTo(2);
    }
  }

  @Test
  void eachCommitIsSyncedAndCheckpointsRunConcurrently() throws Exception {
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 10)) {
      assertThat(pragma(file, "synchronous")).isEqualTo("2");
      assertThat(pragma(file, "journal_mode")).isEqualTo("wal");
      assertThat(pragma(file, "wal_autocheckpoint")).isEqualTo("0");
      assertThat(pragma(file, "busy_timeout")).isEqualTo("1000");
      assertThat(pragma(file, "page_size")).isEqualTo("4096");
      assertThat(pragma(file, "cache_size")).isEqualTo("4096");
      assertThat(pragma(file, "journal_size_limit")).isEqualTo("67108864");
      assertThatThrownBy(() -> number(readers, "UPDATE probe SET tries = 7 RETURNING tries"))
          .hasMessageContaining("readonly");

      file.commit(() -> insert(file, 0));
      long before = file.checkpoints();
      Conditions.await(() -> file.checkpoints() >= before + 2);
      assertThat(file.logBytes()).isPositive().isEqualTo(pages() * 4096);
      assertThat(file.failedCheckpoints()).isZero();
    }
  }

  @Test
  void closedPoolFailsWithServiceIsStopping() throws Exception {
    try (SqliteFile file = open()) {
      ReadPool readers = file.readers(1, 10);
      assertThat(readers.waiting()).isZero();
      var kept = new CompletableFuture<Connection>();
      readers.read(kept::complete);
      readers.close();

      assertThat(kept.join().isClosed()).isTrue();
      assertThat(readers.read(_ -> 1L).handle((_, failure) -> failure).toCompletableFuture().join())
          .isInstanceOfSatisfying(
              NotExecutedException.class, refusal -> assertThat(refusal.overloaded()).isFalse())
          .hasMessage("service is stopping; the request was not processed");
    }
  }

  @Test
  void failedQueryReturnsItsExceptionAndConnectionIsReused() throws Exception {
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 10)) {
      assertThatThrownBy(() -> number(readers, "SELECT nonsense")).hasMessageContaining("nonsense");
      assertThat(count(readers)).isZero();
    }
  }

  @Test
  void queriesBeyondTheQueueBoundAreRefused() throws Exception {
    var blocked = new CompletableFuture<Long>();
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 1)) {
      readers.read(_ -> blocked.join());
      var refused =
          IntStream.range(0, 2)
              .mapToObj(_ -> readers.read(_ -> 1L).handle((_, failure) -> failure))
              .toList()
              .getLast();
      assertThat(readers.waiting()).isEqualTo(1);
      assertThat(refused.toCompletableFuture().join())
          .isInstanceOfSatisfying(
              NotExecutedException.class, refusal -> assertThat(refusal.overloaded()).isTrue());
      blocked.complete(1L);
    }
  }

  @Test
  void queryOfACancelledCallIsSkipped() throws Exception {
    var blocked = new CompletableFuture<Long>();
    var call = Context.current().withCancellation();
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 1)) {
      readers.read(_ -> blocked.join());
      CompletionStage<Long> skipped = call.call(() -> readers.read(_ -> 1L));
      call.cancel(null);
      blocked.complete(1L);

      assertAbandoned(skipped);
      assertThat(count(readers)).isZero();
    }
  }

  @Test
  void statementOfACancelledCallIsInterrupted() throws Exception {
    String endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    var started = new CompletableFuture<Void>();
    var call = Context.current().withCancellation();
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 1)) {
      CompletionStage<Long> interrupted =
          call.call(() ->
              readers.read(connection -> {
                started.complete(null);
                try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(endless)) {
                  return rows.getLong(1);
                }
              }));
      started.join();
      call.cancel(null);

      assertAbandoned(interrupted);
      assertThat(count(readers)).isZero();
    }
  }

  private static void assertAbandoned(CompletionStage<Long> read) {
    assertThat(read.handle((_, failure) -> failure).toCompletableFuture().join())
        .isInstanceOf(NotExecutedException.class)
        .hasMessage("caller no longer waits; the request was not processed");
  }

  @Test
  void damagedFileIsReportedAndNotChanged() throws IOException {
    Path path = folder.resolve("numbers.db");
    byte[] damaged =
        "this is not a database, and never was ".repeat(200).getBytes(StandardCharsets.UTF_8);
    Files.write(path, damaged);

    assertThatThrownBy(this::open)
        .isInstanceOf(UnusableFileException.class)
        .hasMessageContaining(path.toString())
        .hasMessageNotContaining("\n");
    assertThat(path).hasBinaryContent(damaged);
  }

  /// The header of a page contains the number of its rows. The test flips one bit of that number.
  /// The remaining rows are intact, and a SQLite query returns fewer rows without an error.
  @Test
  void pageWithAMissingRowAbortsStartup() throws Exception {
    Path path = folder.resolve("numbers.db");
    int page;
    try (SqliteFile file = open();
        Statement statement = file.queryConnection().createStatement()) {
      insert(file, 1);
      insert(file, 2);
      insert(file, 3);
      file.commit();
      try (ResultSet row =
          statement.executeQuery("SELECT rootpage FROM sqlite_schema WHERE name = 'number'")) {
        page = row.getInt(1);
      }
    }
    try (var bytes = new RandomAccessFile(path.toFile(), "rw")) {
      long count = (page - 1) * 4096L + 3;
      bytes.seek(count);
      assertThat(bytes.readShort()).isEqualTo((short) 3);
      bytes.seek(count);
      bytes.writeShort(1);
    }

    assertThatThrownBy(this::open)
        .isInstanceOf(UnusableFileException.class)
        .hasMessageContaining(path.toString())
        .hasMessageContaining("damaged")
        .hasMessageNotContaining("\n");
  }

  /// SQLite rolls back a transaction when the disk is full. The test uses a ROLLBACK statement
  /// instead.
  @Test
  void rollbackSucceedsAfterSqliteEndedTheTransaction() throws Exception {
    try (SqliteFile file = open();
        var statement = file.queryConnection().createStatement()) {
      statement.execute("INSERT INTO number VALUES (0, 'a')");
      statement.execute("ROLLBACK");
      file.rollback();
      statement.execute("INSERT INTO number VALUES (0, 'b')");
      file.rollback();
      assertThat(count(file)).isZero();
    }
  }

  /// If a commit also began the next transaction, a lock of another program could make the commit
  /// fail although its data is on disk.
  @Test
  void commitTakesNoLockForTheNextTransaction() throws Exception {
    try (SqliteFile file = open();
        var statement = file.queryConnection().createStatement();
        var another = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("numbers.db"));
        var other = another.createStatement()) {
      statement.execute("INSERT INTO number VALUES (0, 'a')");
      file.commit();
      assertThatCode(() -> other.execute("BEGIN IMMEDIATE"))
          .as("the file is not locked between two transactions")
          .doesNotThrowAnyException();
      assertThatThrownBy(() -> statement.execute("INSERT INTO number VALUES (1, 'b')"))
          .hasMessageContaining("SQLITE_BUSY");
      file.rollback();
      other.execute("ROLLBACK");
      statement.execute("INSERT INTO number VALUES (1, 'b')");
      file.commit();
      assertThat(count(file)).isEqualTo(2);
    }
  }

  @Test
  void databaseOfANewerVersionIsRefusedAndNotChanged() throws Exception {
    refusesSchema(
        """
        INSERT INTO flyway_schema_history
          (installed_rank, version, description, type, script, checksum, installed_by,
           execution_time, success)
        VALUES (9, '7.1', 'colours', 'SQL', 'V7_1__colours.sql', 1, '', 1, 1)
        """,
        "schema version 7.1 is newer than 1, the newest that this version of the store knows; start the version that wrote it, or restore an older backup");
  }

  @Test
  void databaseOfAnUnreleasedVersionIsRefusedAndNotChanged() throws Exception {
    refusesSchema(
        "UPDATE flyway_schema_history SET checksum = checksum + 1 WHERE version = '1'",
        "its schema is none that this version of the store wrote; nothing was changed; start the version that wrote it, or use another data folder");
  }

  private void refusesSchema(String change, String reason) throws Exception {
    Path path = folder.resolve("numbers.db");
    try (SqliteFile file = open();
        Statement statement = file.queryConnection().createStatement()) {
      statement.executeUpdate(change);
      file.commit();
    }
    byte[] before = Files.readAllBytes(path);

    assertThatThrownBy(this::open)
        .isInstanceOf(UnusableFileException.class)
        .hasMessage("database " + path + " cannot be used: " + reason);
    assertThat(path).hasBinaryContent(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x?journal_mode=DELETE",
        "x?mode=memory&cache=shared",
        "a#b",
        "50%41",
        "two words",
        "two\nlines",
        ":memory:",
        "ä ü\u4e2d",
        "${user.name}"
      })
  void aPathMayContainAnyCharacter(String name) throws Exception {
    Path data = folder.resolve(name);
    Path path = Files.createDirectory(data).resolve("numbers.db");
    try (SqliteFile file = SqliteFile.open(path, "db/numbers");
        ReadPool readers = file.readers(1, 10)) {
      file.commit(() -> insert(file, 0));
      assertThat(count(readers)).isEqualTo(1);
      assertThat(pragma(file, "journal_mode")).isEqualTo("wal");
      try (Stream<Path> files = Files.list(data)) {
        assertThat(files.map(it -> it.getFileName().toString()))
            .containsExactlyInAnyOrder("lock", "numbers.db", "numbers.db-wal", "numbers.db-shm");
      }
    }
    try (Stream<Path> folders = Files.list(folder)) {
      assertThat(folders).containsExactly(data);
    }
  }

  @Test
  void fileWithTwoNamesIsRefused() throws Exception {
    Path path = folder.resolve("numbers.db");
    open().close();
    Path link = Files.createLink(folder.resolve("hard.db"), path);
    assertThatThrownBy(this::open)
        .isInstanceOf(UnusableFileException.class)
        .hasMessageStartingWith("database %s has 2 names (hard links); expected one, ", path);
    Files.delete(link);

    Path symbolic = Files.createSymbolicLink(folder.resolve("symbolic.db"), path);
    assertThatThrownBy(() -> SqliteFile.open(symbolic, "db/numbers"))
        .isInstanceOf(UnusableFileException.class)
        .hasMessageStartingWith("database %s is a symbolic link to %s; ", symbolic, path);
    open().close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"numbers.db", "numbers.db-wal"})
  void nothingIsCommittedWhileAFileIsMovedAway(String name) throws Exception {
    Path moved = folder.resolve(name);
    Path elsewhere = folder.resolve("elsewhere");
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 10);
        var writer = writer(file)) {
      writer.submit(it -> it.next("a")).toCompletableFuture().join();
      assertThat(file.notReady()).isNull();

      Files.move(moved, elsewhere);
      assertThat(file.notReady()).startsWith(moved + " was ");
      assertThatThrownBy(() -> writer.submit(it -> it.next("b")).toCompletableFuture().join())
          .hasCauseInstanceOf(NotExecutedException.class)
          .hasMessageContaining(
              moved + " was moved or deleted while the service uses it (NoSuchFileException);");
      assertThat(writer.refuses()).isTrue();

      Files.writeString(moved, "another file");
      assertThat(file.notReady()).startsWith(moved + " was replaced by another");

      Files.move(elsewhere, moved, StandardCopyOption.REPLACE_EXISTING);
      assertThat(file.notReady()).isNull();
      Conditions.await(() -> !writer.refuses());
      writer.submit(it -> it.next("c")).toCompletableFuture().join();
      assertThat(count(readers)).isEqualTo(2);
    }
  }

  @Test
  void onlyTheOwnerCanReadTheFiles() throws Exception {
    Path data = folder.resolve("data");
    Path own = data.resolve("numbers");
    try (SqliteFile file = open(own)) {
      file.commit(() -> insert(file, 0));
      assertThat(permissions(data)).containsExactly("numbers rwx------");
      assertThat(permissions(own))
          .containsExactly(
              "lock rw-------",
              "numbers.db rw-------",
              "numbers.db-shm rw-------",
              "numbers.db-wal rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
          .isEqualTo("rwx------");
    }
  }

  /// A container of any user of the group root finds a data folder with mode 0770.
  @Test
  void filesInAFolderOfTheRootGroupAreForThatGroupToo() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    assumeTrue((int) Files.getAttribute(data, "unix:gid") == 0, "needs the group root");
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwx---"));
    Path own = data.resolve("numbers");
    try (SqliteFile file = open(own)) {
      file.commit(() -> insert(file, 0));
      assertThat(permissions(data)).containsExactly("numbers rwxrwx---");
      assertThat(permissions(own))
          .containsExactly(
              "lock rw-rw----",
              "numbers.db rw-rw----",
              "numbers.db-shm rw-rw----",
              "numbers.db-wal rw-rw----");
    }
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
    LockedFolder.lock(own).close();
    assertThat(permissions(data)).as("others may write").containsExactly("numbers rwx------");
  }

  @Test
  void filesOfAnEarlierVersionBecomeReadableByTheirOwnerOnly() throws Exception {
    Path own = Files.createDirectory(folder.resolve("numbers"));
    Set<PosixFilePermission> everyone = PosixFilePermissions.fromString("rwxr-xr-x");
    for (String name : List.of("numbers.db", "lock", "notes")) {
      Files.setPosixFilePermissions(Files.createFile(own.resolve(name)), everyone);
    }
    Files.setPosixFilePermissions(own, everyone);
    LockedFolder.lock(own).close();
    assertThat(permissions(folder)).containsExactly("numbers rwx------");
    assertThat(permissions(own))
        .as("a file that is not the store's stays as it is")
        .containsExactly("lock rw-------", "notes rwxr-xr-x", "numbers.db rw-------");
  }

  private static List<String> permissions(Path folder) throws IOException {
    var permissions = new ArrayList<String>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        permissions.add(
            file.getFileName()
                + " "
                + PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    }
    return permissions;
  }

  @Test
  void closeLeavesACompleteFileWithoutLogOrThreads() throws Exception {
    SqliteFile file = open();
    insert(file, 1);
    file.commit();
    insert(file, 2); // not committed
    file.close();

    assertThat(folder.resolve("numbers.db-wal")).doesNotExist();
    assertThat(file.queryConnection().isClosed()).isTrue();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(it -> it.getName().contains("numbers.db"));
    try (SqliteFile again = open()) {
      assertThat(count(again)).isEqualTo(1);
    }
  }

  @Test
  void loadFailureNamesTheFile() throws Exception {
    try (SqliteFile file = open()) {
      file.load(() -> assertThat(file.notServing()).isEqualTo(Database.NOT_LOADED));
      assertThat(file.notServing()).isNull();
      assertThatThrownBy(() ->
              file.load(() -> {
                throw new CorruptDataException("damaged row");
              }))
          .isInstanceOf(UnusableFileException.class)
          .hasMessageContaining(folder.resolve("numbers.db").toString())
          .hasMessageContaining("damaged row");
    }
  }

  @Test
  void readOfDamagedDataNamesTheFile() throws Exception {
    try (SqliteFile file = open();
        ReadPool readers = file.readers(1, 10)) {
      assertThatThrownBy(() ->
              readers
                  .read(_ -> {
                    throw new SQLiteException("malformed", SQLiteErrorCode.SQLITE_CORRUPT);
                  })
                  .toCompletableFuture()
                  .get())
          .hasCauseInstanceOf(CorruptDataException.class)
          .hasMessageContaining("damaged database " + folder.resolve("numbers.db"));
    }
  }

  @Test
  void folderIsLockedByOneProcess() throws Exception {
    Process child = child("lock");
    try (BufferedReader lines = lines(child)) {
      assertThat(lines.readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> LockedFolder.lock(folder))
          .isInstanceOf(UnusableFileException.class)
          .hasMessage("data folder " + folder + " is in use by another process");
    } finally {
      child.destroyForcibly().waitFor();
    }
    LockedFolder.lock(folder).close();
  }

  @Test
  void lockWaitsForAProcessThatIsEnding() throws Exception {
    LockedFolder ending = LockedFolder.lock(folder);
    var other = new FutureTask<>(() -> LockedFolder.lock(folder));
    Thread waiting = Thread.ofPlatform().start(other);
    Conditions.await(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    assertThat(other.isDone()).isFalse();
    ending.close();

    LockedFolder given = other.get();
    assertThat(given.file("a")).isEqualTo(folder.resolve("a"));
    given.close();
  }

  private SqliteFile open() {
    return open(folder);
  }

  private static SqliteFile open(Path folder) {
    return SqliteFile.open(folder.resolve("numbers.db"), "db/numbers");
  }

  private static SingleWriter<Numbers.Batch> writer(SqliteFile file) {
    return Numbers.writer(file, 1_000, _ -> {});
  }

  private static long count(SqliteFile file) throws SQLException {
    try (ReadPool readers = file.readers(1, 1)) {
      return count(readers);
    }
  }

  private static long count(ReadPool readers) {
    return number(readers, "SELECT count(*) FROM number");
  }

  private static long number(ReadPool readers, String sql) {
    return readers
        .read(connection -> {
          try (var statement = connection.createStatement();
              var row = statement.executeQuery(sql)) {
            return row.getLong(1);
          }
        })
        .toCompletableFuture()
        .join();
  }

  private static String pragma(SqliteFile file, String name) throws SQLException {
    try (var statement = file.queryConnection().createStatement();
        var row = statement.executeQuery("PRAGMA " + name)) {
      return row.getString(1);
    }
  }

  /// Returns the number of pages in the log, as counted by SQLite.
  private long pages() throws SQLException {
    try (var connection =
            SqliteFile.dataSource(folder.resolve("numbers.db"), false).getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("PRAGMA wal_checkpoint(PASSIVE)")) {
      return row.getLong(2);
    }
  }

  private static void insert(SqliteFile file, long value) throws SQLException {
    try (var statement = file.queryConnection().createStatement()) {
      statement.executeUpdate(format("INSERT INTO number VALUES (%d, 'a')", value));
    }
  }

  private Process child(String what) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            what,
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static BufferedReader lines(Process child) {
    return new BufferedReader(
        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
  }

  /// The program that the tests start as a child process and kill.
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      Path folder = Path.of(args[1]);
      if (args[0].equals("lock")) {
        LockedFolder.lock(folder);
        System.out.println("locked");
        System.in.read();
        return;
      }
      var writer = writer(open(folder));
      while (true) {
        System.out.println(writer.submit(it -> it.next("text")).toCompletableFuture().join());
      }
    }
  }
}
