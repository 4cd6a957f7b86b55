package toystore.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Clients that buy repeatedly until they are stopped, each purchase with a new key. An
/// acknowledgement counts after it is synced to a journal. At the end, tests compare the store with
/// this journal. Any thread.
public abstract class RepeatingBuyers extends ClientThreads {
  private final Duration pause;
  private final Path journal;
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong keys = new AtomicLong();

  /// @param folder the folder of the journal
  /// @param pause of a buyer after each purchase
  protected RepeatingBuyers(Path folder, Duration pause) throws IOException {
    this.pause = pause;
    this.journal = Files.createTempFile(folder, "answers-", ".txt");
  }

  /// Repeats a purchase until it is decided: see [StoreHttpClient#sendUntilDecided].
  ///
  /// @return the sale's number; empty: the product can no longer be bought
  protected abstract OptionalLong buy(int buyer, String key);

  /// Starts clients that buy until they are stopped.
  public void start(int count) {
    start(count, this::buyRepeatedly);
  }

  private void buyRepeatedly(int buyer) throws IOException {
    while (areRunning()) {
      String key = name + "-" + buyer + "-" + keys.getAndIncrement();
      OptionalLong number = buy(buyer, key);
      if (number.isEmpty()) {
        return;
      }
      record(number.getAsLong(), key);
      countAnswer();
      LockSupport.parkNanos(pause.toNanos());
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
}
