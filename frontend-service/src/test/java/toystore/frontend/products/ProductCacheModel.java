package toystore.frontend.products;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.error.ApiException;

/// A [ProductCache] with a naive model of the catalog, in which every step of a commit, a read and
/// a watch happens at a random time: answers and events arrive late, watches break, the catalog
/// restarts. Each commit gives its products a higher revision. Checks: a read never shows a lower
/// revision than an answer before it began, nor, from the cache, than the catalog had when it sent
/// the last event.
final class ProductCacheModel {
  private static final List<String> NAMES = List.of("Tux", "Whale", "Bird");
  private static final int CAPACITY = 2; // so that entries are evicted
  private static final int MAX_READS = 6;
  private static final int LOSS = 30; // one event in this many is lost

  private final SplittableRandom random;
  private final @Nullable Mistake mistake;
  private final ProductCache cache =
      new ProductCache(true, CAPACITY, () -> now(), new SimpleMeterRegistry());
  private long nanos;

  // the catalog
  private long sequence;
  private long revisions;
  private final Map<String, Published> published = new HashMap<>();
  private final Queue<Runnable> commit = new ArrayDeque<>();

  // the watch
  private boolean connected; // the call arrived at the catalog
  private boolean subscribed;
  private boolean closed; // by the catalog
  private long sent; // number of events
  private final Queue<Event> events = new ArrayDeque<>();
  private long received;
  private long receivedAt;
  private final Map<String, Long> seenByWatch = new HashMap<>();

  // clients of the frontend
  private final Map<String, Long> known = new HashMap<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();
  private final Queue<Runnable> shown = new ArrayDeque<>();
  private long hits;

  /// What a wrong frontend or catalog would do.
  enum Mistake {
    ANSWER_IGNORED,
    ERROR_IGNORED,
    READ_PAST_THE_CACHE,
    EVENT_BEFORE_COMMIT,
    BEGIN_BEFORE_SUBSCRIPTION,
    GAP_UNSEEN
  }

  /// @param removed whether a query of this revision is answered 404
  private record Published(long revision, long sequence, boolean removed) {}

  /// @param revisions of the products when it was sent
  private record Event(long number, List<String> names, Map<String, Long> revisions) {}

  /// The answer to a query of a product that was removed.
  private static final class RemovedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final long revision;

    RemovedException(long revision) {
      this.revision = revision;
    }
  }

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
      while (!shown.isEmpty()) {
        shown.remove().run();
      }
    }
    return hits;
  }

  private void step() {
    switch (random.nextInt(20)) {
      case 0, 1 -> beginCommit(random.nextBoolean());
      case 2, 3 -> runNext(commit);
      case 4, 5 -> arrive();
      case 6, 7, 8, 9 -> {
        if (reads.size() < MAX_READS) {
          read(any(NAMES));
        }
      }
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
          if (subscribed) {
            send(names);
          }
        };
    if (mistake == Mistake.EVENT_BEFORE_COMMIT) {
      publishing.run();
    } else {
      commit.add(publishing);
    }
    if (own) {
      commit.add(() ->
          answers.add(() -> {
            if (mistake != Mistake.ANSWER_IGNORED) {
              cache.change(names, () -> "sold");
            }
            changed.forEach((name, it) -> show(name, it.revision));
          }));
    }
  }

  /// A change that is refused: its client learns the state of the product.
  private void refuse(String name) {
    long revision = requireNonNull(published.get(name)).revision;
    answers.add(() -> {
      if (mistake != Mistake.ERROR_IGNORED) {
        assertThatThrownBy(() ->
                cache.change(
                    List.of(name),
                    () -> {
                      throw ApiException.of(409, "refused");
                    }))
            .isInstanceOf(ApiException.class);
      }
      show(name, revision);
    });
  }

  private void show(String name, long revision) {
    known.merge(name, revision, Math::max);
  }

  private void arrive() {
    if (!answers.isEmpty()) {
      answers.remove(random.nextInt(answers.size())).run();
    }
  }

  private void send(List<String> names) {
    Map<String, Long> current = new HashMap<>();
    published.forEach((name, it) -> {
      if (it.sequence <= sequence) { // not in the middle of a commit
        current.put(name, it.revision);
      }
    });
    if (random.nextInt(LOSS) > 0) {
      events.add(new Event(sent, names, current));
    }
    sent++;
  }

  private void heartbeat() {
    if (connected && commit.isEmpty()) {
      subscribed = true;
      send(List.of());
    }
  }

  private void follow() {
    Event event = events.poll();
    if (event != null) {
      receive(event);
    } else if (closed) {
      breakWatch();
    } else if (!connected) {
      connected = true;
      subscribed = mistake != Mistake.BEGIN_BEFORE_SUBSCRIPTION;
      send(List.of());
    }
  }

  private void receive(Event event) {
    if (cache.receive(mistake == Mistake.GAP_UNSEEN ? received : event.number, event.names)) {
      received++;
      receivedAt = nanos;
      seenByWatch.putAll(event.revisions);
    } else {
      breakWatch();
    }
  }

  private void breakWatch() {
    cache.end();
    connected = false;
    subscribed = false;
    closed = false;
    sent = 0;
    received = 0;
    events.clear();
    seenByWatch.clear();
  }

  /// The commit in progress is on disk. Reads without an answer fail.
  private void restart() {
    commit.removeIf(step -> {
      step.run();
      return true;
    });
    for (Read read : List.copyOf(reads)) {
      if (read.breakOff()) {
        reads.remove(read);
      }
    }
    closed |= connected;
    connected = false;
    subscribed = false;
  }

  private void read(String name) {
    long least = known.getOrDefault(name, 0L);
    var read = new Read(name);
    boolean fresh = random.nextInt(8) == 0;
    CompletionStage<ProductView> answer =
        fresh && mistake == Mistake.READ_PAST_THE_CACHE
            ? read.begin()
            : cache.find(name, fresh, read::begin);
    if (!read.begun) { // from the cache, or a read in progress, or one that begins later
      hits += answer.toCompletableFuture().isDone() ? 1 : 0;
      least = Math.max(least, seenByWatch.getOrDefault(name, 0L));
      assertThat(nanos - receivedAt).as("lease").isLessThan(ProductCache.LEASE.toNanos());
    }
    long atLeast = least;
    var _ =
        answer.whenComplete((found, failure) ->
            shown.add(() -> {
              if (found != null) {
                check(name, found.quantity(), atLeast);
              } else if (cause(failure) instanceof RemovedException removed) {
                check(name, removed.revision, atLeast);
              }
            }));
  }

  private static @Nullable Throwable cause(@Nullable Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  private void check(String name, long revision, long least) {
    assertThat(revision).as("revision of %s", name).isGreaterThanOrEqualTo(least);
    show(name, revision);
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
    private final CompletableFuture<ProductView> answer = new CompletableFuture<>();
    private boolean begun;
    private @Nullable Published found;

    Read(String name) {
      this.name = name;
    }

    CompletionStage<ProductView> begin() {
      begun = true;
      reads.add(this);
      return answer;
    }

    /// Returns whether it has ended.
    boolean proceed() {
      Published now = found;
      if (now == null) {
        found = Collections.unmodifiableMap(published).get(name);
        return false;
      }
      if (now.removed) {
        answer.completeExceptionally(new RemovedException(now.revision));
      } else {
        answer.complete(
            new ProductView(name, BigDecimal.ONE, now.revision, null, null, null, null));
      }
      return true;
    }

    /// Ends it without an answer, unless the answer is under way.
    boolean breakOff() {
      return found == null
          && answer.completeExceptionally(ApiException.of(503, "catalog is unavailable"));
    }
  }
}
