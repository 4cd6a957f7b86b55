package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.frontend.http.error.ApiException;

class ProductCacheTest {
  private static final List<String> TUX = List.of("Tux");
  private static final int SEEDS = 2_000;
  private static final int STEPS = 600;

  private long nanos;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final ProductCache cache = new ProductCache(true, 100, () -> nanos, metrics);

  private void watching() {
    assertThat(cache.receive(0, List.of())).isTrue();
  }

  private static ProductView response(String name, long quantity) {
    return new ProductView(name, BigDecimal.TEN, quantity, null, null, null, null);
  }

  /// The quantity that a query of a product answers while the catalog has another one.
  private long quantity(String name, boolean fresh, long inCatalog) {
    return cache
        .find(name, fresh, () -> CompletableFuture.completedFuture(response(name, inCatalog)))
        .toCompletableFuture()
        .join()
        .quantity();
  }

  private long tux(long inCatalog) {
    return quantity("Tux", false, inCatalog);
  }

  @Test
  void productIsCachedWhileWatchIsCurrent() {
    assertThat(tux(80)).isEqualTo(80);
    assertThat(tux(79)).isEqualTo(79);
    watching();
    assertThat(tux(78)).isEqualTo(78);
    assertThat(tux(77)).isEqualTo(78);
    cache.end();
    assertThat(tux(76)).isEqualTo(76);
    watching();
    assertThat(tux(75)).as("of the watch before").isEqualTo(75);
  }

  @Test
  void formsOfOneNameShareAnEntryThatAnswersOnlyTheNameOfTheProduct() {
    watching();
    assertThat(quantity("José", false, 80)).isEqualTo(80);
    assertThat(quantity("José", false, 79)).isEqualTo(80);
    assertThat(quantity("Jose\u0301", false, 79)).isEqualTo(79);
    assertThat(quantity("José", false, 78)).as("after a newer one").isEqualTo(78);
    assertThat(cache.change(List.of("Jose\u0301"), () -> "sold")).isEqualTo("sold");
    assertThat(quantity("José", false, 77)).as("after a change").isEqualTo(77);
  }

  @Test
  void changeIsSeenBeforeItsEvent() {
    watching();
    assertThat(tux(80)).isEqualTo(80);
    var read = new CompletableFuture<ProductView>();
    cache.change(TUX, () -> "sold");
    var overtaken = cache.find("Tux", false, () -> read).toCompletableFuture();
    cache.change(TUX, () -> "sold");
    read.complete(response("Tux", 79));
    assertThat(overtaken).isCompletedWithValue(response("Tux", 79));
    assertThat(tux(78)).isEqualTo(78);
  }

  @Test
  void eventRemovesItsNames() {
    watching();
    assertThat(tux(80)).isEqualTo(80);
    cache.receive(1, List.of("Whale"));
    assertThat(tux(79)).isEqualTo(80);
    cache.receive(2, TUX);
    assertThat(tux(79)).isEqualTo(79);
  }

  @Test
  void missedEventEndsWatch() {
    watching();
    assertThat(tux(80)).isEqualTo(80);
    assertThat(cache.receive(2, List.of())).isFalse();
    assertThat(tux(79)).isEqualTo(79);
    assertThat(tux(78)).isEqualTo(78);
    assertThat(cache.receive(3, List.of())).isFalse();
    watching();
    assertThat(tux(77)).isEqualTo(77);
    assertThat(tux(76)).isEqualTo(77);
  }

  @Test
  void cacheIsUnusedAfterLeaseWithoutHeartbeat() {
    watching();
    assertThat(tux(80)).isEqualTo(80);
    nanos += ProductCache.LEASE.toNanos() - 1;
    assertThat(tux(79)).isEqualTo(80);
    assertThat(metrics.get("toystore.product.cache.current").gauge().value()).isEqualTo(1);
    nanos += 1;
    assertThat(metrics.get("toystore.product.cache.current").gauge().value()).isZero();
    cache.receive(1, List.of());
    assertThat(tux(79)).isEqualTo(80);
    nanos += ProductCache.LEASE.toNanos();
    assertThat(tux(78)).isEqualTo(78);
    cache.receive(2, List.of());
    assertThat(tux(77)).as("no older one than before").isEqualTo(77);
  }

  @Test
  void queryWithoutCacheAsksTheCatalogAndRenewsTheEntry() {
    watching();
    assertThat(tux(80)).isEqualTo(80);
    assertThat(quantity("Tux", true, 79)).isEqualTo(79);
    assertThat(tux(78)).isEqualTo(79);
  }

  @Test
  void fullCacheRemovesProductsAndCountsThem() {
    var small = new SimpleMeterRegistry();
    var full = new ProductCache(true, 10, () -> nanos, small);
    full.receive(0, List.of());
    for (int i = 0; i < 1_000; i++) {
      ProductView toy = response("Toy " + i, i);
      var _ = full.find(toy.name(), false, () -> CompletableFuture.completedFuture(toy));
    }
    assertThat(small.get("cache.size").tag("cache", "products").gauge().value()).isEqualTo(10);
    assertThat(small.counter("cache.evictions", "cache", "products").count()).isEqualTo(990);
  }

  @Test
  void errorThatMaySaySomethingAboutProductRemovesIt() {
    watching();
    assertThat(tux(80)).isEqualTo(80);
    refuse(409);
    assertThat(tux(79)).isEqualTo(79);
    refuse(504);
    assertThat(tux(78)).isEqualTo(78);
  }

  @Test
  void errorThatSaysNothingAboutProductKeepsIt() {
    watching();
    assertThat(tux(80)).isEqualTo(80);
    refuse(503);
    assertThat(tux(79)).isEqualTo(80);
  }

  private void refuse(int status) {
    assertThatThrownBy(() ->
            cache.change(
                TUX,
                () -> {
                  throw ApiException.of(status, "refused");
                }))
        .isInstanceOf(ApiException.class);
  }

  @Test
  void disabledCacheHasNoProducts() {
    var disabled = new ProductCache(false, 100, () -> nanos, metrics);
    var tux = response("Tux", 1);
    assertThat(disabled.change(TUX, () -> "sold")).isEqualTo("sold");
    for (int i = 0; i < 2; i++) {
      var read = CompletableFuture.completedFuture(tux);
      assertThat(disabled.find("Tux", false, () -> read).toCompletableFuture())
          .isCompletedWithValue(tux);
    }
    assertThat(hits()).isZero();
  }

  private double hits() {
    return metrics.counter("cache.gets", "cache", "products", "result", "hit").count();
  }

  @Test
  void readIsNeverOlderThanAnEarlierAnswer() {
    long hits = LongStream.rangeClosed(1, SEEDS).map(seed -> run(seed, null)).sum();
    assertThat(hits).as("reads answered by the cache").isGreaterThan(SEEDS);
  }

  @ParameterizedTest
  @EnumSource
  void randomWalkFinds(ProductCacheModel.Mistake mistake) {
    assertThatThrownBy(() -> LongStream.rangeClosed(1, SEEDS).forEach(it -> run(it, mistake)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("revision of");
  }

  private static long run(long seed, ProductCacheModel.@Nullable Mistake mistake) {
    try {
      return new ProductCacheModel(seed, mistake).run(STEPS);
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }
}
