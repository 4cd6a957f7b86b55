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
  private static final int PAGE = 1_000;

  /// Sales that come close together are entered together: a commit here is a sync that the
  /// catalog's own commits wait for.
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final SalesClient catalog;
  private final BookBatchStore book;
  private final SingleWriter<List<Order>, Checkpoint> writer;
  private final Thread thread;
  private final Map<Order.Series, Followed> all = new EnumMap<>(Order.Series.class);
  private volatile boolean closed;
  private volatile @Nullable String trouble;

  /// How far a series was followed. The thread writes all but the news.
  private static final class Followed {
    final Order.Series series;
    volatile boolean news;
    volatile boolean complete;
    volatile boolean compared;
    volatile long catalogNext;
    volatile @Nullable String mismatch;
    long due = System.nanoTime();

    Followed(Order.Series series) {
      this.series = series;
    }

    /// Nanoseconds until it is followed again.
    long pause() {
      return news ? 0 : due - System.nanoTime();
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
      all.put(series, new Followed(series));
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
        it -> it.hasAll() ? 1 : 0);
    gauge(
        registry,
        "mismatch",
        "1 while book and catalog do not match",
        it -> it.mismatch() == null ? 0 : 1);
    thread.start();
  }

  /// Says that something was sold.
  void hurry(Order.Series series) {
    Followed it = requireNonNull(all.get(series));
    if (!it.news) {
      it.news = true;
      LockSupport.unpark(thread);
    }
  }

  /// Whether the book has held all there was to hold since this service started.
  boolean isComplete() {
    return hasAll() && mismatch() == null;
  }

  private boolean hasAll() {
    return all.values().stream().allMatch(it -> it.complete);
  }

  /// Whether the book was held against the catalog since either of them started. Until then nobody
  /// knows whether the catalog would give numbers out again that the book has.
  boolean isCompared() {
    return all.values().stream().allMatch(it -> it.compared);
  }

  /// Why book and catalog do not belong together; null where they do.
  @Nullable String mismatch() {
    return all.values().stream()
        .map(it -> it.mismatch)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /// Why the catalog could not be asked, the last time; null where it could.
  @Nullable String trouble() {
    return trouble;
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
      for (Followed it : all.values()) {
        if (it.pause() <= 0) {
          it.due = System.nanoTime() + tryToFollow(it);
        }
      }
      rest();
    }
  }

  private long tryToFollow(Followed it) {
    try {
      long pause = follow(it);
      trouble = null;
      return pause;
    } catch (RuntimeException e) {
      if (Retries.isUnavailable(e)) {
        all.values().forEach(each -> each.compared = false); // it may come back as another
      }
      if (trouble == null) {
        log.warn(
            "cannot replicate sales from the catalog, retrying every {} ms: {}",
            TimeUnit.NANOSECONDS.toMillis(RETRY_NANOS),
            e.getMessage());
      }
      trouble = String.valueOf(e.getMessage());
      return RETRY_NANOS;
    }
  }

  private void rest() {
    long pause = all.values().stream().mapToLong(Followed::pause).min().orElse(IDLE_NANOS);
    if (pause > 0 && !closed) {
      LockSupport.parkNanos(this, pause);
    }
    if (all.values().stream().anyMatch(it -> it.news) && !closed) {
      LockSupport.parkNanos(this, GATHER_NANOS);
    }
  }

  /// Compares, and takes a page.
  ///
  /// @return nanoseconds until the next
  private long follow(Followed it) {
    it.news = false;
    Checkpoint position = book.position(it.series);
    String difference = await(catalog.compare(it.series, position)).orElse(null);
    return difference == null
        ? enter(it, await(catalog.sales(it.series, position, PAGE)))
        : refuse(it, difference);
  }

  private long enter(Followed it, SalesClient.Page page) {
    return switch (page) {
      case SalesClient.Page.Sales sales -> {
        it.mismatch = null;
        it.compared = true;
        it.catalogNext = sales.nextNumber();
        Checkpoint reached =
            sales.orders().isEmpty()
                ? book.position(it.series)
                : await(writer.submit(sales.orders()));
        if (reached.next() < sales.nextNumber()) {
          yield 0;
        }
        it.complete = true;
        yield IDLE_NANOS;
      }
      case SalesClient.Page.Mismatch found -> refuse(it, found.message());
    };
  }

  private static long refuse(Followed it, String difference) {
    if (it.mismatch == null) {
      log.error("order book and catalog do not match, new orders are refused: {}", difference);
    }
    it.mismatch = difference;
    it.compared = true;
    return IDLE_NANOS;
  }

  private long lag() {
    return all.values().stream()
        .mapToLong(it -> Math.max(0, it.catalogNext - book.position(it.series).next()))
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
