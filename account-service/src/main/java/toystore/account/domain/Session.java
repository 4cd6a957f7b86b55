package toystore.account.domain;

import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/// A session of an account, from login to logout. It ends when it was not used for some time. The
/// time of its last use is in memory, and is stored from time to time. Any thread.
///
/// @param id from 1; never reused
/// @param usedAt the last use, in ms since 1970
/// @param storedAt when the last use was stored, in ms since 1970
public record Session(
    long id,
    TokenHash token,
    Role role,
    long accountId,
    Instant created,
    AtomicLong usedAt,
    AtomicLong storedAt) {
  /// @param used the last use
  public Session(
      long id, TokenHash token, Role role, long accountId, Instant created, Instant used) {
    this(
        id,
        token,
        role,
        accountId,
        created,
        new AtomicLong(used.toEpochMilli()),
        new AtomicLong(used.toEpochMilli()));
  }

  public Instant used() {
    return Instant.ofEpochMilli(usedAt.get());
  }

  public void use(Instant now) {
    usedAt.accumulateAndGet(now.toEpochMilli(), Math::max);
  }

  /// Whether its last use must be stored now. Of several threads, one gets true.
  ///
  /// @param intervalMillis minimum time between two that are stored
  public boolean takeStore(Instant now, long intervalMillis) {
    long stored = storedAt.get();
    return now.toEpochMilli() - stored >= intervalMillis
        && storedAt.compareAndSet(stored, now.toEpochMilli());
  }

  /// Without the token, so that no log or message has it.
  @Override
  public String toString() {
    return format("Session[%d of %s %d]", id, role, accountId);
  }
}
