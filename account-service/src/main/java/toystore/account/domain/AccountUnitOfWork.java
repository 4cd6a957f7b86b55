package toystore.account.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.platform.journal.KeyedUnitOfWork;
import toystore.platform.storage.ReadThrough;

/// The accounts, sessions and opinions that a batch reads and changes. Writer's thread.
public abstract class AccountUnitOfWork implements KeyedUnitOfWork {
  private final Sessions sessions;
  protected final Map<TokenHash, Session> opened = new LinkedHashMap<>();
  protected final Map<TokenHash, Session> used = new LinkedHashMap<>();

  /// Some may have ended before.
  protected final Map<TokenHash, Session> ended = new LinkedHashMap<>();

  protected final ReadThrough<Name, Account> accounts;
  protected final ReadThrough<Long, ItemRating> ratings;
  protected final ReadThrough<Opinion, Feedback> feedback;

  /// Opinions that others replace; some are of this batch.
  protected final List<Feedback> replaced = new ArrayList<>();

  protected NextNumbers next;

  /// @param normalForm of a [Username]
  public record Name(Role role, String normalForm) {}

  /// Identifies the opinion that a buyer has of an item.
  public record Opinion(long itemId, long buyerId) {}

  protected AccountUnitOfWork(
      Sessions sessions,
      Ratings ratings,
      ReadThrough.Source<Name, Account> accounts,
      ReadThrough.Source<Opinion, Feedback> feedback,
      NextNumbers next) {
    this.sessions = sessions;
    this.ratings = new ReadThrough<>(ratings::item);
    this.accounts = new ReadThrough<>(accounts);
    this.feedback = new ReadThrough<>(feedback);
    this.next = next;
  }

  /// The session of a token, or null if it is unknown or has ended.
  @Nullable Session session(TokenHash token, Instant now) {
    Session inBatch = opened.get(token);
    Session session = inBatch == null ? sessions.find(token, now) : inBatch;
    return session == null || hasEnded(session) ? null : session;
  }

  private boolean hasEnded(Session session) {
    return ended.containsKey(session.token());
  }

  /// The sessions of an account, in order of their login.
  List<Session> sessionsOf(Role role, long accountId) {
    var alive = new ArrayList<Session>(sessions.of(role, accountId));
    opened.values().stream()
        .filter(it -> it.role() == role && it.accountId() == accountId)
        .forEach(alive::add);
    alive.removeIf(this::hasEnded);
    return alive;
  }

  boolean isFull() {
    return sessions.size() + opened.size() - ended.size() >= sessions.max();
  }

  /// The oldest session of the account that has most; among equals, the one that was used least
  /// recently. So whoever fills all places gives up his own first.
  Optional<Session> oldestOfTheMost() {
    return sessions
        .byAccount()
        .map(it -> ended.isEmpty() ? it : it.stream().filter(one -> !hasEnded(one)).toList())
        .filter(it -> !it.isEmpty())
        .max(
            Comparator.<List<Session>>comparingInt(List::size)
                .thenComparing(it -> it.getFirst().used(), Comparator.reverseOrder()))
        .map(List::getFirst);
  }

  boolean isIdle(Session session, Instant now) {
    return sessions.isIdle(session, now);
  }

  void end(Session session) {
    ended.put(session.token(), session);
  }
}
