package toystore.platform.cache;

import static java.util.concurrent.CompletableFuture.failedFuture;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Values that another service owns, used while it has given a lease: it then sends what happens to
/// them. A value may become an entry only if nothing happened to its key since its read began (the
/// lease token of "Scaling Memcache at Facebook", NSDI 2013). The token is the [Read], which is in
/// the cache before it begins:
///
/// ```
/// get ──▶ in the cache? ─ yes ──────────────────────────────────────────▶ its value
///           │ no                                                            ▲
///           └──▶ put a read ──▶ begin it ──▶ still there? it is the entry ──┤
///                                              │ no                         │
///                                              └──▶ remove the key: the ────┘
///                                                   value may be newer than an entry
/// ```
///
/// Whoever learns that something happened to a key calls [#remove] before it tells anyone: a change
/// was answered, or the owner sent an event. The owner sends events after the change can be read.
/// So what is in the cache is never older than what was returned or answered before, and neither is
/// what a later [#get] returns.
///
/// Of one key, a read begins when the one before it has ended. Otherwise two reads under way would
/// remove each other's entries, and there would never be one while queries keep coming. If that one
/// was not answered before its deadline, the read that waited for it fails with it: a second
/// deadline would double the wait. Any thread; [#begin], [#renew] and [#end] one after another.
public final class LeasedCache<K, V> {
  private final Cache<K, Read<V>> reads;
  private final Map<K, Read<V>> inProgress = new ConcurrentHashMap<>(); // the last of each key
  private final LongSupplier nanoTime;
  private final long leaseNanos;
  private final Counter hits;
  private final Counter misses;
  private volatile long leasedUntil;

  private static final class Read<V> {
    final CompletableFuture<V> value = new CompletableFuture<>();
    volatile boolean begun;
  }

  /// @param name value of the metrics' label `cache`
  /// @param bounds maximum size, and possibly the maximum age, which begins before the read
  public LeasedCache(
      String name,
      Caffeine<Object, Object> bounds,
      Duration lease,
      LongSupplier nanoTime,
      MeterRegistry registry) {
    Counter evictions = registry.counter("cache.evictions", "cache", name);
    this.reads =
        bounds
            .ticker(nanoTime::getAsLong)
            .executor(Runnable::run)
            .<K, Read<V>>evictionListener((_, _, cause) -> {
              if (cause == RemovalCause.SIZE) {
                evictions.increment();
              }
            })
            .build();
    this.nanoTime = nanoTime;
    this.leaseNanos = lease.toNanos();
    this.hits = registry.counter("cache.gets", "cache", name, "result", "hit");
    this.misses = registry.counter("cache.gets", "cache", name, "result", "miss");
    this.leasedUntil = nanoTime.getAsLong();
  }

  /// Returns the value of a key, from a read that has ended or is in progress, or else from a new
  /// one. If that fails, so does the result, and the next call reads again.
  ///
  /// @param read must not block
  public CompletionStage<V> get(K key, Function<K, CompletionStage<V>> read) {
    if (!isLeased()) {
      misses.increment();
      return readUncached(key, read);
    }
    var own = new Read<V>();
    Read<V> found = reads.asMap().putIfAbsent(key, own);
    if (found != null) {
      hits.increment();
      return found.value;
    }
    misses.increment();
    Read<V> before = inProgress.put(key, own);
    if (before == null) {
      begin(key, own, read);
    } else {
      var _ =
          before.value.whenComplete((_, failure) ->
              begin(key, own, isUnanswered(failure) ? _ -> failedFuture(failure) : read));
    }
    return own.value;
  }

  private static boolean isUnanswered(@Nullable Throwable failure) {
    return failure != null
        && Status.fromThrowable(failure).getCode() == Status.Code.DEADLINE_EXCEEDED;
  }

  /// Returns the value of a key from a read that does not become an entry.
  public CompletionStage<V> readUncached(K key, Function<K, CompletionStage<V>> read) {
    var own = new Read<V>();
    begin(key, own, read);
    return own.value;
  }

  private void begin(K key, Read<V> own, Function<K, CompletionStage<V>> read) {
    own.begun = true;
    var _ =
        CompletableFuture.completedFuture(key)
            .thenCompose(read)
            .whenComplete((value, failure) -> {
              if (failure != null || reads.asMap().get(key) != own) {
                remove(key);
              }
              inProgress.remove(key, own);
              if (failure == null) {
                own.value.complete(value);
              } else {
                own.value.completeExceptionally(failure);
              }
            });
  }

  /// Removes the entry of a key, or the read that is to become one, unless it begins later.
  public void remove(K key) {
    Read<V> found = reads.getIfPresent(key);
    if (found != null && found.begun) {
      reads.asMap().remove(key, found);
    }
  }

  /// Begins a lease, when the owner has answered that it sends what happens from now on.
  ///
  /// @param from [System#nanoTime] at which it began
  public void begin(long from) {
    end(); // a read may have begun since the last lease
    renew(from);
  }

  /// Prolongs the lease, after the keys of the owner's message were removed.
  public void renew(long from) {
    leasedUntil = from + leaseNanos;
  }

  /// Ends the lease, because the owner sends no more.
  public void end() {
    leasedUntil = nanoTime.getAsLong();
    reads.invalidateAll();
    inProgress.clear();
  }

  public boolean isLeased() {
    return nanoTime.getAsLong() - leasedUntil < 0;
  }

  public long size() {
    return reads.estimatedSize();
  }
}
