package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.frontend.products.ProductCacheModel.Mistake.EPOCH_IGNORED;
import static toystore.frontend.products.ProductCacheModel.Mistake.ERROR_IGNORED;
import static toystore.frontend.products.ProductCacheModel.Mistake.EVENT_BEFORE_COMMIT;
import static toystore.frontend.products.ProductCacheModel.Mistake.FLOOR_FORGOTTEN;
import static toystore.frontend.products.ProductCacheModel.Mistake.GAP_UNSEEN;
import static toystore.frontend.products.ProductCacheModel.Mistake.PRODUCT_BEFORE_SEQUENCE;
import static toystore.frontend.products.ProductCacheModel.Mistake.SEQUENCE_OF_PRODUCT_IGNORED;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A [ProductCache] with a naive model of the catalog, in which every step of a commit, a read and
/// a watch happens at a random time: answers and events arrive late, watches break, the catalog
/// restarts. Each commit gives its products a higher revision. Checks: a read never shows a lower
/// revision than an answer before it began, nor than the catalog had when it sent the last event.
final class ProductCacheModel {
  private static final List<String> NAMES = List.of("Tux", "Whale", "Bird");
  private static final int CAPACITY = 2; // so that entries are evicted
  private static final int MAX_READS = 6;
  private static final int LOSS = 30; // one event in this many is lost

  private final SplittableRandom random;
  private final @Nullable Mistake mistake;
  private final ProductCache cache = new ProductCache(true, () -> now(), CAPACITY);
  private long nanos;

  // the catalog
  private long epoch = 1;
  private long sequence;
  private long revisions;
  private final Map<String, Published> published = new HashMap<>();
  private final Queue<Runnable> commit = new ArrayDeque<>();

  // the watch
  private ProductCache.@Nullable Watch watch;
  private boolean connected;
  private long sent;
  private final Queue<Event> events = new ArrayDeque<>();
  private long received;
  private long receivedAt;
  private final Map<String, Long> seenByWatch = new HashMap<>();

  // clients of the frontend
  private final Map<String, Long> known = new HashMap<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();
  private long hits;

  /// What a wrong cache or catalog would do.
  enum Mistake {
    FLOOR_FORGOTTEN,
    EVENT_BEFORE_COMMIT,
    GAP_UNSEEN,
    EPOCH_IGNORED,
    ERROR_IGNORED,
    PRODUCT_BEFORE_SEQUENCE,
    SEQUENCE_OF_PRODUCT_IGNORED
  }

  /// @param removed whether a query of this revision is answered 404
  private record Published(long revision, long sequence, boolean removed) {}

  /// @param revisions of the products when it was sent
  private record Event(
      CatalogVersion version, long previous, List<String> names, Map<String, Long> revisions) {}

  ProductCacheModel(long seed, @Nullable Mistake mistake) {
    this.random = new SplittableRandom(seed);
    this.mistake = mistake;
    NAMES.forEach(name -> published.put(name, new Published(++revisions, 0, false)));
  }

  private long now() {
    return nanos;
  }

  /// Returns the number of reads that the cache answered.
  ///
  /// @throws AssertionError if a read was too old
  long run(int steps) {
    for (int i = 0; i < steps; i++) {
      step();
    }
    return hits;
  }

  private void step() {
    switch (random.nextInt(20)) {
      case 0, 1 -> beginCommit(random.nextBoolean());
      case 2, 3 -> runNext(commit);
      case 4, 5 -> arrive();
      case 6, 7, 8, 9 -> read(any(NAMES));
      case 10, 11, 12, 13 -> proceed();
      case 14, 15, 16 -> follow();
      case 17 -> heartbeat();
      case 18 -> refuse(any(NAMES));
      default -> {
        switch (random.nextInt(12)) {
          case 0 -> restart();
          case 1 -> breakWatch();
          default -> nanos += TimeUnit.MILLISECONDS.toNanos(random.nextInt(200));
        }
      }
    }
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static void runNext(Queue<Runnable> steps) {
    Runnable next = steps.poll();
    if (next != null) {
      next.run();
    }
  }

  /// @param own whether a client of this frontend is answered
  private void beginCommit(boolean own) {
    if (!commit.isEmpty()) {
      return;
    }
    List<String> names = random.nextInt(3) == 0 ? NAMES : List.of(any(NAMES));
    Map<String, Published> changed = new HashMap<>();
    for (String name : names) {
      changed.put(name, new Published(++revisions, sequence + 1, random.nextInt(8) == 0));
    }
    names.forEach(name -> commit.add(() -> published.put(name, changed.get(name))));
    Runnable publishing =
        () -> {
          sequence++;
          send(names);
        };
    if (mistake == EVENT_BEFORE_COMMIT) {
      publishing.run();
    } else {
      commit.add(publishing);
    }
    if (own) {
      commit.add(() -> {
        CatalogVersion version = version(sequence);
        answers.add(() -> {
          if (mistake != FLOOR_FORGOTTEN) {
            cache.change(names, () -> version, it -> it);
          }
          changed.forEach((name, it) -> shown(name, it.revision));
        });
      });
    }
  }

  /// A change that is refused: its client learns the state of the product without a version.
  private void refuse(String name) {
    long revision = revision(name);
    answers.add(() -> {
      if (mistake != ERROR_IGNORED) {
        cache.invalidate(name);
      }
      shown(name, revision);
    });
  }

  private void shown(String name, long revision) {
    known.merge(name, revision, Math::max);
  }

  private void arrive() {
    if (!answers.isEmpty()) {
      answers.remove(random.nextInt(answers.size())).run();
    }
  }

  private CatalogVersion version(long at) {
    return new CatalogVersion(mistake == EPOCH_IGNORED ? 1 : epoch, at);
  }

  private long revision(String name) {
    return published.getOrDefault(name, new Published(0, 0, true)).revision;
  }

  private void send(List<String> names) {
    if (!connected) {
      return;
    }
    Map<String, Long> current = new HashMap<>();
    published.forEach((name, it) -> {
      if (it.sequence <= sequence) { // not in the middle of a commit
        current.put(name, it.revision);
      }
    });
    if (random.nextInt(LOSS) > 0) {
      events.add(new Event(version(sequence), sent, names, current));
    }
    sent = sequence;
  }

  private void heartbeat() {
    if (connected && commit.isEmpty()) {
      send(List.of());
    }
  }

  private void follow() {
    ProductCache.Watch now = watch;
    if (now == null) {
      watch = cache.watch();
      return;
    }
    if (!connected && events.isEmpty()) {
      if (sent >= 0) {
        connected = true; // the call arrives at the catalog
        sent = sequence;
        send(List.of());
      } else { // it was closed
        breakWatch();
      }
      return;
    }
    Event event = events.poll();
    if (event != null) {
      long previous = mistake == GAP_UNSEEN ? received : event.previous;
      if (now.receive(event.version, previous, event.names)) {
        received = event.version.sequence();
        receivedAt = nanos;
        seenByWatch.putAll(event.revisions);
      } else {
        breakWatch();
      }
    }
  }

  private void breakWatch() {
    if (watch != null) {
      watch.end();
    }
    watch = null;
    connected = false;
    sent = 0;
    events.clear();
    seenByWatch.clear();
  }

  /// The commit in progress is on disk. Reads without an answer fail.
  private void restart() {
    commit.removeIf(step -> {
      step.run();
      return true;
    });
    epoch++;
    sequence = 0;
    published.replaceAll((_, it) -> new Published(it.revision, 0, it.removed));
    reads.removeIf(it -> it.version == null);
    connected = false;
    sent = -1;
  }

  private void read(String name) {
    long least = Math.max(known.getOrDefault(name, 0L), seenByWatch.getOrDefault(name, 0L));
    ProductView hit = cache.find(name);
    if (hit != null) {
      hits++;
      check(name, hit.quantity(), known.getOrDefault(name, 0L), "in the cache");
      check(name, hit.quantity(), least, "in the cache after its event");
      assertThat(nanos - receivedAt).as("lease").isLessThan(ProductCache.LEASE.toNanos());
    } else if (reads.size() < MAX_READS) {
      reads.add(new Read(name, known.getOrDefault(name, 0L), cache.invalidations(name)));
    }
  }

  private void check(String name, long revision, long least, String where) {
    assertThat(revision).as("revision of %s %s", name, where).isGreaterThanOrEqualTo(least);
    shown(name, revision);
  }

  private void proceed() {
    if (!reads.isEmpty()) {
      Read read = any(reads);
      if (read.proceed()) {
        reads.remove(read);
      }
    }
  }

  /// A read from the catalog.
  private final class Read {
    private final String name;
    private final long least;
    private final long before;
    private long sequenceRead = -1;
    private @Nullable Published product;
    private @Nullable CatalogVersion version;

    Read(String name, long least, long before) {
      this.name = name;
      this.least = least;
      this.before = before;
    }

    /// Returns whether it has ended.
    boolean proceed() {
      if (sequenceRead < 0 && mistake != PRODUCT_BEFORE_SEQUENCE) {
        sequenceRead = sequence;
        return false;
      }
      Published found = product;
      if (found == null) {
        product = Collections.unmodifiableMap(published).get(name);
        return false;
      }
      if (version == null) {
        long read = mistake == PRODUCT_BEFORE_SEQUENCE ? sequence : sequenceRead;
        version =
            version(mistake == SEQUENCE_OF_PRODUCT_IGNORED ? read : Math.max(read, found.sequence));
        return false;
      }
      if (found.removed) {
        cache.invalidate(name);
      } else {
        cache.put(name, before, version, view(name, found.revision));
      }
      check(name, found.revision, least, "in the catalog");
      return true;
    }
  }

  private static ProductView view(String name, long revision) {
    return new ProductView(name, BigDecimal.ONE, revision, null, null, null, null);
  }
}
