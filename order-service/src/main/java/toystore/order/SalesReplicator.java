package toystore.order;

import static java.util.Objects.requireNonNull;
import static toystore.order.Order.Series.STORE;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

/// Replicates the catalog's sales to the order book. For each series it requests the page after the
/// book's checkpoint, writes it, and continues at the new checkpoint. Sales made while this service
/// was down are replicated in the same way.
///
/// Runs on a dedicated thread. The other methods may be called by any thread.
@Component
final class SalesReplicator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SalesReplicator.class);
  private static final int PAGE_SIZE = 1_000;

  /// Delay to collect sales into one commit. On a shared disk each sync here delays the catalog's
  /// own commits.
  private static final long BATCH_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final SalesClient catalog;
  private final BookBatchStore book;
  private final SingleWriter<OrderCommand, OrderResult> writer;
  private final Thread thread;
  private final Map<Order.Series, SeriesProgress> progress = new EnumMap<>(Order.Series.class);
  private volatile boolean closed;
  private volatile @Nullable String lastError;

  /// Replication progress of one series. Only the replicator thread writes the fields, except
  /// `wakeRequested`, which any thread may set.
  private static final class SeriesProgress {
    final Order.Series series;
    volatile boolean wakeRequested;
    final CompletableFuture<Void> caughtUp = new CompletableFuture<>();
    volatile boolean compared;
    volatile long nextSale;
    volatile @Nullable String mismatch;
    long due = System.nanoTime();

    SeriesProgress(Order.Series series) {
      this.series = series;
    }

    /// Nanoseconds until the next request.
    long nanosUntilDue() {
      return wakeRequested ? 0 : due - System.nanoTime();
    }
  }

  SalesReplicator(
      SalesClient catalog,
      BookBatchStore book,
      SingleWriter<OrderCommand, OrderResult> writer,
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

  /// Announces a new sale, so that replication starts without waiting for the next poll.
  void wake(Order.Series series) {
    SeriesProgress it = requireNonNull(progress.get(series));
    if (!it.wakeRequested) {
      it.wakeRequested = true;
      LockSupport.unpark(thread);
    }
  }

  /// Whether the book has caught up with the catalog at least once since startup, and matches it.
  boolean isReady() {
    return hasCaughtUp() && mismatch() == null;
  }

  /// Completes when the book has caught up with the catalog for the first time since startup.
  CompletionStage<Void> caughtUp(Order.Series series) {
    return requireNonNull(progress.get(series)).caughtUp;
  }

  private boolean hasCaughtUp() {
    return progress.values().stream().allMatch(it -> it.caughtUp.isDone());
  }

  /// Whether the book was compared with the catalog since the last start of either service. Before
  /// that, a restored catalog could assign order numbers that the book already has.
  boolean isCompared() {
    return progress.values().stream().allMatch(it -> it.compared);
  }

  /// The difference between book and catalog; null if they match or are not compared yet.
  @Nullable String mismatch() {
    for (SeriesProgress it : progress.values()) { // each order asks: a stream takes 1 % of its time
      String mismatch = it.mismatch;
      if (mismatch != null) {
        return mismatch;
      }
    }
    return null;
  }

  /// The error of the last request to the catalog; null if it succeeded.
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
        // the catalog may come back restored from a backup
        progress.values().forEach(each -> each.compared = false);
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

  /// Compares book and catalog, then replicates one page.
  ///
  /// @return nanoseconds until the next request
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
            sales.orders().isEmpty() ? book.position(it.series) : append(sales.orders());
        if (reached.next() < sales.nextNumber()) {
          yield 0;
        }
        it.caughtUp.complete(null);
        yield POLL_NANOS;
      }
      case SalesClient.SalesPage.Mismatch found -> recordMismatch(it, found.message());
    };
  }

  private Checkpoint append(List<Order> page) {
    OrderResult result = await(writer.submit(new OrderCommand.AppendToBook(page)));
    if (result instanceof Checkpoint reached) {
      return reached;
    }
    throw new IllegalStateException("unexpected result of a page for the order book: " + result);
  }

  private static long recordMismatch(SeriesProgress it, String difference) {
    if (it.mismatch == null) {
      log.error(
          "order book and catalog do not match: {}. New orders are refused; see docs/operations.md",
          difference);
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
