package toystore.account.storage;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import toystore.account.domain.Account;
import toystore.account.domain.AccountCommand.FeedbackGiven;
import toystore.account.domain.AccountCommand.Registered;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.Role;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.IdempotencyRecord;
import toystore.platform.journal.KeyJournal;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.WriterStatement;

/// Accounts and the table of idempotency records.
public final class AccountStore {
  static final ChecksummedTable<Account> ACCOUNTS =
      new ChecksummedTable<>(
          "account",
          "id",
          List.of("role", "id", "username", "password_hash", "created"),
          (row, account) ->
              row.set(account.role().name())
                  .set(account.id())
                  .set(account.username())
                  .set(account.passwordHash())
                  .set(account.created().toEpochMilli()),
          row ->
              new Account(
                  Role.valueOf(row.getString("role")),
                  row.getLong("id"),
                  row.getString("username"),
                  row.getString("password_hash"),
                  Instant.ofEpochMilli(row.getLong("created"))));

  static final ChecksummedTable<IdempotencyRecord> ANSWERS =
      KeyJournal.table(
          "answer",
          List.of("outcome", "account_id", "detail"),
          AccountStore::set,
          AccountStore::answer);

  private static final String REGISTERED = "REGISTERED";
  private static final String FEEDBACK_GIVEN = "FEEDBACK_GIVEN";

  private AccountStore() {}

  public static Optional<Account> find(Connection connection, AccountUnitOfWork.Name name)
      throws SQLException {
    return ACCOUNTS.row(
        connection, "WHERE role = ? AND username = ?", name.role().name(), name.normalForm());
  }

  /// The next id of each role.
  static Map<Role, Long> nextIds(Connection connection) throws SQLException {
    Map<Role, Long> next = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      ACCOUNTS
          .row(connection, "WHERE role = ? ORDER BY id DESC", role.name())
          .ifPresent(last -> next.put(role, last.id() + 1));
    }
    return next;
  }

  private static void set(WriterStatement row, Answer<?> answer) throws SQLException {
    switch (answer) {
      case Done(Registered(long accountId), _) -> row.set(REGISTERED).set(accountId).set(null);
      case Done(FeedbackGiven _, _) -> row.set(FEEDBACK_GIVEN).set(null).set(null);
      case Refusal(ErrorReason reason, String message, _) ->
          row.set(reason.name()).set(null).set(message);
      default -> throw new IllegalStateException("an answer without columns: " + answer);
    }
  }

  private static Answer<?> answer(ResultSet row) throws SQLException {
    String outcome = row.getString("outcome");
    return switch (outcome) {
      case REGISTERED -> new Done<>(new Registered(row.getLong("account_id")));
      case FEEDBACK_GIVEN -> new Done<>(new FeedbackGiven());
      default -> new Refusal<>(ErrorReason.valueOf(outcome), row.getString("detail"));
    };
  }
}
