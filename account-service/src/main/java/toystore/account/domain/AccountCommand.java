package toystore.account.domain;

import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.List;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.CommandContext;
import toystore.platform.journal.KeyedCommand;

/// A command of the account service's writer.
///
/// @param <T> what it makes or changes
public sealed interface AccountCommand<T> extends KeyedCommand<AccountUnitOfWork, T> {
  String SESSION_UNKNOWN = "the session is unknown or has ended; log in again";

  /// The values contain no password.
  record Register(Role role, Username username, String passwordHash)
      implements AccountCommand<Registered> {
    @Override
    public Answer<Registered> decide(AccountUnitOfWork unit, CommandContext context) {
      var name = new AccountUnitOfWork.Name(role, username.normalForm());
      if (unit.accounts.find(name) != null) {
        return Refusal.because(
            ErrorReason.USERNAME_TAKEN, "username \"%s\" is taken", username.sent());
      }
      long id = unit.next.account(role);
      unit.next = unit.next.afterAccount(role, id);
      unit.accounts.put(
          name, new Account(role, id, name.normalForm(), passwordHash, context.now()));
      return new Done<>(new Registered(id));
    }

    @Override
    public List<Object> values() {
      return List.of("register", role, username.sent());
    }

    /// Without the hash, so that no log or message has it.
    @Override
    public String toString() {
      return format("Register[%s]", role);
    }
  }

  record Registered(long accountId) {}

  /// Opens a session of an account whose password was checked.
  record OpenSession(Role role, long accountId, TokenHash token)
      implements AccountCommand<Session> {
    /// Further logins end the account's oldest session.
    private static final int MAX_SESSIONS_PER_ACCOUNT = 100;

    @Override
    public Answer<Session> decide(AccountUnitOfWork unit, CommandContext context) {
      List<Session> alive = unit.sessionsOf(role, accountId);
      if (alive.size() >= MAX_SESSIONS_PER_ACCOUNT) {
        unit.end(alive.getFirst());
      } else if (unit.isFull()) {
        unit.oldestOfTheMost().ifPresent(unit::end);
      }
      Instant now = context.now();
      var session = new Session(unit.next.session(), token, role, accountId, now, now);
      unit.next = unit.next.afterSession();
      unit.opened.put(token, session);
      return new Done<>(session);
    }
  }

  record EndSession(TokenHash token) implements AccountCommand<Session> {
    @Override
    public Answer<Session> decide(AccountUnitOfWork unit, CommandContext context) {
      Session session = unit.session(token, context.now());
      if (session == null) {
        return new Refusal<>(ErrorReason.SESSION_UNKNOWN, SESSION_UNKNOWN);
      }
      unit.end(session);
      return new Done<>(session);
    }
  }

  /// Ends those of these sessions that are still idle. Answered with their number.
  record EndIdleSessions(List<Session> sessions) implements AccountCommand<Integer> {
    @Override
    public Answer<Integer> decide(AccountUnitOfWork unit, CommandContext context) {
      List<Session> idle = sessions.stream().filter(it -> unit.isIdle(it, context.now())).toList();
      idle.forEach(unit::end);
      return new Done<>(idle.size());
    }
  }

  /// Stores the time of the session's last use, unless it has ended.
  record StoreUse(Session session) implements AccountCommand<Session> {
    @Override
    public Answer<Session> decide(AccountUnitOfWork unit, CommandContext context) {
      if (unit.session(session.token(), context.now()) == null) {
        return new Refusal<>(ErrorReason.SESSION_UNKNOWN, SESSION_UNKNOWN);
      }
      unit.used.put(session.token(), session);
      return new Done<>(session);
    }
  }

  /// @param sellerId the item's owner
  record GiveFeedback(long buyerId, long itemId, long sellerId, boolean up)
      implements AccountCommand<FeedbackGiven> {
    @Override
    public Answer<FeedbackGiven> decide(AccountUnitOfWork unit, CommandContext context) {
      if (!unit.next.exists(Role.BUYER, buyerId)) {
        return new Refusal<>(ErrorReason.BUYER_NOT_FOUND, "buyer not found");
      }
      if (!unit.next.exists(Role.SELLER, sellerId)) {
        return new Refusal<>(ErrorReason.SELLER_NOT_FOUND, "seller not found");
      }
      ItemRating known = unit.ratings.find(itemId);
      ItemRating rating = known == null ? new ItemRating(itemId, sellerId, 0, 0, 0) : known;
      if (rating.sellerId() != sellerId) {
        return Refusal.because(
            ErrorReason.INVALID,
            "seller_id of item %d must be %d, got %d",
            itemId,
            rating.sellerId(),
            sellerId);
      }
      var opinion = new AccountUnitOfWork.Opinion(itemId, buyerId);
      Feedback before = unit.feedback.find(opinion);
      if (before != null) {
        unit.replaced.add(before);
      }
      var given = new Feedback(unit.next.feedback(), itemId, buyerId, up, context.now());
      unit.next = unit.next.afterFeedback();
      unit.feedback.put(opinion, given);
      unit.ratings.put(itemId, rating.with(given, before));
      return new Done<>(new FeedbackGiven());
    }

    @Override
    public List<Object> values() {
      return List.of("feedback", buyerId, itemId, sellerId, up);
    }
  }

  record FeedbackGiven() {}
}
