package toystore.order;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import toystore.writer.SingleWriter;

/// Brings the catalog's sales into the book: asks for the page behind the book's position, has it
/// entered, and goes on from there. What was sold while this service was away comes the same way.
///
/// One thread of its own; [#hurry], [#isComplete], [#isCompared] and [#mismatch] are for any.
@Component
final class Follower implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Follower.class);
  private static final int PAGE = 1_000;

  /// Sales that come close together are entered together: a commit here is a sync that the
  /// catalog's own commits wait for.
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final CatalogClient catalog;
  private final BookLedger book;
  private final SingleWriter<List<Order>, Position> writer;
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean news;
  private volatile boolean complete;
  private volatile boolean compared;
  private volatile long catalogNext;
  private volatile @Nullable String mismatch;

  Follower(
      CatalogClient catalog,
      BookLedger book,
      SingleWriter<List<Order>, Position> writer,
      MeterRegistry registry) {
    this.catalog = catalog;
    this.book = book;
    this.writer = writer;
    this.thread = Thread.ofPlatform().name("follower").unstarted(this::run);
    gauge(registry, "position", "Orders in the book", it -> it.book.position().next());
    gauge(registry, "lag", "Sales the book lacks, as of the last page", Follower::lag);
    gauge(registry, "complete", "1 once it held all there was", it -> it.complete ? 1 : 0);
    gauge(
        registry,
        "mismatch",
        "1 while book and catalog do not belong together",
        it -> it.mismatch == null ? 0 : 1);
    thread.start();
  }

  /// Says that something was sold.
  void hurry() {
    if (!news) {
      news = true;
      LockSupport.unpark(thread);
    }
  }

  /// Whether the book has held all there was to hold since this service started.
  boolean isComplete() {
    return complete && mismatch == null;
  }

  /// Whether the book was held against the catalog since either of them started. Until then nobody
  /// knows whether the catalog would give numbers out again that the book has.
  boolean isCompared() {
    return compared;
  }

  /// Why book and catalog do not belong together; null where they do.
  @Nullable String mismatch() {
    return mismatch;
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
    boolean away = false;
    while (!closed) {
      try {
        long pause = follow();
        away = false;
        rest(pause);
      } catch (RuntimeException e) {
        if (CatalogClient.isAway(e)) {
          compared = false; // it may come back as another
        }
        if (!away) {
          log.warn("the catalog cannot be followed, tried again: {}", e.getMessage());
        }
        away = true;
        rest(RETRY_NANOS);
      }
    }
  }

  private void rest(long nanos) {
    if (nanos > 0 && !news && !closed) {
      LockSupport.parkNanos(this, nanos);
    }
    if (news && !closed) {
      LockSupport.parkNanos(this, GATHER_NANOS);
    }
  }

  /// Takes a page.
  ///
  /// @return nanoseconds until the next
  private long follow() {
    news = false;
    return switch (await(catalog.sales(book.position(), PAGE))) {
      case CatalogClient.Page.Sales sales -> {
        mismatch = null;
        compared = true;
        catalogNext = sales.nextNumber();
        Position reached =
            sales.orders().isEmpty() ? book.position() : await(writer.submit(sales.orders()));
        if (reached.next() < sales.nextNumber()) {
          yield 0;
        }
        complete = true;
        yield IDLE_NANOS;
      }
      case CatalogClient.Page.Mismatch found -> {
        if (mismatch == null) {
          log.error("no orders are taken: {}", found.message());
        }
        mismatch = found.message();
        compared = true;
        yield IDLE_NANOS;
      }
    };
  }

  private long lag() {
    return Math.max(0, catalogNext - book.position().next());
  }

  private void gauge(
      MeterRegistry registry, String name, String meaning, ToDoubleFunction<Follower> value) {
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
