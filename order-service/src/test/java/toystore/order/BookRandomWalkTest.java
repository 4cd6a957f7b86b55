package toystore.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;

/// Seeded random walk of the order book against one list per series. Pages of two series overlap,
/// repeat, leave a gap or cannot be written. Each restart continues with the files as a killed
/// process leaves them.
///
/// `-Dtoystore.walk.seeds=N` sets the number of seeds.
class BookRandomWalkTest {
  private static final String UNWRITABLE = "unwritable-";
  private static final int RESTARTS = 4;
  private static final int ROUNDS = 30;

  @TempDir Path folder;

  private final Map<Order.Series, List<Order>> expected = new EnumMap<>(Order.Series.class);

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("toystore.walk.seeds", 2));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(60)
  void bookEqualsAModelListAcrossRestarts(long seed) throws Exception {
    var random = new Random(seed);
    for (int restart = 0; restart < RESTARTS; restart++) {
      Path path = folder.resolve("order-" + restart + ".db");
      try (SqliteFile file = SqliteFile.open(path, "db/order");
          ReadPool readers = file.readers(1, 10)) {
        var book = new BookBatchStore(refusing(file));
        walk(new OrderBatchStore(file, book, InstantSource.system()), book, readers, random);
        for (String suffix : List.of("", "-wal")) { // as a killed process leaves it
          Files.copy(
              folder.resolve("order-" + restart + ".db" + suffix),
              folder.resolve("order-" + (restart + 1) + ".db" + suffix));
        }
      }
    }
  }

  private void walk(
      OrderBatchStore batchStore, BookBatchStore book, ReadPool readers, Random random) {
    try (var writer = new SingleWriter<>("walk", batchStore, 10, 10, _ -> {})) {
      assertBookIsList(book, readers);
      for (int round = 0; round < ROUNDS; round++) {
        enter(page(random), writer, book, readers);
      }
      assertBookIsList(book, readers);
    }
  }

  private static SqliteFile refusing(SqliteFile file) throws SQLException {
    try (var statement = file.writing().createStatement()) {
      statement.executeUpdate(
          String.format(
              Locale.ROOT,
              """
              CREATE TEMP TRIGGER refuse BEFORE INSERT ON book WHEN NEW.key LIKE '%s%%'
              BEGIN SELECT RAISE(ABORT, 'planned'); END
              """,
              UNWRITABLE));
      file.writing().commit();
    }
    return file;
  }

  private void enter(
      List<Order> page,
      SingleWriter<OrderCommand, OrderResult> writer,
      BookBatchStore book,
      ReadPool readers) {
    Order.Series series = page.getFirst().series();
    Checkpoint before = position(series);
    boolean gap = page.getFirst().number() > before.next();
    boolean unwritable =
        page.stream()
            .anyMatch(it -> it.key().startsWith(UNWRITABLE) && it.number() >= before.next());
    if (!gap && !unwritable) {
      page.stream().filter(it -> it.number() >= before.next()).forEach(list(series)::add);
    }
    CompletableFuture<String> answer =
        writer
            .submit(new OrderCommand.AppendToBook(page))
            .thenApply(Checkpoint.class::cast)
            .thenApply(reached ->
                reached + (isCommitted(series, reached, readers) ? "" : " not committed"))
            .exceptionally(BookRandomWalkTest::describe)
            .toCompletableFuture();

    assertThat(answer.join())
        .isEqualTo(gap ? "gap" : unwritable ? "not done" : position(series).toString());
    assertThat(book.position(series)).isEqualTo(position(series));
  }

  /// Whether a second connection sees the checkpoint at the moment of the answer.
  private static boolean isCommitted(Order.Series series, Checkpoint reached, ReadPool readers) {
    return readers
        .read(connection -> OrderBookStore.position(connection, series))
        .toCompletableFuture()
        .join()
        .equals(reached);
  }

  private static String describe(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    if (cause instanceof NotExecutedException || failure instanceof NotExecutedException) {
      return "not done";
    }
    return String.valueOf(cause.getMessage())
            .contains("next sale for the order book must have number")
        ? "gap"
        : cause.toString();
  }

  private void assertBookIsList(BookBatchStore book, ReadPool readers) {
    for (Order.Series series : Order.Series.values()) {
      assertThat(book.position(series)).isEqualTo(position(series));
      assertThat(
              readers
                  .read(connection -> OrderBookStore.page(connection, series, 0, Integer.MAX_VALUE))
                  .toCompletableFuture()
                  .join())
          .isEqualTo(list(series));
    }
  }

  private Checkpoint position(Order.Series series) {
    List<Order> list = list(series);
    return list.isEmpty() ? Checkpoint.START : Checkpoint.after(list.getLast());
  }

  private List<Order> list(Order.Series series) {
    return expected.computeIfAbsent(series, _ -> new ArrayList<>());
  }

  /// Usually the next orders, sometimes with orders that are already in the book, rarely with a
  /// gap.
  private List<Order> page(Random random) {
    Order.Series series = random.nextInt(3) == 0 ? Order.Series.PURCHASES : Order.Series.STORE;
    List<Order> list = list(series);
    long from = Math.max(0, list.size() + random.nextInt(8) - 6);
    List<Order> page = new ArrayList<>();
    for (int i = random.nextInt(9); i >= 0; i--) {
      long number = from++;
      page.add(
          number < list.size()
              ? list.get((int) number)
              : order(series, number, random.nextInt(40) == 0));
    }
    return page;
  }

  private static Order order(Order.Series series, long number, boolean unwritable) {
    return new Order(
        series,
        number,
        (unwritable ? UNWRITABLE : "key-") + number,
        Order.Kind.values()[(int) (number % 3)],
        number % 2 == 0,
        List.of(new Order.Line(number % 5, "熊 \"Tux\"", number + 1, 2599)),
        Instant.ofEpochMilli(1_800_000_000_000L + number));
  }
}
