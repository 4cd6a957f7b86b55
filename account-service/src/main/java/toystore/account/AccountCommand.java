package toystore.account;

import java.util.List;
import java.util.Locale;

/// A command of the account service's writer.
sealed interface AccountCommand {
  /// The values of a request with an idempotency key, for its hash. They contain no password.
  default List<Object> values() {
    throw new IllegalStateException("a command without an idempotency key");
  }

  record Register(Role role, Username username, String passwordHash) implements AccountCommand {
    @Override
    public List<Object> values() {
      return List.of("register", role, username.sent());
    }

    /// Without the hash, so that no log or message has it.
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "Register[%s]", role);
    }
  }

  /// Opens a session of an account whose password was checked.
  record OpenSession(Role role, long accountId, TokenHash token) implements AccountCommand {}

  /// Ends the session of a token.
  record EndSession(TokenHash token) implements AccountCommand {}

  /// Ends those of these sessions that are still idle.
  record EndIdleSessions(List<Session> sessions) implements AccountCommand {}

  /// Stores the time of the session's last use.
  record StoreUse(Session session) implements AccountCommand {}

  /// @param sellerId the item's owner
  record GiveFeedback(long buyerId, long itemId, long sellerId, boolean up)
      implements AccountCommand {
    @Override
    public List<Object> values() {
      return List.of("feedback", buyerId, itemId, sellerId, up);
    }
  }
}
