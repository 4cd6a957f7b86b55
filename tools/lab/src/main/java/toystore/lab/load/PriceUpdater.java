package toystore.lab.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import toystore.clients.load.CallSource;
import toystore.clients.load.LoadConnection;
import toystore.clients.load.Scenario;
import toystore.clients.load.Verdict;

/// Changes the price of a random stock 20 times a second over gRPC, until it is closed. A late
/// change does not shift the times of later changes. Any thread.
public final class PriceUpdater implements AutoCloseable {
  /// Changes nothing.
  public static final PriceUpdater NONE = new PriceUpdater();

  private static final Duration INTERVAL = Duration.ofMillis(50);

  private volatile boolean closed;
  private volatile @Nullable String fault;

  private PriceUpdater() {}

  /// @param catalog such as `grpc://127.0.0.1:9091`
  public static PriceUpdater start(URI catalog) {
    var updater = new PriceUpdater();
    Thread.ofPlatform().daemon().name("price-updater").start(() -> updater.run(catalog));
    return updater;
  }

  private void run(URI catalog) {
    try {
      var source = new CallSource(catalog, Scenario.ofStore(), "update");
      try (LoadConnection connection = source.open()) {
        update(source, connection);
      }
    } catch (IOException e) {
      fault = e.toString();
    }
  }

  private void update(CallSource source, LoadConnection connection) throws IOException {
    var random = new SplittableRandom(1);
    for (long next = System.nanoTime(); !closed && fault == null; next += INTERVAL.toNanos()) {
      CallSource.Call call = source.next(0, random);
      Verdict verdict = source.verdict(call, connection.send(call), true);
      fault = verdict instanceof Verdict.Correct ? null : verdict.toString();
      LockSupport.parkNanos(next + INTERVAL.toNanos() - System.nanoTime());
    }
  }

  /// @throws IllegalStateException if a price could not be changed
  @Override
  public void close() {
    closed = true;
    String found = fault;
    if (found != null) {
      throw new IllegalStateException("a price could not be changed: " + found);
    }
  }
}
