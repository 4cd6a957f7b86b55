package toystore.torture.network;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A client that trusts in its keys: it repeats what stayed without an answer, sends it twice at
/// once, goes away in the middle and comes back later or never, uses a key for another body, and
/// asks again what was answered long ago, also to others. What it does follows from its random
/// numbers and its answers. One thread.
final class Customer {
  /// Nothing stays without an answer for so long.
  private static final Duration AT_MOST = Duration.ofSeconds(90);

  private static final int WISHES_A_RESTOCK = 4;

  private final int number;
  private final SplittableRandom random;
  private final Door door;
  private final History history;
  private final List<Shelf> shelves;
  private final Counter counter;
  private long keys;

  /// A request that bears a key.
  record Keyed(String key, Wish wish) {}

  /// Where customers leave keys for others to ask again. Any thread.
  static final class Counter {
    private final List<Keyed> left = new ArrayList<>();
    private final AtomicLong served = new AtomicLong();

    synchronized void leave(Keyed keyed) {
      left.add(keyed);
    }

    synchronized @Nullable Keyed any(SplittableRandom random) {
      return left.isEmpty() ? null : left.get(random.nextInt(left.size()));
    }

    /// How many wishes are through.
    long served() {
      return served.get();
    }
  }

  Customer(
      int number,
      SplittableRandom random,
      Door door,
      History history,
      List<Shelf> shelves,
      Counter counter) {
    this.number = number;
    this.random = random;
    this.door = door;
    this.history = history;
    this.shelves = shelves;
    this.counter = counter;
  }

  /// Buys and looks.
  void shop(int wishes) {
    for (int i = 0; i < wishes; i++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> attempt(look(), "", true);
        case 3 -> buyWithoutKey();
        default -> buy();
      }
      if (random.nextInt(4) == 0) {
        Keyed again = counter.any(random);
        if (again != null) {
          attempt(again.wish, again.key, true);
        }
      }
      counter.served.incrementAndGet();
      pause(15);
    }
  }

  /// Restocks, as the administrator, until nobody buys any more: less than is asked for.
  void restock(BooleanSupplier open) {
    long restocked = 0;
    while (open.getAsBoolean()) {
      if (restocked * WISHES_A_RESTOCK < counter.served()) {
        Shelf shelf = any(shelves);
        insist(keyed(new Wish.Restock(shelf, any(shelf.toys()), random.nextInt(1, 5))));
        restocked++;
      }
      pause(10);
    }
  }

  private void buy() {
    Keyed first = new Keyed(nextKey(), order(any(shelves)));
    Keyed other = new Keyed(first.key, order(first.wish.shelf()));
    boolean confused = random.nextInt(8) == 0;
    do {
      Keyed now = confused && random.nextBoolean() ? other : first;
      boolean answered =
          switch (random.nextInt(20)) {
            case 0 -> leave(now, random.nextDouble());
            case 1, 2 -> leave(now, 1);
            case 3, 4, 5 -> twice(now, confused ? other : now);
            default -> isAnswered(attempt(now.wish, now.key, true));
          };
      if (answered || random.nextInt(25) == 0) {
        counter.leave(first);
        counter.leave(now);
        return;
      }
      pause(150);
    } while (true);
  }

  /// Where the answer is that nobody knows, it names the key to repeat with.
  private void buyWithoutKey() {
    Wish order = order(any(shelves));
    Attempt once = attempt(order, "", false);
    if (once.said() == Attempt.Said.UNKNOWN && !once.key().isEmpty() && random.nextInt(4) > 0) {
      insist(new Keyed(once.key(), order));
    }
  }

  /// Repeats until there is an answer.
  Attempt insist(Keyed keyed) {
    long end = System.nanoTime() + AT_MOST.toNanos();
    while (System.nanoTime() < end) {
      Attempt attempt = attempt(keyed.wish, keyed.key, true);
      if (isAnswered(attempt)) {
        return attempt;
      }
      pause(150);
    }
    throw new AssertionError("no answer within %s: %s".formatted(AT_MOST, keyed));
  }

  /// A request with a key of its own.
  Keyed keyed(Wish wish) {
    return new Keyed(nextKey(), wish);
  }

  private static boolean isAnswered(Attempt attempt) {
    return attempt.said() != Attempt.Said.UNKNOWN && attempt.said() != Attempt.Said.NOT_DONE;
  }

  private boolean twice(Keyed one, Keyed other) {
    boolean[] answered = new boolean[2];
    Duration[] patience = {patience(), patience()};
    Thread beside =
        Thread.ofVirtual()
            .start(
                () -> answered[1] = isAnswered(attempt(other.wish, other.key, true, patience[1])));
    answered[0] = isAnswered(attempt(one.wish, one.key, true, patience[0]));
    join(beside);
    return answered[0] || answered[1];
  }

  private static void join(Thread beside) {
    try {
      beside.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a customer", e);
    }
  }

  /// Goes away without an answer. Less than the whole of a request must do nothing, so it is no
  /// part of the history.
  private boolean leave(Keyed keyed, double share) {
    long call = history.now();
    if (door.leave(keyed.wish, keyed.key, share, patience())) {
      history.add(new Attempt(number, call, history.now(), keyed.wish, keyed.key, true, null));
    }
    return false;
  }

  private Attempt attempt(Wish wish, String key, boolean own) {
    return attempt(wish, key, own, patience());
  }

  private Attempt attempt(Wish wish, String key, boolean own, Duration patience) {
    long call = history.now();
    Answer answer = door.ask(wish, key, patience);
    String named = key.isEmpty() && answer != null ? answer.key() : key;
    var attempt = new Attempt(number, call, history.now(), wish, named, own, answer);
    history.add(attempt);
    return attempt;
  }

  /// Mostly more than the store needs at its slowest, now and then less.
  private Duration patience() {
    return Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(100, 1_000) : 4_000);
  }

  private Wish look() {
    Shelf shelf = any(shelves);
    return new Wish.Look(shelf, any(shelf.toys()));
  }

  private Wish order(Shelf shelf) {
    if (random.nextInt(4) > 0) {
      return new Wish.Buy(shelf, List.of(new Wish.Line(any(shelf.toys()), random.nextInt(1, 5))));
    }
    return new Wish.Buy(
        shelf, shelf.toys().stream().map(toy -> new Wish.Line(toy, random.nextInt(1, 4))).toList());
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String nextKey() {
    return "customer-%d-%d".formatted(number, keys++);
  }

  private void pause(int maxMillis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(maxMillis)));
  }
}
