package toystore.platform.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/// Measures the figures in docs/decisions/0001 and 0002: durable purchases per second, with one
/// writer that commits batches and with one transaction per purchase. It measures SQLite and, if a
/// URL is given, a database server. The build does not run it, because its name does not end in
/// `Test`. The decisions contain the command lines.
///
/// Each result is compared with a baseline that is measured just before on the same disk: N records
/// of the size of a purchase are appended to a file and synced once. N callers, each of which waits
/// for its answer, can have at most N purchases in one commit.
class CommitBenchmark {
  private static final List<Integer> CALLERS = List.of(1, 8, 64);
  private static final int BATCH = 500;
  private static final Duration WINDOW = Duration.ofMillis(500);
  private static final int WINDOWS = 5;
  private static final int WARM_UP_WINDOWS = 10;
  private static final double STEADY = 0.03;

  private final AtomicLong keys = new AtomicLong();

  /// A durable operation.
  private interface Action {
    void once() throws Exception;
  }

  /// Creates the action of a caller.
  private interface ActionFactory {
    Action open() throws Exception;
  }

  /// @param nanos the duration of each action, sorted
  /// @param perSecond the number of actions per second
  private record Figures(long[] nanos, double perSecond) {
    long micros(double share) {
      return nanos[(int) Math.min(nanos.length - 1, Math.round(nanos.length * share))] / 1_000;
    }
  }

  /// Creates temporary folders in `target`. The default folder may be in memory, where a sync costs
  /// nothing.
  static final class InBuildFolder implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
        throws IOException {
      return Files.createTempDirectory(Path.of("target"), "commits-");
    }
  }

  @Test
  void measure(@TempDir(factory = InBuildFolder.class) Path folder) throws Exception {
    String server = System.getProperty("benchmark.url", "");
    System.out.printf(Locale.ROOT, "%n%-52s %8s %8s %8s%n", "", "buys/s", "p50 µs", "p99 µs");
    for (int callers : CALLERS) {
      double baseline = baseline(folder.resolve("baseline-" + callers), callers);
      sqlite(folder.resolve("sqlite-" + callers + ".db"), callers, baseline);
      if (!server.isEmpty()) {
        server(server, callers, baseline);
      }
    }
  }

  private double baseline(Path file, int records) throws Exception {
    var bytes = ByteBuffer.allocateDirect(records * recordBytes());
    try (var channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      Figures figures =
          figures(
              1,
              () ->
                  () -> {
                    bytes.clear();
                    channel.write(bytes);
                    channel.force(false);
                  });
      double perSecond = records * figures.perSecond();
      print(
          String.format(Locale.ROOT, "baseline: %d × %d bytes, synced", records, recordBytes()),
          figures,
          records);
      System.out.println();
      return perSecond;
    }
  }

  private int recordBytes() {
    return 2 * key().length()
        + BuysBatchStore.LINES.length()
        + BuysBatchStore.HASH.length()
        + 4 * 8;
  }

  private void sqlite(Path path, int callers, double baseline) throws Exception {
    try (var file = SqliteFile.open(path, "db/buys")) {
      var batchStore = new BuysBatchStore(file.writing(), file::tidy);
      compare("SQLite, one writer", callers, baseline, batched(batchStore, callers));
    }
    Path again = path.resolveSibling("each-" + path.getFileName());
    try (var file = SqliteFile.open(again, "db/buys")) {
      var batchStore = new BuysBatchStore(file.writing(), file::tidy);
      compare("SQLite, a transaction each", callers, baseline, locked(batchStore, callers));
    }
  }

  private void server(String url, int callers, double baseline) throws Exception {
    try (var writing = DriverManager.getConnection(url)) {
      String name = writing.getMetaData().getDatabaseProductName();
      begin(writing);
      writing.setAutoCommit(false);
      var batchStore = new BuysBatchStore(writing, () -> {});
      compare(name + ", one writer", callers, baseline, batched(batchStore, callers));
      begin(writing);
      compare(name + ", a transaction each", callers, baseline, connected(url, callers));
      drop(writing);
    }
  }

  /// Measures one writer that commits batches.
  private Figures batched(BuysBatchStore batchStore, int callers) throws Exception {
    try (var writer =
        new SingleWriter<>("benchmark", batchStore, 10_000, BATCH, CommitBenchmark::failed)) {
      return figures(
          callers,
          () -> () -> writer.submit(new BuysBatchStore.Buy(key())).toCompletableFuture().join());
    }
  }

  /// Measures the same rows with one transaction per purchase, one caller at a time.
  private Figures locked(BuysBatchStore batchStore, int callers) throws Exception {
    return figures(
        callers,
        () ->
            () -> {
              synchronized (batchStore) {
                var batch = batchStore.open();
                batch.decide(new BuysBatchStore.Buy(key()));
                batch.write();
                batch.commit();
                batch.publish();
                batchStore.tidy();
              }
            });
  }

  /// Measures one connection per caller. The row locks of the server isolate the transactions.
  private Figures connected(String url, int callers) throws Exception {
    var connections = new ArrayList<Connection>();
    try {
      return figures(
          callers,
          () -> {
            Connection connection = DriverManager.getConnection(url);
            synchronized (connections) {
              connections.add(connection);
            }
            connection.setAutoCommit(false);
            return buying(connection);
          });
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  /// Returns an action that buys with its own transaction. The stock and the next number are rows,
  /// because no writer keeps them in memory.
  private Action buying(Connection connection) throws SQLException {
    PreparedStatement take =
        connection.prepareStatement(
            "UPDATE benchmark_product SET quantity = quantity - 1 WHERE id = 1 AND quantity >= 1");
    PreparedStatement count =
        connection.prepareStatement(
            "UPDATE benchmark_series SET next_number = next_number + 1 WHERE id = 1");
    PreparedStatement number =
        connection.prepareStatement("SELECT next_number - 1 FROM benchmark_series WHERE id = 1");
    PreparedStatement sale =
        connection.prepareStatement("INSERT INTO benchmark_sale VALUES (?, ?, ?, ?)");
    PreparedStatement answer =
        connection.prepareStatement("INSERT INTO benchmark_answer VALUES (?, ?, ?)");
    return () -> {
      String key = key();
      take.executeUpdate();
      count.executeUpdate();
      try (ResultSet row = number.executeQuery()) {
        row.next();
        sale.setLong(1, row.getLong(1));
        answer.setLong(3, row.getLong(1));
      }
      sale.setString(2, key);
      sale.setString(3, BuysBatchStore.LINES);
      sale.setLong(4, System.currentTimeMillis());
      sale.executeUpdate();
      answer.setString(1, key);
      answer.setString(2, BuysBatchStore.HASH);
      answer.executeUpdate();
      connection.commit();
    };
  }

  /// Returns the next key. Keys ascend, like those that the frontend generates.
  private String key() {
    return String.format(Locale.ROOT, "POST /orders\n%036d", keys.getAndIncrement());
  }

  private static void begin(Connection connection) throws IOException, SQLException {
    drop(connection);
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement();
        var script = CommitBenchmark.class.getResourceAsStream("/db/buys/V1__buys.sql")) {
      if (script == null) {
        throw new IllegalStateException("test resource db/buys/V1__buys.sql is missing");
      }
      String text = new String(script.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      for (String sql : text.replaceAll("--.*", "").split(";")) {
        if (!sql.isBlank()) {
          statement.execute(sql);
        }
      }
    }
  }

  private static void drop(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      for (String table : List.of("product", "series", "sale", "answer")) {
        statement.execute("DROP TABLE IF EXISTS benchmark_" + table);
      }
    }
  }

  /// Runs the callers in a closed loop, in windows of equal length. When two windows in a row
  /// differ by less than 3 %, or after ten windows, the measurement begins. Returns the measured
  /// window with the median throughput.
  private static Figures figures(int callers, ActionFactory actionFactory) throws Exception {
    var actions = new ArrayList<Action>();
    for (int i = 0; i < callers; i++) {
      actions.add(actionFactory.open());
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      double before = 0;
      for (int i = 0; i < WARM_UP_WINDOWS; i++) {
        double now = run(threads, actions, WINDOW).perSecond();
        if (Math.abs(now - before) < STEADY * before) {
          break;
        }
        before = now;
      }
      var measured = new ArrayList<Figures>();
      for (int i = 0; i < WINDOWS; i++) {
        measured.add(run(threads, actions, WINDOW));
      }
      measured.sort(Comparator.comparingDouble(Figures::perSecond));
      return measured.get(WINDOWS / 2);
    }
  }

  private static Figures run(ExecutorService threads, List<Action> actions, Duration time)
      throws InterruptedException, ExecutionException {
    long begin = System.nanoTime();
    long end = begin + time.toNanos();
    var loops = new ArrayList<Future<long[]>>();
    for (Action action : actions) {
      loops.add(threads.submit(() -> loop(action, end)));
    }
    var all = new ArrayList<long[]>();
    for (Future<long[]> loop : loops) {
      all.add(loop.get());
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    long[] nanos = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return new Figures(nanos, nanos.length / seconds);
  }

  private static long[] loop(Action action, long end) throws Exception {
    long[] nanos = new long[1_024];
    int count = 0;
    for (long now = System.nanoTime(); now < end; count++) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      action.once();
      long after = System.nanoTime();
      nanos[count] = after - now;
      now = after;
    }
    return Arrays.copyOf(nanos, count);
  }

  private static void compare(String what, int callers, double baseline, Figures figures) {
    print(String.format(Locale.ROOT, "%2d callers  %s", callers, what), figures, 1);
    System.out.printf(Locale.ROOT, "  %.2f of the baseline%n", figures.perSecond() / baseline);
  }

  private static void print(String what, Figures figures, int each) {
    System.out.printf(
        Locale.ROOT,
        "%-52s %,8.0f %,8d %,8d",
        what,
        each * figures.perSecond(),
        figures.micros(0.50),
        figures.micros(0.99));
  }

  private static void failed(Throwable failure) {
    throw new IllegalStateException("the disk failed", failure);
  }
}
