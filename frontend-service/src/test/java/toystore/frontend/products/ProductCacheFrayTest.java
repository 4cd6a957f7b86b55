package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;
import toystore.clients.Concurrently;
import toystore.frontend.http.ApiException;

/// Queries of two threads while a product is changed. The quantity is the revision of the product
/// and the catalog's sequence. No query returns an older revision than an answer before it.
@Tag("long")
@ExtendWith(FrayTestExtension.class)
class ProductCacheFrayTest {
  private static final String NAME = "Tüx";

  private final AtomicLong catalog = new AtomicLong();
  private final AtomicLong shown = new AtomicLong();

  ProductCacheFrayTest() {
    Concurrently.initialize(() -> {
      new ProductCacheFrayTest().queriesNeverGoBackAfterAChange();
      new ProductCacheFrayTest().queriesNeverGoBackAfterAnEviction();
      new ProductCacheFrayTest().queriesNeverGoBackAfterAnError();
    });
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void queriesNeverGoBackAfterAChange() {
    var cache = cache(10);
    var watch = watch(cache);
    Concurrently.run(
        () -> readTwice(cache),
        () -> readTwice(cache),
        () -> show(cache.change(List.of(NAME), catalog::incrementAndGet, this::at)),
        () -> {
          if (catalog.get() == 1) {
            watch.receive(at(1), 0, List.of(NAME));
          }
        });
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void queriesNeverGoBackAfterAnEviction() {
    var cache = cache(1);
    watch(cache);
    Concurrently.run(
        () -> readTwice(cache),
        () -> readTwice(cache),
        catalog::incrementAndGet,
        () -> cache.put("Whale", 0, at(0), product("Whale", 0)));
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void queriesNeverGoBackAfterAnError() {
    var cache = cache(10);
    watch(cache);
    Concurrently.run(
        () -> readTwice(cache),
        () -> readTwice(cache),
        catalog::incrementAndGet,
        () -> {
          var seen = new AtomicLong();
          assertThatThrownBy(() ->
                  cache.change(
                      List.of(NAME),
                      () -> {
                        seen.set(catalog.get());
                        throw ApiException.of(409, "out of stock");
                      },
                      _ -> at(0)))
              .isInstanceOf(ApiException.class);
          show(seen.get());
        });
  }

  private static ProductCache cache(int capacity) {
    return new ProductCache(true, () -> 0, capacity);
  }

  private ProductCache.Watch watch(ProductCache cache) {
    var watch = cache.watch();
    assertThat(watch.receive(at(0), 0, List.of())).isTrue();
    return watch;
  }

  private void readTwice(ProductCache cache) {
    for (int i = 0; i < 2; i++) {
      long least = shown.get();
      long read = read(cache);
      assertThat(read).isGreaterThanOrEqualTo(least);
      show(read);
    }
  }

  private long read(ProductCache cache) {
    ProductView cached = cache.find(NAME);
    if (cached != null) {
      return cached.quantity();
    }
    long before = cache.invalidations(NAME);
    long revision = catalog.get();
    cache.put(NAME, before, at(revision), product(NAME, revision));
    return revision;
  }

  private void show(long revision) {
    shown.accumulateAndGet(revision, Math::max);
  }

  private CatalogVersion at(long sequence) {
    return new CatalogVersion(7, sequence);
  }

  private static ProductView product(String name, long revision) {
    return new ProductView(name, BigDecimal.TEN, revision, null, null, null, null);
  }
}
