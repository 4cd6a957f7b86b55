package toystore.account.domain;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Limits failed logins by username and address, and by address, in a sliding window. Any thread.
///
/// A login counts as failed from its begin until it succeeds, so that concurrent ones cannot exceed
/// the limit.
public final class FailedLogins {
  /// Bounds the memory; the names that failed least recently are forgotten.
  private static final int MAX_NAMES = 100_000;

  private final Duration window;
  private final InstantSource clock;
  private final Failures users;
  private final Failures addresses;

  /// Who tries to register or log in.
  ///
  /// @param username the normal form of a [Username]
  public record Attempt(Role role, String username, String address) {}

  /// @param perUser maximum failures of a username from one address
  /// @param perAddress maximum failures from one address
  /// @param window time for which a failure counts
  public FailedLogins(int perUser, int perAddress, Duration window, InstantSource clock) {
    this.window = window;
    this.clock = clock;
    this.users = new Failures(perUser);
    this.addresses = new Failures(perAddress);
  }

  /// Returns how long the caller must wait, or empty if the login may begin.
  public synchronized Optional<Duration> delay(Attempt attempt) {
    Instant now = clock.instant();
    Duration delay = max(users.delay(attempt, now), addresses.delay(attempt.address(), now));
    return delay.isZero() ? Optional.empty() : Optional.of(delay);
  }

  /// Like [#delay]; if the login may begin, it counts as failed.
  public synchronized Optional<Duration> begin(Attempt attempt) {
    Optional<Duration> delay = delay(attempt);
    if (delay.isEmpty()) {
      Instant now = clock.instant();
      users.add(attempt, now);
      addresses.add(attempt.address(), now);
    }
    return delay;
  }

  /// A login that began has succeeded.
  public synchronized void recordSuccess(Attempt attempt) {
    users.removeLast(attempt);
    addresses.removeLast(attempt.address());
  }

  /// Number of remembered names.
  synchronized int size() {
    return users.times.size() + addresses.times.size();
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /// The times of failures by name, those with the oldest last failure first.
  private final class Failures {
    private final int limit;
    private final Map<Object, Deque<Instant>> times = new LinkedHashMap<>();

    Failures(int limit) {
      this.limit = limit;
    }

    /// Time until the oldest of `limit` failures no longer counts, or zero.
    Duration delay(Object name, Instant now) {
      Deque<Instant> failures = times.getOrDefault(name, new ArrayDeque<>());
      while (!failures.isEmpty() && hasExpired(failures.getFirst(), now)) {
        failures.removeFirst();
      }
      return failures.size() < limit
          ? Duration.ZERO
          : Duration.between(now, failures.getFirst().plus(window));
    }

    void add(Object name, Instant now) {
      Deque<Instant> failures = times.remove(name);
      if (failures == null) {
        failures = new ArrayDeque<>(1);
      }
      failures.add(now);
      times.put(name, failures);
      forget(now);
    }

    void removeLast(Object name) {
      Deque<Instant> failures = times.get(name);
      if (failures != null) {
        failures.pollLast();
      }
    }

    private void forget(Instant now) {
      Iterator<Deque<Instant>> eldest = times.values().iterator();
      while (eldest.hasNext()) {
        Deque<Instant> failures = eldest.next();
        boolean expired = failures.isEmpty() || hasExpired(failures.getLast(), now);
        if (!expired && times.size() <= MAX_NAMES) {
          return;
        }
        eldest.remove();
      }
    }

    private boolean hasExpired(Instant failure, Instant now) {
      return !now.isBefore(failure.plus(window));
    }
  }
}
