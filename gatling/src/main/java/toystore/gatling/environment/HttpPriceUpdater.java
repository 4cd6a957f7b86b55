package toystore.gatling.environment;

import java.net.URI;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Changes the price of a random stock, as the administrator, 20 times a second, while clients look
/// up and trade. One thread starts and stops it.
final class HttpPriceUpdater implements AutoCloseable {
  static final String WHAT = "20 prices change a second";

  private static final long EVERY_NANOS = 1_000_000_000 / 20;

  private final URI url;
  private final String token;
  private final Random random = new Random(1);
  private volatile boolean on;
  private volatile @Nullable RuntimeException failure;
  private @Nullable Thread thread;

  HttpPriceUpdater(URI url, String token) {
    this.url = url;
    this.token = token;
  }

  /// @throws IllegalStateException if an update has failed
  void start() {
    check();
    if (!on) {
      on = true;
      thread = Thread.ofPlatform().daemon().name("updater").start(this::update);
    }
  }

  /// @throws IllegalStateException if an update has failed
  void stop() {
    close();
    check();
  }

  private void check() {
    RuntimeException wrong = failure;
    if (wrong != null) {
      throw wrong;
    }
  }

  private void update() {
    long next = System.nanoTime();
    try {
      while (on) {
        String stock = ShippedStocks.any(random);
        int cents = ShippedStocks.anyPrice(random);
        StoreHttpClient.patch(
            URI.create(url + "/products/" + stock),
            "{\"price\":%d.%02d}".formatted(cents / 100, cents % 100),
            token);
        next += EVERY_NANOS;
        LockSupport.parkNanos(next - System.nanoTime());
      }
    } catch (RuntimeException wrong) {
      failure = wrong;
    }
  }

  @Override
  public void close() {
    on = false;
    if (thread != null) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      thread = null;
    }
  }
}
