package toystore.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Clients that buy repeatedly until they are stopped. Each client retries a request with the same
/// key until the request is acknowledged. An acknowledgement counts after it is synced to a
/// journal. At the end, tests compare the store with this journal. Any thread.
public final class RepeatingBuyers implements AutoCloseable {
  private final Request request;
  private final Duration betweenBuys;
  private final Duration afterError;
  private final Path journal;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> buyers = new ArrayList<>();
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong keys = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile boolean buying;
  private volatile boolean closed;

  /// One attempt to buy.
  @FunctionalInterface
  public interface Request {
    /// @param attempt the number of the attempt with this key, from 0
    /// @return the sale's number; empty: not executed or unknown, so it is retried
    /// @throws Refused if this buyer must stop
    OptionalLong send(int buyer, String key, int attempt) throws Refused, IOException;
  }

  /// Thrown if the product can no longer be bought.
  public static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
  }

  /// @param folder the folder of the journal
  public RepeatingBuyers(Path folder, Duration betweenBuys, Duration afterError, Request request)
      throws IOException {
    this.request = request;
    this.betweenBuys = betweenBuys;
    this.afterError = afterError;
    this.journal = Files.createTempFile(folder, "answers-", ".txt");
  }

  /// Starts clients that buy until they are stopped.
  public RepeatingBuyers start(int count) {
    buying = true;
    for (int i = 0; i < count; i++) {
      int buyer = i;
      buyers.add(
          threads.submit(() -> {
            buy(buyer);
            return null;
          }));
    }
    return this;
  }

  private void buy(int buyer) throws IOException {
    try {
      while (buying) {
        String key = String.format(Locale.ROOT, "%s-%d-%d", name, buyer, keys.getAndIncrement());
        OptionalLong number = OptionalLong.empty();
        for (int attempt = 0; number.isEmpty() && !closed; attempt++) {
          number = request.send(buyer, key, attempt);
          LockSupport.parkNanos((number.isEmpty() ? afterError : betweenBuys).toNanos());
        }
        if (number.isPresent()) {
          record(number.getAsLong(), key);
          acknowledged.incrementAndGet();
        }
      }
    } catch (Refused last) {
      // the product can no longer be bought
    }
  }

  private synchronized void record(long number, String key) throws IOException {
    String line = number + " " + key + "\n";
    Files.writeString(journal, line, StandardOpenOption.APPEND, StandardOpenOption.DSYNC);
  }

  /// Returns the number of the buyer that made this key.
  public static int buyer(String key) {
    String[] parts = key.split("-");
    return Integer.parseInt(parts[parts.length - 2]);
  }

  /// Returns which of all purchases has this key, from 0.
  static int purchase(String key) {
    return Integer.parseInt(key.substring(key.lastIndexOf('-') + 1));
  }

  /// Returns the number of acknowledged purchases so far.
  ///
  /// @throws AssertionError if a buyer received an invalid response
  public long acknowledged() {
    for (Future<?> buyer : buyers) {
      if (buyer.state() == Future.State.FAILED) {
        throw new AssertionError(buyer.exceptionNow().getMessage(), buyer.exceptionNow());
      }
    }
    return acknowledged.get();
  }

  /// Returns whether all buyers have stopped by themselves.
  public boolean areDone() {
    return buyers.stream().allMatch(Future::isDone);
  }

  /// Stops the buyers and waits until their current requests are acknowledged.
  public void stop() throws ExecutionException, InterruptedException {
    buying = false;
    for (Future<?> buyer : buyers) {
      buyer.get();
    }
    buyers.clear();
  }

  /// Returns the keys of all acknowledged sales, by number.
  public SortedMap<Long, String> sales() throws IOException {
    var sales = new TreeMap<Long, String>();
    for (String line : Files.readAllLines(journal)) {
      String[] words = line.split(" ");
      if (sales.put(Long.valueOf(words[0]), words[1]) != null) {
        throw new AssertionError("a number was acknowledged twice: " + line);
      }
    }
    return sales;
  }

  @Override
  public void close() {
    buying = false;
    closed = true;
    threads.shutdownNow();
  }
}
