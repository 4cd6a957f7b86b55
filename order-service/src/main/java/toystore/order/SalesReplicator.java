package toystore.order;

import static java.util.Objects.requireNonNull;
import static toystore.order.Order.Series.STORE;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import toystore.platform.rpc.Retries;
import toystore.platform.storage.SingleWriter;

/// Brings the catalog's sales into the book: asks for the page behind the book's position in a
/// series, has it entered, and goes on from there. What was sold while this service was away comes
/// the same way.
///
/// One thread of its own; [#hurry], [#isComplete], [#isCompared] and [#mismatch] are for any.
@Component
final class SalesReplicator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SalesReplicator.class);
  private static final int PAGE_SIZE = 1_000;

  /// Sales that come close together are entered together: a commit here is a sync that the
  /// catalog's own commits wait for.
  private static final long BATCH_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final SalesClient catalog;
  private final BookBatchStore book;
  private final SingleWriter<List<Order>, Checkpoint> writer;
  private final Thread thread;
  private final Map<Order.Series, SeriesProgress> progress = new EnumMap<>(Order.Series.class);
  private volatile boolean closed;
  private volatile @Nullable String lastError;

  /// How far a series was followed. The thread writes all but the news.
  private static final class SeriesProgress {
    final Order.Series series;
    volatile boolean wakeRequested;
    volatile boolean caughtUp;
    volatile boolean compared;
    volatile long nextSale;
    volatile @Nullable String mismatch;
    long due = System.nanoTime();

    SeriesProgress(Order.Series series) {
      this.series = series;
    }

    /// Nanoseconds until it is followed again.
    long nanosUntilDue() {
      return wakeRequested ? 0 : due - System.nanoTime();
    }
  }

  SalesReplicator(
      SalesClient catalog,
      BookBatchStore book,
      SingleWriter<List<Order>, Checkpoint> writer,
      MeterRegistry registry) {
    this.catalog = catalog;
    this.book = book;
    this.writer = writer;
    this.thread = Thread.ofPlatform().name("sales-replicator").unstarted(this::run);
    for (Order.Series series : Order.Series.values()) {
      progress.put(series, new SeriesProgress(series));
    }
    gauge(registry, "position", "Orders in the book", it -> it.book.position(STORE).next());
    gauge(
        registry,
        "lag",
        "Sales in the catalog that the book does not have yet",
        SalesReplicator::lag);
    gauge(
        registry,
        "complete",
        "1 once the book has caught up with the catalog",
        it -> it.hasCaughtUp() ? 1 : 0);
    gauge(
        registry,
        "mismatch",
        "1 while book and catalog do not match",
        it -> it.mismatch() == null ? 0 : 1);
    thread.start();
  }

  /// Says that something was sold.
  void wake(Order.Series series) {
    SeriesProgress it = requireNonNull(progress.get(series));
    if (!it.wakeRequested) {
      it.wakeRequested = true;
      LockSupport.unpark(thread);
    }
  }

  /// Whether the book has held all there was to hold since this service started.
  boolean isCaughtUp() {
    return hasCaughtUp() && mismatch() == null;
  }

  private boolean hasCaughtUp() {
    return progress.values().stream().allMatch(it -> it.caughtUp);
  }

  /// Whether the book was held against the catalog since either of them started. Until then nobody
  /// knows whether the catalog would give numbers out again that the book has.
  boolean isCompared() {
    return progress.values().stream().allMatch(it -> it.compared);
  }

  /// Why book and catalog do not belong together; null where they do.
  @Nullable String mismatch() {
    return progress.values().stream()
        .map(it -> it.mismatch)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /// Why the catalog could not be asked, the last time; null where it could.
  @Nullable String lastError() {
    return lastError;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!closed) {
      for (SeriesProgress it : progress.values()) {
        if (it.nanosUntilDue() <= 0) {
          it.due = System.nanoTime() + tryReplicate(it);
        }
      }
      park();
    }
  }

  private long tryReplicate(SeriesProgress it) {
    try {
      long delay = replicate(it);
      lastError = null;
      return delay;
    } catch (RuntimeException e) {
      if (Retries.isUnavailable(e)) {
        progress.values().forEach(each -> each.compared = false); // it may come back as another
      }
      if (lastError == null) {
        log.warn(
            "cannot replicate sales from the catalog, retrying every {} ms: {}",
            TimeUnit.NANOSECONDS.toMillis(RETRY_NANOS),
            e.getMessage());
      }
      lastError = String.valueOf(e.getMessage());
      return RETRY_NANOS;
    }
  }

  private void park() {
    long delay =
        progress.values().stream()
            .mapToLong(SeriesProgress::nanosUntilDue)
            .min()
            .orElse(POLL_NANOS);
    if (delay > 0 && !closed) {
      LockSupport.parkNanos(this, delay);
    }
    if (progress.values().stream().anyMatch(it -> it.wakeRequested) && !closed) {
      LockSupport.parkNanos(this, BATCH_DELAY_NANOS);
    }
  }

  /// Compares, and takes a page.
  ///
  /// @return nanoseconds until the next
  private long replicate(SeriesProgress it) {
    it.wakeRequested = false;
    Checkpoint position = book.position(it.series);
    String difference = await(catalog.compare(it.series, position)).orElse(null);
    return difference == null
        ? append(it, await(catalog.sales(it.series, position, PAGE_SIZE)))
        : recordMismatch(it, difference);
  }

  private long append(SeriesProgress it, SalesClient.SalesPage page) {
    return switch (page) {
      case SalesClient.SalesPage.Sales sales -> {
        it.mismatch = null;
        it.compared = true;
        it.nextSale = sales.nextNumber();
        Checkpoint reached =
            sales.orders().isEmpty()
                ? book.position(it.series)
                : await(writer.submit(sales.orders()));
        if (reached.next() < sales.nextNumber()) {
          yield 0;
        }
        it.caughtUp = true;
        yield POLL_NANOS;
      }
      case SalesClient.SalesPage.Mismatch found -> recordMismatch(it, found.message());
    };
  }

  private static long recordMismatch(SeriesProgress it, String difference) {
    if (it.mismatch == null) {
      log.error("order book and catalog do not match, new orders are refused: {}", difference);
    }
    it.mismatch = difference;
    it.compared = true;
    return POLL_NANOS;
  }

  private long lag() {
    return progress.values().stream()
        .mapToLong(it -> Math.max(0, it.nextSale - book.position(it.series).next()))
        .sum();
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String meaning,
      ToDoubleFunction<SalesReplicator> value) {
    Gauge.builder("toystore.book." + name, this, value).description(meaning).register(registry);
  }

  private static <T> T await(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
