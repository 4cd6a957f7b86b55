package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.frontend.http.ApiException;

class ProductCacheTest {
  private static final List<String> TUX = List.of("Tux");
  private static final int SEEDS = 2_000;
  private static final int STEPS = 600;

  private long nanos;
  private final ProductCache cache = new ProductCache(true, () -> nanos, 100);

  private static CatalogVersion at(long sequence) {
    return inEpoch(7, sequence);
  }

  private static CatalogVersion inEpoch(long epoch, long sequence) {
    return new CatalogVersion(epoch, sequence);
  }

  private ProductCache.Watch watching(long sequence) {
    var watch = cache.watch();
    assertThat(watch.receive(at(sequence), sequence, List.of())).isTrue();
    return watch;
  }

  private void put(CatalogVersion version, long quantity) {
    put(cache.invalidations("Tux"), version, quantity);
  }

  private void put(long invalidations, CatalogVersion version, long quantity) {
    cache.put("Tux", invalidations, version, response(quantity));
  }

  private static ProductView response(long quantity) {
    return new ProductView("Tux", BigDecimal.TEN, quantity, null, null, null, null);
  }

  /// The cached quantity of Tux; null: it must be read from the catalog.
  private @Nullable Long cached() {
    ProductView found = cache.find("Tux");
    return found == null ? null : found.quantity();
  }

  @Test
  void formsOfOneNameShareAFloorButAnEntryAnswersItsOwnNameOnly() {
    var response = new ProductView("José", BigDecimal.ONE, 80, null, null, null, null);
    watching(3);
    cache.put("Jose\u0301", cache.invalidations("Jose\u0301"), at(3), response);

    assertThat(cache.find("José")).isEqualTo(response);
    assertThat(cache.find("Jose\u0301")).isNull();
    cache.recordChange(List.of("Jose\u0301"), at(4));
    assertThat(cache.find("José")).as("changed under another form").isNull();
  }

  @Test
  void productIsCachedWhileWatchIsCurrent() {
    put(at(3), 80);
    assertThat(cached()).isNull();
    var watch = watching(3);
    assertThat(cached()).isEqualTo(80);
    watch.end();
    assertThat(cached()).isNull();
  }

  @Test
  void productReadBeforeWatchBeganIsNotUsed() {
    put(at(3), 80);
    watching(4);
    assertThat(cached()).isNull();
    put(at(4), 79);
    assertThat(cached()).isEqualTo(79);
  }

  @Test
  void changeRaisesFloorBeforeItsEvent() {
    var watch = watching(3);
    put(at(3), 80);
    cache.change(TUX, () -> "sold", _ -> at(5));
    assertThat(cached()).isNull();
    put(at(4), 80);
    assertThat(cached()).isNull();
    put(at(5), 79);
    assertThat(watch.receive(at(5), 3, TUX)).isTrue();
    assertThat(cached()).isEqualTo(79);
  }

  @Test
  void eventRaisesFloorOfItsNames() {
    var watch = watching(3);
    put(at(3), 80);
    watch.receive(at(4), 3, List.of("Whale"));
    assertThat(cached()).isEqualTo(80);
    watch.receive(at(6), 4, TUX);
    assertThat(cached()).isNull();
  }

  @Test
  void missedEventEndsWatch() {
    var watch = watching(3);
    put(at(9), 80);
    assertThat(watch.receive(at(6), 5, List.of())).isFalse();
    assertThat(cached()).isNull();
    assertThat(watch.receive(at(7), 6, List.of())).isFalse();
  }

  @Test
  void cacheIsUnusedAfterLeaseWithoutHeartbeat() {
    var watch = watching(3);
    put(at(3), 80);
    nanos += ProductCache.LEASE.toNanos() - 1;
    assertThat(cached()).isEqualTo(80);
    nanos += 1;
    assertThat(cached()).isNull();
    assertThat(cache.isCurrent()).isFalse();
    watch.receive(at(3), 3, List.of());
    assertThat(cached()).isEqualTo(80);
  }

  @Test
  void answerOfAnotherEpochEndsWatch() {
    var watch = watching(3);
    put(at(3), 80);
    cache.recordChange(List.of("Whale"), inEpoch(8, 1));
    assertThat(cached()).isNull();
    assertThat(watch.receive(at(3), 3, List.of())).isFalse();
    put(at(3), 80); // late
    assertThat(cached()).isNull();
  }

  @Test
  void watchWhoseCallBeganBeforeAnotherEpochWasSeenIsRefused() {
    var watch = cache.watch();
    cache.recordChange(TUX, at(5));
    assertThat(watch.receive(at(3), 3, List.of())).isFalse();
    assertThat(cache.watch().receive(at(5), 5, List.of())).isTrue();
  }

  @Test
  void overtakenReadDoesNotReplaceNewerProduct() {
    watching(3);
    put(at(5), 79);
    put(at(4), 80);
    assertThat(cached()).isEqualTo(79);
  }

  @Test
  void fullCacheRemovesProductsAndCountsThem() {
    var small = new ProductCache(true, () -> nanos, 10);
    for (int i = 0; i < 1_000; i++) {
      small.put("Toy " + i, 0, at(5), response(i));
    }
    assertThat(small.size()).isEqualTo(10);
    assertThat(small.evictions()).isEqualTo(990);
  }

  @Test
  void overtakenReadIsNotUsedAfterNewerProductWasEvicted() {
    var small = new ProductCache(true, () -> nanos, 1);
    small.watch().receive(at(3), 3, List.of());
    small.put("Tux", 0, at(5), response(79));
    while (small.find("Tux") != null) {
      small.put("Whale", 0, at(5), response(94));
    }
    for (int i = 0; i < 100; i++) { // until it is kept instead of the other
      small.put("Tux", 0, at(4), response(80));
      assertThat(small.find("Tux")).isNull();
    }
    small.put("Tux", 0, at(6), response(79));
    assertThat(small.find("Tux")).isNotNull();
  }

  @Test
  void readThatBeganBeforeErrorIsNotUsed() {
    watching(3);
    long before = cache.invalidations("Tux");
    put(at(3), 80);
    refuse(409);
    assertThat(cached()).isNull();
    put(before, at(4), 79);
    assertThat(cached()).isNull();
    put(at(4), 79);
    assertThat(cached()).isEqualTo(79);
  }

  @Test
  void errorThatSaysNothingAboutProductKeepsIt() {
    watching(3);
    put(at(3), 80);
    refuse(503);
    assertThat(cached()).isEqualTo(80);
  }

  private void refuse(int status) {
    assertThatThrownBy(() ->
            cache.change(
                TUX,
                () -> {
                  throw ApiException.of(status, "refused");
                },
                _ -> at(0)))
        .isInstanceOf(ApiException.class);
  }

  @Test
  void answerOfOlderServiceWithoutVersionInvalidates() {
    watching(3);
    put(at(3), 80);
    cache.change(TUX, () -> "sold", _ -> inEpoch(0, 0));
    assertThat(cached()).isNull();
    put(inEpoch(0, 0), 79);
    assertThat(cached()).isNull();
  }

  @Test
  void disabledCacheHasNoProducts() {
    var disabled = new ProductCache(false, () -> nanos, 100);
    var tux = response(1);
    disabled.change(TUX, () -> "sold", _ -> at(5));
    assertThat(disabled.put("Tux", disabled.invalidations("Tux"), at(5), tux)).isSameAs(tux);
    assertThat(disabled.find("Tux")).isNull();
  }

  /// A catalog with one product, whose revision is its sequence.
  private static final class Revisions {
    private final AtomicLong published = new AtomicLong();
    private final ReentrantLock commit = new ReentrantLock();

    long change(ProductCache.Watch watch) {
      commit.lock();
      try {
        long next = published.incrementAndGet();
        watch.receive(at(next), next - 1, next % 2 == 0 ? TUX : List.of("Whale")); // half are late
        return next;
      } finally {
        commit.unlock();
      }
    }
  }

  @Test
  void concurrentClientsNeverReadAnOlderProduct() throws Exception {
    var shown = new AtomicLong();
    var catalog = new Revisions();
    var watch = watching(0);
    Callable<Void> client =
        () -> {
          for (int i = 0; i < 50_000; i++) {
            if (i % 16 == 0) {
              long changed = cache.change(TUX, () -> catalog.change(watch), ProductCacheTest::at);
              shown.accumulateAndGet(changed, Math::max);
            } else {
              long least = shown.get();
              long read = read(catalog);
              assertThat(read).isGreaterThanOrEqualTo(least);
              shown.accumulateAndGet(read, Math::max);
            }
          }
          return null;
        };
    try (var clients = Executors.newFixedThreadPool(4)) {
      for (Future<Void> done : clients.invokeAll(Collections.nCopies(4, client))) {
        done.get();
      }
    }
    assertThat(cache.hits()).isPositive();
  }

  private long read(Revisions catalog) {
    Long cached = cached();
    if (cached != null) {
      return cached;
    }
    long before = cache.invalidations("Tux");
    long revision = catalog.published.get();
    put(before, at(revision), revision);
    return revision;
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
