package toystore.frontend.products;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import toystore.frontend.FrontendSettings;
import toystore.frontend.http.ApiException;
import toystore.platform.text.IdentifierText;

/// Products that were read from the catalog. A query never returns an older product than an earlier
/// answer of this frontend to a change or to a query of the product has shown. Lists are not part
/// of this.
///
/// ```
/// query ──▶ entry, its sequence >= floor ──────────────────▶ answer
///             │ none                                          ▲
///             └──▶ catalog ──▶ entry with the read's sequence ┘
/// change ──▶ catalog ──▶ floor := sequence of the change ──▶ answer
/// watch  ──▶ floor := sequence of the event
/// ```
///
/// An entry is used only while all of these hold:
/// - A watch is current: it began, no event was missed, and the last event or heartbeat was
///   received less than [#LEASE] ago. So what others change is seen in time even if the catalog
///   freezes or the connection hangs.
/// - Its sequence is at least that of the begin of the watch: later changes come as events.
/// - Its sequence is at least the floor of its name. Answers to changes and events raise the floor.
///   Names share floors by their hash, so a floor may be too high, which costs a read.
/// - No answer without a version came since its read began: an error may tell its client something
///   about the product (out of stock, not found), or leave the outcome open. So the
///   [invalidations][#invalidate] of the name are counted, and an entry has the count before its
///   read.
///
/// All forms of a name with the same NFC have one entry and one floor, because the catalog finds a
/// product by each of them. An entry answers only queries with exactly the product's name.
///
/// Why an older product is never read after a newer one:
/// - A read that was overtaken puts its product after a newer one was put: the entry with the
///   higher sequence stays, whether or not it may be used.
/// - The newer entry was evicted meanwhile: the eviction has raised the floor to its sequence.
/// - A change is answered while its event is still on its way: the answer has raised the floor
///   before it is written.
///
/// Sequences of two epochs cannot be compared, so floors and entries belong to one epoch. An answer
/// of another epoch ends the current one with all it has, even if that answer was late and the
/// epoch is over. Afterwards only a watch whose call begins later is accepted: its begin covers the
/// floors that were lost.
///
/// Any thread.
@Component
public final class ProductCache {
  /// What others change must be seen within 1 s: this, and the time that the last answer was under
  /// way. The catalog sends a heartbeat every 250 ms.
  static final Duration LEASE = Duration.ofMillis(750);

  private static final int SLOTS = 1 << 16; // of 8 bytes, for floors and for invalidations

  private final boolean enabled;
  private final LongSupplier nanoTime;
  private final int capacity;
  private final AtomicLongArray invalidations;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private volatile Epoch epoch;
  private volatile @Nullable Watch watch;

  /// @param invalidations of the name before the read began
  private record Entry(ProductView product, long sequence, long invalidations) {}

  @Autowired
  ProductCache(FrontendSettings settings) {
    this(settings.reads() == FrontendSettings.Reads.CACHED, System::nanoTime, settings.cacheSize());
  }

  /// @param enabled whether products are cached; if not, no method has an effect

  ProductCache(boolean enabled, LongSupplier nanoTime, int capacity) {
    this.enabled = enabled;
    this.nanoTime = nanoTime;
    this.capacity = capacity;
    this.invalidations = new AtomicLongArray(enabled ? SLOTS : 0);
    this.epoch = new Epoch(0);
  }

  /// Returns the answer to a query, or null if it must be read from the catalog.
  @Nullable ProductView find(String name) {
    if (!enabled) {
      return null;
    }
    Watch now = watch;
    Entry entry =
        now == null || !now.isCurrent()
            ? null
            : now.epoch.entries.getIfPresent(IdentifierText.normalized(name));
    if (now != null
        && entry != null
        && entry.product.name().equals(name)
        && isUsable(name, entry, now)) {
      hits.increment();
      return entry.product;
    }
    misses.increment();
    return null;
  }

  private boolean isUsable(String name, Entry entry, Watch now) {
    int slot = slot(name);
    return entry.sequence >= Math.max(now.begin, now.epoch.floors.get(slot))
        && entry.invalidations == invalidations.get(slot);
  }

  /// The argument of [#put], before a read begins.
  long invalidations(String name) {
    return enabled ? invalidations.get(slot(name)) : 0;
  }

  /// Adds a product that was read from the catalog, before it is answered.
  ///
  /// @param before [#invalidations] before the read began
  /// @return the answer
  ProductView put(String name, long before, CatalogVersion version, ProductView product) {
    if (!enabled || version.epoch() == 0) {
      return product;
    }
    var entry = new Entry(product, version.sequence(), before);
    epoch(version)
        .entries
        .asMap()
        .merge(IdentifierText.normalized(name), entry, ProductCache::newer);
    return entry.product;
  }

  private static Entry newer(Entry old, Entry added) {
    return added.sequence >= old.sequence ? added : old;
  }

  /// Calls a method that changes products. The cache knows the change before this method returns.
  ///
  /// @param names of the products
  /// @param version of an answer
  public <T> T change(
      Collection<String> names, Supplier<T> call, Function<T, CatalogVersion> version) {
    T answer;
    try {
      answer = call.get();
    } catch (ApiException e) {
      if (e.status() != 503) { // surely nothing was done, and nothing is said about a product
        names.forEach(this::invalidate);
      }
      throw e;
    }
    recordChange(names, version.apply(answer));
    return answer;
  }

  void recordChange(Collection<String> names, CatalogVersion version) {
    if (version.epoch() == 0) {
      names.forEach(this::invalidate);
    } else if (enabled) {
      epoch(version).raise(names, version.sequence());
    }
  }

  /// Uses no entry of the name whose read has already begun.
  void invalidate(String name) {
    if (enabled) {
      invalidations.incrementAndGet(slot(name));
    }
  }

  private Epoch epoch(CatalogVersion version) {
    Epoch now = epoch;
    return now.id == version.epoch() ? now : replace(version.epoch());
  }

  private synchronized Epoch replace(long id) {
    if (epoch.id != id) {
      epoch = new Epoch(id);
      watch = null;
    }
    return epoch;
  }

  private static int slot(String name) {
    int hash = IdentifierText.normalized(name).hashCode();
    return (hash ^ hash >>> 16) & SLOTS - 1;
  }

  boolean isEnabled() {
    return enabled;
  }

  /// Whether entries are used now.
  boolean isCurrent() {
    Watch now = watch;
    return now != null && now.isCurrent();
  }

  long hits() {
    return hits.sum();
  }

  long misses() {
    return misses.sum();
  }

  /// Number of products that were removed because the cache was full.
  long evictions() {
    return evictions.sum();
  }

  /// Number of products in the cache, whether or not they may be used.
  long size() {
    return epoch.entries.estimatedSize();
  }

  /// What is known of an epoch.
  private final class Epoch {
    final long id;
    final AtomicLongArray floors = new AtomicLongArray(enabled ? SLOTS : 0);
    final Cache<String, Entry> entries =
        Caffeine.newBuilder()
            .maximumSize(capacity)
            .executor(Runnable::run)
            .<String, Entry>evictionListener((name, entry, _) -> recordEviction(name, entry))
            .build();

    Epoch(long id) {
      this.id = id;
    }

    void raise(Collection<String> names, long sequence) {
      names.forEach(name -> floors.accumulateAndGet(slot(name), sequence, Math::max));
    }

    private void recordEviction(@Nullable String name, @Nullable Entry entry) {
      evictions.increment();
      if (name != null && entry != null) { // both are always present: the references are strong
        floors.accumulateAndGet(slot(name), entry.sequence, Math::max);
      }
    }
  }

  /// Begins to follow a watch. Call this before its call begins.
  Watch watch() {
    return new Watch(epoch);
  }

  /// The answers of one call of the catalog's watch. One thread.
  final class Watch {
    private Epoch epoch;
    private boolean began;
    private long begin;
    private long last;
    private volatile long receivedAt;

    private Watch(Epoch epoch) {
      this.epoch = epoch;
    }

    /// @param previous sequence of the previous answer
    /// @param names of the products that were changed after it
    /// @return whether the watch is current; if not, it must be ended and begun again
    boolean receive(CatalogVersion version, long previous, Collection<String> names) {
      synchronized (ProductCache.this) {
        boolean accepted = began ? proceed(version, previous, names) : begin(version);
        if (accepted) {
          last = version.sequence();
          receivedAt = nanoTime.getAsLong(); // after the floors were raised
          watch = this;
        }
        return accepted;
      }
    }

    private boolean begin(CatalogVersion version) {
      if (epoch != ProductCache.this.epoch) { // another epoch was seen after the call began
        return false;
      }
      epoch = epoch(version);
      began = true;
      begin = version.sequence();
      return true;
    }

    private boolean proceed(CatalogVersion version, long previous, Collection<String> names) {
      if (watch != this || version.epoch() != epoch.id || previous != last) {
        end();
        return false;
      }
      epoch.raise(names, version.sequence());
      return true;
    }

    /// Called when the call has ended.
    void end() {
      synchronized (ProductCache.this) {
        if (watch == this) {
          watch = null;
        }
      }
    }

    private boolean isCurrent() {
      return nanoTime.getAsLong() - receivedAt < LEASE.toNanos();
    }
  }
}
