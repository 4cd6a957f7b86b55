package toystore.frontend.products;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import toystore.frontend.FrontendSettings;
import toystore.frontend.http.error.ApiException;
import toystore.platform.cache.LeasedCache;
import toystore.platform.text.IdentifierText;

/// Products that were read from the catalog. A query never returns an older product than an earlier
/// answer of this frontend to a change or to a query of the product has shown. What others change
/// is seen with its event, or when no message of the catalog came for [#LEASE], also if the catalog
/// freezes or the connection hangs. Lists are not part of this.
///
/// All forms of a name with the same NFC have one entry, because the catalog finds a product by
/// each of them. The entry answers only queries with this form.
///
/// Any thread.
@Component
public final class ProductCache {
  /// What others change must be seen within 1 s: this, and the time that the last message was under
  /// way. The catalog sends a heartbeat every 250 ms.
  static final Duration LEASE = Duration.ofMillis(750);

  private final boolean enabled;
  private final LongSupplier nanoTime;
  private final LeasedCache<String, ProductView> products;
  private long expected; // number of the next message of the watch

  @Autowired
  ProductCache(FrontendSettings settings, MeterRegistry registry) {
    this(
        settings.reads() == FrontendSettings.Reads.CACHED,
        settings.cacheSize(),
        System::nanoTime,
        registry);
  }

  /// @param enabled whether products are cached
  ProductCache(boolean enabled, int capacity, LongSupplier nanoTime, MeterRegistry registry) {
    this.enabled = enabled;
    this.nanoTime = nanoTime;
    this.products =
        new LeasedCache<>(
            "products", Caffeine.newBuilder().maximumSize(capacity), LEASE, nanoTime, registry);
    Gauge.builder("cache.size", products, LeasedCache::size)
        .tags("cache", "products")
        .register(registry);
    Gauge.builder("toystore.product.cache.current", products, it -> it.isLeased() ? 1 : 0)
        .description("Whether queries are answered from the product cache")
        .register(registry);
  }

  /// Finds a product. Fails as `read` does.
  ///
  /// @param fresh whether it must come from the catalog
  /// @param read reads it from the catalog and does not block
  CompletionStage<ProductView> find(
      String name, boolean fresh, Supplier<CompletionStage<ProductView>> read) {
    String key = IdentifierText.normalized(name);
    if (!enabled || !name.equals(key)) {
      return products.readUncached(key, _ -> read.get());
    }
    if (fresh) {
      products.remove(key);
    }
    return products.get(key, _ -> read.get());
  }

  /// Calls a method that changes products. The cache knows the change before this method returns.
  ///
  /// @param names of the products
  public <T> T change(Collection<String> names, Supplier<T> call) {
    boolean isDone = true; // possibly, or its error says something about a product
    try {
      return call.get();
    } catch (ApiException e) {
      isDone = e.status() != 503;
      throw e;
    } finally {
      if (isDone) {
        names.forEach(this::remove);
      }
    }
  }

  private void remove(String name) {
    products.remove(IdentifierText.normalized(name));
  }

  boolean isEnabled() {
    return enabled;
  }

  /// Receives a message of the catalog's watch. One thread.
  ///
  /// @param number of the message in its call, from 0
  /// @param names of the products that were changed since the message before
  /// @return false if a message was lost: the watch has ended, and must be begun again
  boolean receive(long number, Collection<String> names) {
    if (number != expected) {
      end();
      return false;
    }
    expected++;
    if (number == 0) {
      products.begin(nanoTime.getAsLong());
    } else {
      names.forEach(this::remove);
      products.renew(nanoTime.getAsLong());
    }
    return true;
  }

  /// Ends the watch, when its call has ended. The thread of [#receive].
  void end() {
    expected = 0;
    products.end();
  }
}
