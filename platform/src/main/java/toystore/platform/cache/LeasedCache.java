package toystore.platform.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Values that another service owns, used while it has given a lease: it then sends what happens to
/// them. An entry may be put only if nothing happened to its key since its read began (the lease
/// token of "Scaling Memcache at Facebook", NSDI 2013). The token is the future of the value, which
/// is in the cache before the read begins:
///
/// ```
/// get ──▶ future in the cache? ── yes ─────────────────────────────────────────▶ its value
///           │ no                                                                    ▲
///           └──▶ put a future ──▶ read ──▶ still there? it is the entry ────────────┤
///                                            │ no                                   │
///                                            └──▶ remove the key: what was read ────┘
///                                                 may be newer than the entry
/// ```
///
/// Whoever learns that something happened to a key calls [#remove] before it tells anyone: a change
/// was answered, or the owner sent an event. The owner sends events after others can read the
/// change. So no value is older than one that was returned, or a change that was answered, before
/// its [#get] began: after each of these the cache has no future of a read that began before, apart
/// from the one that was returned. If the lease ends, or a read fails, no entry is left that a
/// later answer could contradict.
///
/// Any thread; [#begin], [#renew] and [#end] one after another.
public final class LeasedCache<K, V> {
  private final Cache<K, CompletableFuture<V>> entries;
  private final LongSupplier nanoTime;
  private final long leaseNanos;
  private final Counter hits;
  private final Counter misses;
  private volatile long leasedUntil;

  /// @param name value of the metrics' label `cache`
  /// @param bounds maximum size, and possibly the maximum age, which begins before the read
  public LeasedCache(
      String name,
      Caffeine<Object, Object> bounds,
      Duration lease,
      LongSupplier nanoTime,
      MeterRegistry registry) {
    Counter evictions = registry.counter("cache.evictions", "cache", name);
    this.entries =
        bounds
            .ticker(nanoTime::getAsLong)
            .executor(Runnable::run)
            .<K, CompletableFuture<V>>evictionListener((_, _, cause) -> {
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

  /// Returns the value of a key: that of an entry or of a read that is in progress, or else of a
  /// read by this thread. It fails as the read does, which is not an entry then.
  public CompletionStage<V> get(K key, Function<K, ? extends CompletionStage<V>> read) {
    var own = new CompletableFuture<V>();
    CompletableFuture<V> found = isLeased() ? entries.asMap().putIfAbsent(key, own) : null;
    if (found != null) {
      hits.increment();
      return found;
    }
    misses.increment();
    return read(key, own, read);
  }

  /// Reads a value and puts no entry.
  public CompletionStage<V> readUncached(K key, Function<K, ? extends CompletionStage<V>> read) {
    return read(key, new CompletableFuture<>(), read);
  }

  private CompletionStage<V> read(
      K key, CompletableFuture<V> own, Function<K, ? extends CompletionStage<V>> read) {
    CompletableFuture.completedFuture(key)
        .thenCompose(read)
        .whenComplete((value, failure) -> {
          if (failure != null || entries.asMap().get(key) != own) {
            remove(key);
          }
          if (failure == null) {
            own.complete(value);
          } else {
            own.completeExceptionally(failure);
          }
        });
    return own;
  }

  public void remove(K key) {
    entries.invalidate(key);
  }

  /// Begins a lease, when the owner has answered that it sends what happens from now on. What was
  /// read before is removed.
  ///
  /// @param from [System#nanoTime] at which it began
  public void begin(long from) {
    end();
    renew(from);
  }

  /// Prolongs the lease, after the keys of the owner's message were removed.
  public void renew(long from) {
    leasedUntil = from + leaseNanos;
  }

  /// Ends the lease, because the owner sends no more.
  public void end() {
    leasedUntil = nanoTime.getAsLong();
    entries.invalidateAll();
  }

  public boolean isLeased() {
    return nanoTime.getAsLong() - leasedUntil < 0;
  }

  public long size() {
    return entries.estimatedSize();
  }
}
