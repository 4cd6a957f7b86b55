package toystore.account.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The published sessions. A session that was idle too long has ended, also if it is still here.
/// Any thread reads; the writer's thread publishes.
public final class Sessions {
  private final Duration idle;
  private final int max;
  private final long idleMillis;
  private final Map<TokenHash, Session> byToken = new ConcurrentHashMap<>();
  private final Map<Long, Session> byId = new ConcurrentHashMap<>();
  private final Map<AccountRef, List<Session>> byAccount = new ConcurrentHashMap<>();
  private volatile Consumer<Session> onEnd = _ -> {};

  record AccountRef(Role role, long id) {}

  /// @param idle time without use after which a session ends
  /// @param max maximum number of sessions; then each login ends one
  public Sessions(Duration idle, int max) {
    this.idle = idle;
    this.max = max;
    this.idleMillis = idle.toMillis();
  }

  public Duration idle() {
    return idle;
  }

  int max() {
    return max;
  }

  /// The session of a token, or null if it is unknown or has ended.
  public @Nullable Session find(TokenHash token, Instant now) {
    Session session = byToken.get(token);
    return session == null || isIdle(session, now) ? null : session;
  }

  public boolean isAlive(long id, Instant now) {
    Session session = byId.get(id);
    return session != null && !isIdle(session, now);
  }

  boolean isIdle(Session session, Instant now) {
    return now.toEpochMilli() - session.used().toEpochMilli() >= idleMillis;
  }

  /// The sessions of an account, in order of their login.
  List<Session> of(Role role, long accountId) {
    return byAccount.getOrDefault(new AccountRef(role, accountId), List.of());
  }

  /// The sessions of each account that has some, in order of their login.
  Stream<List<Session>> byAccount() {
    return byAccount.values().stream();
  }

  /// At most `limit` sessions that were idle too long.
  public List<Session> idle(Instant now, int limit) {
    return byId.values().stream().filter(it -> isIdle(it, now)).limit(limit).toList();
  }

  public int size() {
    return byId.size();
  }

  public void publish(Session session) {
    byToken.put(session.token(), session);
    byId.put(session.id(), session);
    byAccount.merge(
        new AccountRef(session.role(), session.accountId()),
        List.of(session),
        (before, added) -> Stream.concat(before.stream(), added.stream()).toList());
  }

  /// @param listener called by the writer's thread when a session can no longer be found
  public void onEnd(Consumer<Session> listener) {
    onEnd = listener;
  }

  public void end(Session session) {
    byToken.remove(session.token());
    byId.remove(session.id());
    byAccount.computeIfPresent(
        new AccountRef(session.role(), session.accountId()),
        (_, before) -> {
          List<Session> left = before.stream().filter(it -> it.id() != session.id()).toList();
          return left.isEmpty() ? null : left;
        });
    onEnd.accept(session);
  }
}
