package toystore.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.writer.NotDoneException;
import toystore.writer.ReadPool;
import toystore.writer.SingleWriter;
import toystore.writer.SqliteFile;

/// A seeded walk of the book: pages that overlap, repeat, leave a gap or cannot be written, against
/// a list. Each opening goes on with the file as a killed process leaves it.
///
/// `-Dtoystore.walk.seeds=N` walks more seeds.
class BookWalkTest {
  private static final String UNWRITABLE = "unwritable-";
  private static final int OPENINGS = 4;
  private static final int ROUNDS = 30;

  @TempDir Path folder;

  private final List<Order> list = new ArrayList<>();

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("toystore.walk.seeds", 3));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(60)
  void theBookIsAListWithoutGap(long seed) throws Exception {
    var random = new Random(seed);
    for (int opening = 0; opening < OPENINGS; opening++) {
      Path path = folder.resolve("order-" + opening + ".db");
      try (SqliteFile file = SqliteFile.open(path, "db/order");
          ReadPool readers = file.readers(1, 10);
          var ledger = new BookLedger(refusing(file));
          var writer = new SingleWriter<>("walk", ledger, 10, 10, _ -> {})) {
        assertBookIsList(ledger, readers);
        for (int round = 0; round < ROUNDS; round++) {
          enter(page(random), writer, ledger, readers);
        }
        assertBookIsList(ledger, readers);
        for (String suffix : List.of("", "-wal")) { // as a killed process leaves it
          Files.copy(
              folder.resolve("order-" + opening + ".db" + suffix),
              folder.resolve("order-" + (opening + 1) + ".db" + suffix));
        }
      }
    }
  }

  private static SqliteFile refusing(SqliteFile file) throws SQLException {
    try (var statement = file.writing().createStatement()) {
      statement.executeUpdate(
          """
          CREATE TEMP TRIGGER refuse BEFORE INSERT ON book WHEN NEW.key LIKE '%s%%'
          BEGIN SELECT RAISE(ABORT, 'planned'); END
          """
              .formatted(UNWRITABLE));
      file.writing().commit();
    }
    return file;
  }

  private void enter(
      List<Order> page,
      SingleWriter<List<Order>, Position> writer,
      BookLedger ledger,
      ReadPool readers) {
    Position before = position();
    boolean gap = page.getFirst().number() > before.next();
    boolean unwritable =
        page.stream()
            .anyMatch(it -> it.key().startsWith(UNWRITABLE) && it.number() >= before.next());
    if (!gap && !unwritable) {
      page.stream().filter(it -> it.number() >= before.next()).forEach(list::add);
    }
    CompletableFuture<String> answer =
        writer
            .submit(page)
            .thenApply(reached -> reached + (isCommitted(reached, readers) ? "" : " not committed"))
            .exceptionally(BookWalkTest::told)
            .toCompletableFuture();

    assertThat(answer.join())
        .isEqualTo(gap ? "gap" : unwritable ? "not done" : position().toString());
    assertThat(ledger.position()).isEqualTo(position());
  }

  /// Whether a second connection sees the book go so far, at the moment of the answer.
  private static boolean isCommitted(Position reached, ReadPool readers) {
    return readers.read(BookStore::position).toCompletableFuture().join().equals(reached);
  }

  private static String told(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    if (cause instanceof NotDoneException || failure instanceof NotDoneException) {
      return "not done";
    }
    return String.valueOf(cause.getMessage()).contains("would leave a gap")
        ? "gap"
        : cause.toString();
  }

  private void assertBookIsList(BookLedger ledger, ReadPool readers) {
    assertThat(ledger.position()).isEqualTo(position());
    assertThat(
            readers
                .read(connection -> BookStore.page(connection, 0, Integer.MAX_VALUE))
                .toCompletableFuture()
                .join())
        .isEqualTo(list);
  }

  private Position position() {
    return list.isEmpty() ? Position.START : Position.after(list.getLast());
  }

  /// Mostly the next orders, or some that are known already with them; now and then one too far.
  private List<Order> page(Random random) {
    long from = Math.max(0, list.size() + random.nextInt(8) - 6);
    List<Order> page = new ArrayList<>();
    for (int i = random.nextInt(9); i >= 0; i--) {
      long number = from++;
      page.add(
          number < list.size() ? list.get((int) number) : order(number, random.nextInt(40) == 0));
    }
    return page;
  }

  private static Order order(long number, boolean unwritable) {
    return new Order(
        number,
        (unwritable ? UNWRITABLE : "key-") + number,
        Order.Kind.values()[(int) (number % 3)],
        number % 2 == 0,
        List.of(new Order.Line("熊 \"Tux\"", number + 1, 2599)),
        Instant.ofEpochMilli(1_800_000_000_000L + number));
  }
}
