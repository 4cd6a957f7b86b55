package toystore.account.domain;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// Limits failed logins by username and address, and by address, in a window of time that the first
/// of them begins. Any thread.
///
/// A login counts as failed from its begin until it succeeds, so that concurrent ones cannot exceed
/// the limit.
public final class FailedLogins {
  /// Bounds the memory; the names that failed least recently are forgotten.
  private static final int MAX_NAMES = 100_000;

  private final int perUser;
  private final int perAddress;
  private final Duration window;
  private final InstantSource clock;
  private final Cache<Object, Failures> failures;

  /// Who tries to register or log in.
  ///
  /// @param username the normal form of a [Username]
  public record Attempt(Role role, String username, String address) {}

  private record Failures(Instant since, int count) {}

  /// @param perUser maximum failures of a username from one address
  public FailedLogins(int perUser, int perAddress, Duration window, InstantSource clock) {
    this.perUser = perUser;
    this.perAddress = perAddress;
    this.window = window;
    this.clock = clock;
    this.failures =
        Caffeine.newBuilder()
            .maximumSize(MAX_NAMES)
            .expireAfterWrite(window)
            .executor(Runnable::run)
            .build();
  }

  /// Returns how long the caller must wait, or empty if the login may begin.
  public synchronized Optional<Duration> delay(Attempt attempt) {
    return Stream.of(delay(attempt, perUser), delay(attempt.address(), perAddress))
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder());
  }

  private Optional<Duration> delay(Object name, int limit) {
    return Optional.ofNullable(failures.getIfPresent(name))
        .filter(it -> it.count >= limit)
        .map(it -> Duration.between(clock.instant(), it.since.plus(window)))
        .filter(Duration::isPositive);
  }

  /// Like [#delay]; if the login may begin, it counts as failed.
  public synchronized Optional<Duration> begin(Attempt attempt) {
    Optional<Duration> delay = delay(attempt);
    if (delay.isEmpty()) {
      add(attempt, 1);
    }
    return delay;
  }

  public synchronized void recordSuccess(Attempt attempt) {
    add(attempt, -1);
  }

  private void add(Attempt attempt, int count) {
    Instant now = clock.instant();
    for (Object name : new Object[] {attempt, attempt.address()}) {
      failures
          .asMap()
          .compute(
              name,
              (_, known) -> {
                boolean isCurrent = known != null && now.isBefore(known.since.plus(window));
                int sum = (isCurrent ? known.count : 0) + count;
                return sum > 0 ? new Failures(isCurrent ? known.since : now, sum) : null;
              });
    }
  }

  long size() {
    failures.cleanUp();
    return failures.estimatedSize();
  }
}
