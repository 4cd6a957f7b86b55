package toystore.account.domain;

import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.KeyedCommand;
import toystore.platform.idempotency.RequestKey;

/// A command of the account service's writer.
///
/// @param <T> what it makes or changes
public sealed interface AccountCommand<T> extends KeyedCommand<AccountDecider, T> {
  /// The values contain no password.
  record Register(Role role, Username username, String passwordHash)
      implements AccountCommand<Registered> {
    @Override
    public Answer<Registered> decide(
        AccountDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.register(this, now);
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
    @Override
    public Answer<Session> decide(AccountDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.open(this, now);
    }
  }

  /// Ends the session of a token.
  record EndSession(TokenHash token) implements AccountCommand<Session> {
    @Override
    public Answer<Session> decide(AccountDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.end(token, now);
    }
  }

  /// Ends those of these sessions that are still idle. Answered with their number.
  record EndIdleSessions(List<Session> sessions) implements AccountCommand<Integer> {
    @Override
    public Answer<Integer> decide(AccountDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.endIdle(sessions, now);
    }
  }

  /// Stores the time of the session's last use, unless it has ended.
  record StoreUse(Session session) implements AccountCommand<Session> {
    @Override
    public Answer<Session> decide(AccountDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.storeUse(session, now);
    }
  }

  /// @param sellerId the item's owner
  record GiveFeedback(long buyerId, long itemId, long sellerId, boolean up)
      implements AccountCommand<FeedbackGiven> {
    @Override
    public Answer<FeedbackGiven> decide(
        AccountDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.give(this, now);
    }

    @Override
    public List<Object> values() {
      return List.of("feedback", buyerId, itemId, sellerId, up);
    }
  }

  record FeedbackGiven() {}
}
