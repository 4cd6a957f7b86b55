package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import toystore.catalog.CrashingCatalog;
import toystore.torture.crash.CrashPoint;

/// Traders trade a stock up to its bound of volume while the catalog is killed, by its own hand, at
/// the points where a trade could be half done. The bound is never passed, the stock is suspended,
/// and each trade that was acknowledged is in its volume.
final class VolumeCap implements Trial {
  private static final List<CrashPoint> POINTS =
      List.of(CrashPoint.BEFORE_COMMIT, CrashPoint.BEFORE_PUBLISHING, CrashPoint.BEFORE_ANSWER);
  private static final int PASSAGES = 20;
  private static final int QUICK_PASSAGES = 6;
  private static final int TRADERS = 8;
  private static final int LARGEST = 3;
  private static final int KILLED = 128 + 9;

  private static final Pattern NUMBER = Pattern.compile("\"transaction_number\":(\\d+)");
  private static final Pattern VOLUME = Pattern.compile("\"volume\":(\\d+)");
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  @Override
  public String name() {
    return "volume-cap";
  }

  @Override
  public String unit() {
    return "deaths on the way to the bound";
  }

  @Override
  public long wanted() {
    return 60;
  }

  @Override
  public long round(Round round) throws Exception {
    int bound = round.quick() ? 40 : 500;
    int passages = round.quick() ? QUICK_PASSAGES : PASSAGES;
    var random = new Random(round.seed());
    Path file = round.folder().resolve("stocks.csv");
    Files.writeString(
        file, "name,price,quantity,max_volume\nGameStart,10.00,1000000,%d\n".formatted(bound));
    try (var store =
            new StoreProcesses(round.folder())
                .with("catalog", "toystore.catalog.file", file.toString());
        var traders = new Traders(round.folder(), store.http("frontend"))) {
      store.start("order");
      store.start("frontend");
      startToDie(store, random, passages);
      traders.come();
      int deaths = 0;
      while (!traders.areThrough()) {
        LockSupport.parkNanos(LOOK_NANOS);
        if (!store.process("catalog").isAlive()) {
          assertThat(store.process("catalog").exitValue()).isEqualTo(KILLED);
          deaths++;
          startToDie(store, random, passages);
        }
      }
      store.kill("catalog");
      store.withOwnMain("catalog").withJvm("catalog").start("catalog");
      StoreProcesses.await(store.http("frontend")::isReady);
      traders.checkAgainst(store.http("frontend"), bound);
      round.out().printf("%d trades acknowledged, died %d times%n", traders.count(), deaths);
      return deaths;
    }
  }

  private static void startToDie(StoreProcesses store, Random random, int passages)
      throws IOException {
    CrashPoint point = POINTS.get(random.nextInt(POINTS.size()));
    store
        .withMain("catalog", CrashingCatalog.class)
        .withJvm("catalog", point.option(1 + random.nextInt(passages)))
        .start("catalog");
  }

  /// Those who trade until the stock is suspended, each repeating a trade with its key until it
  /// knows what became of it.
  private static final class Traders implements AutoCloseable {
    private final Http frontend;
    private final Journal journal;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> traders = new ArrayList<>();

    Traders(Path folder, Http frontend) throws IOException {
      this.frontend = frontend;
      this.journal = new Journal(folder);
    }

    void come() {
      for (int i = 0; i < TRADERS; i++) {
        int quantity = 1 + i % LARGEST;
        String name = "trader-" + i;
        traders.add(threads.submit(() -> trade(name, quantity)));
      }
    }

    private void trade(String name, int quantity) {
      for (int i = 0; ; i++) {
        String key = name + "-" + i;
        Http.Reply reply = decided(key, quantity);
        if (reply.status() == 409) {
          assertThat(reply.body()).contains("is suspended");
          return;
        }
        Matcher number = NUMBER.matcher(reply.body());
        assertThat(number.find()).as(reply.body()).isTrue();
        journal.write("%s %s %d".formatted(number.group(1), key, quantity));
      }
    }

    private Http.Reply decided(String key, int quantity) {
      Http.Reply reply = send(key, quantity);
      while (reply == null || reply.status() == 503 || reply.status() == 504) {
        LockSupport.parkNanos(PAUSE_NANOS);
        reply = send(key, quantity);
      }
      assertThat(reply.status()).as(reply.body()).isIn(200, 409);
      return reply;
    }

    private Http.@Nullable Reply send(String key, int quantity) {
      String type = quantity % 2 == 0 ? "sell" : "buy";
      String body =
          "{\"name\":\"GameStart\",\"quantity\":%d,\"type\":\"%s\"}".formatted(quantity, type);
      try {
        return frontend.post("/orders", body, "Idempotency-Key", key);
      } catch (IOException away) {
        return null;
      }
    }

    boolean areThrough() {
      return traders.stream().allMatch(Future::isDone);
    }

    long count() throws IOException {
      return journal.lines().size();
    }

    void checkAgainst(Http http, int bound) throws Exception {
      for (Future<?> trader : traders) {
        trader.get();
      }
      long units = 0;
      for (String line : journal.lines()) {
        String[] trade = line.split(" ");
        int quantity = Integer.parseInt(trade[2]);
        units += quantity;
        assertThat(decided(trade[1], quantity).body())
            .as("repeat of %s", line)
            .isEqualTo("{\"data\":{\"transaction_number\":%s}}", trade[0]);
      }
      String stock = http.get("/stocks/GameStart").body();
      Matcher volume = VOLUME.matcher(stock);
      assertThat(volume.find()).as(stock).isTrue();
      assertThat(Long.parseLong(volume.group(1)))
          .as("volume; %d units were acknowledged, the bound is %d", units, bound)
          .isEqualTo(units)
          .isBetween((long) bound - LARGEST + 1, (long) bound);
      assertThat(stock).contains("\"suspended\":true");
      assertThat(http.audit().body()).startsWith("{\"ok\":true");
    }

    @Override
    public void close() throws IOException {
      threads.shutdownNow();
      journal.close();
    }
  }
}
