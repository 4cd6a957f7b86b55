package toystore.account.domain;

import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/// A session of an account, from login to logout. It ends when it was not used for some time. The
/// time of its last use is in memory, and is stored from time to time. Any thread.
public final class Session {
  private final long id;
  private final TokenHash token;
  private final Role role;
  private final long accountId;
  private final Instant created;
  private final AtomicLong usedAt;
  private final AtomicLong storedAt;

  /// @param id from 1; never reused
  /// @param used the last use
  public Session(
      long id, TokenHash token, Role role, long accountId, Instant created, Instant used) {
    this.id = id;
    this.token = token;
    this.role = role;
    this.accountId = accountId;
    this.created = created;
    this.usedAt = new AtomicLong(used.toEpochMilli());
    this.storedAt = new AtomicLong(used.toEpochMilli());
  }

  public long id() {
    return id;
  }

  public TokenHash token() {
    return token;
  }

  public Role role() {
    return role;
  }

  public long accountId() {
    return accountId;
  }

  public Instant created() {
    return created;
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

  @Override
  public String toString() {
    return format("Session[%d of %s %d]", id, role, accountId);
  }
}
