package toystore.platform.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeasedCacheTest {
  private static final Duration LEASE = Duration.ofMillis(600);
  private static final Duration MAX_AGE = Duration.ofSeconds(1);

  private long nanos;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final LeasedCache<String, Integer> cache =
      new LeasedCache<>(
          "test",
          Caffeine.newBuilder().maximumSize(100).expireAfterWrite(MAX_AGE),
          LEASE,
          () -> nanos,
          metrics);

  private CompletableFuture<Integer> get(CompletableFuture<Integer> read) {
    return cache.get("a", _ -> read).toCompletableFuture();
  }

  /// What a query gets while the owner has another value.
  private int get(int atOwner) {
    return get(CompletableFuture.completedFuture(atOwner)).join();
  }

  @Test
  void readInProgressIsSharedAndCounted() {
    cache.begin(nanos);
    var read = new CompletableFuture<Integer>();
    var first = get(read);
    var second = get(CompletableFuture.completedFuture(2));
    assertThat(second).isNotDone();
    read.complete(1);
    assertThat(first).isCompletedWithValue(1);
    assertThat(second).isCompletedWithValue(1);
    assertThat(get(3)).isEqualTo(1);
    assertThat(metrics.counter("cache.gets", "cache", "test", "result", "hit").count())
        .isEqualTo(2);
    assertThat(metrics.counter("cache.gets", "cache", "test", "result", "miss").count())
        .isEqualTo(1);
  }

  @Test
  void readThatBeganBeforeTheKeyWasRemovedIsNoEntry() {
    cache.begin(nanos);
    var read = new CompletableFuture<Integer>();
    var before = get(read);
    cache.remove("a");
    read.complete(1);
    assertThat(before).isCompletedWithValue(1);
    assertThat(get(2)).isEqualTo(2);
  }

  @Test
  void readThatBeganBeforeTheLeaseIsNoEntry() {
    cache.begin(nanos);
    var read = new CompletableFuture<Integer>();
    var before = get(read);
    cache.end();
    cache.begin(nanos);
    read.complete(1);
    assertThat(before).isCompletedWithValue(1);
    assertThat(get(2)).isEqualTo(2);
  }

  @Test
  void readsOfAKeyAreMadeOneAfterAnother() {
    cache.begin(nanos);
    var slow = new CompletableFuture<Integer>();
    var first = get(slow);
    cache.remove("a");
    var second = get(CompletableFuture.completedFuture(2));
    cache.remove("a"); // the second read begins later
    var third = get(CompletableFuture.completedFuture(3));
    assertThat(second).isNotDone();
    slow.complete(1);
    assertThat(first).isCompletedWithValue(1);
    assertThat(second).isCompletedWithValue(2);
    assertThat(third).isCompletedWithValue(2);
    assertThat(get(4)).isEqualTo(2);
  }

  /// The query that waited for the first read would wait for two deadlines.
  @Test
  void readFailsWithTheUnansweredReadThatItWaitedFor() {
    cache.begin(nanos);
    var frozen = new CompletableFuture<Integer>();
    var first = get(frozen);
    cache.remove("a");
    var second = get(new CompletableFuture<>());
    frozen.completeExceptionally(Status.DEADLINE_EXCEEDED.asRuntimeException());
    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompletedExceptionally();
    assertThat(get(3)).isEqualTo(3);
  }

  @Test
  void readBeginsAfterTheFailedReadThatItWaitedFor() {
    cache.begin(nanos);
    var removed = new CompletableFuture<Integer>();
    var first = get(removed);
    cache.remove("a");
    var second = get(CompletableFuture.completedFuture(2));
    removed.completeExceptionally(Status.NOT_FOUND.asRuntimeException());
    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompletedWithValue(2);
  }

  /// Its answer may be newer than the entry of the read that began later.
  @Test
  void readOfTheLeaseBeforeRemovesTheEntryOfALaterRead() {
    cache.begin(nanos);
    var slow = new CompletableFuture<Integer>();
    var first = get(slow);
    cache.begin(nanos);
    assertThat(get(1)).isEqualTo(1);
    slow.complete(2);
    assertThat(first).isCompletedWithValue(2);
    assertThat(get(2)).isEqualTo(2);
  }

  @Test
  void uncachedReadRemovesTheEntry() {
    cache.begin(nanos);
    assertThat(get(1)).isEqualTo(1);
    assertThat(cache.readUncached("a", _ -> CompletableFuture.completedFuture(2)))
        .isCompletedWithValue(2);
    assertThat(get(3)).isEqualTo(3);
  }

  @Test
  void readWithoutALeaseRemovesTheEntryOfALeaseThatIsRenewed() {
    cache.begin(nanos);
    assertThat(get(1)).isEqualTo(1);
    nanos += LEASE.toNanos();
    assertThat(cache.isLeased()).isFalse();
    assertThat(get(2)).isEqualTo(2);
    cache.renew(nanos);
    assertThat(get(3)).isEqualTo(3);
    assertThat(get(4)).isEqualTo(3);
  }

  @Test
  void failureIsNoEntry() {
    cache.begin(nanos);
    assertThat(get(CompletableFuture.failedFuture(new IllegalStateException("away"))))
        .isCompletedExceptionally();
    assertThat(get(1)).isEqualTo(1);
    assertThat(
            cache
                .get(
                    "b",
                    _ -> {
                      throw new IllegalStateException("away");
                    })
                .toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void ageBeginsBeforeTheRead() {
    cache.begin(nanos);
    var read = new CompletableFuture<Integer>();
    var _ = get(read);
    nanos += MAX_AGE.toNanos() - 1;
    read.complete(1);
    cache.renew(nanos);
    assertThat(get(2)).isEqualTo(1);
    nanos += 1;
    assertThat(get(3)).isEqualTo(3);
    assertThat(metrics.counter("cache.evictions", "cache", "test").count()).isZero();
  }
}
