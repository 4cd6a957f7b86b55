package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;
import toystore.clients.Concurrently;
import toystore.frontend.http.error.ApiException;

/// Queries of two threads while a product is changed. The quantity is the revision of the product.
/// No query returns an older revision than an answer before it.
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
      new ProductCacheFrayTest().queriesNeverGoBackAfterAnUncachedOne();
      new ProductCacheFrayTest().changeIsSeenWhenAWatchHasBegun();
    });
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void queriesNeverGoBackAfterAChange() {
    var cache = watching(10);
    Concurrently.run(
        () -> readTwice(cache, false),
        () -> readTwice(cache, false),
        () -> show(cache.change(List.of(NAME), catalog::incrementAndGet)),
        () -> {
          if (catalog.get() == 1) {
            cache.receive(1, List.of(NAME));
          }
        });
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void queriesNeverGoBackAfterAnEviction() {
    var cache = watching(1);
    Concurrently.run(
        () -> readTwice(cache, false),
        () -> readTwice(cache, false),
        catalog::incrementAndGet,
        () -> read(cache, "Whale", false));
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void queriesNeverGoBackAfterAnUncachedOne() {
    var cache = watching(10);
    Concurrently.run(
        () -> readTwice(cache, false),
        () -> readTwice(cache, true),
        catalog::incrementAndGet,
        () -> readTwice(cache, true));
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void queriesNeverGoBackAfterAnError() {
    var cache = watching(10);
    Concurrently.run(
        () -> readTwice(cache, false),
        () -> readTwice(cache, false),
        catalog::incrementAndGet,
        () -> {
          var seen = new AtomicLong();
          assertThatThrownBy(() ->
                  cache.change(
                      List.of(NAME),
                      () -> {
                        seen.set(catalog.get());
                        throw ApiException.of(409, "out of stock");
                      }))
              .isInstanceOf(ApiException.class);
          show(seen.get());
        });
  }

  /// A change of others between two watches has no event.
  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void changeIsSeenWhenAWatchHasBegun() {
    var cache = watching(10);
    Concurrently.run(
        () -> readTwice(cache, false),
        () -> readTwice(cache, false),
        () -> {
          cache.end();
          long changed = catalog.incrementAndGet();
          cache.receive(0, List.of());
          show(changed);
        });
  }

  private static ProductCache watching(int capacity) {
    var cache = new ProductCache(true, capacity, () -> 0, new SimpleMeterRegistry());
    assertThat(cache.receive(0, List.of())).isTrue();
    return cache;
  }

  private void readTwice(ProductCache cache, boolean fresh) {
    for (int i = 0; i < 2; i++) {
      long least = shown.get();
      long read = read(cache, NAME, fresh);
      assertThat(read).isGreaterThanOrEqualTo(least);
      show(read);
    }
  }

  private long read(ProductCache cache, String name, boolean fresh) {
    return cache
        .find(name, fresh, () -> CompletableFuture.completedFuture(product(name, catalog.get())))
        .toCompletableFuture()
        .join()
        .quantity();
  }

  private void show(long revision) {
    shown.accumulateAndGet(revision, Math::max);
  }

  private static ProductView product(String name, long revision) {
    return new ProductView(name, BigDecimal.TEN, revision, null, null, null, null);
  }
}
