package toystore.account.storage;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import toystore.account.domain.Account;
import toystore.account.domain.AccountCommand.FeedbackGiven;
import toystore.account.domain.AccountCommand.Registered;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.Feedback;
import toystore.account.domain.ItemRating;
import toystore.account.domain.NextNumbers;
import toystore.account.domain.Role;
import toystore.account.domain.Session;
import toystore.account.domain.TokenHash;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.IdempotencyRecord;
import toystore.platform.journal.KeyJournal;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.WriterStatement;

/// The rows of the service.
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

  static final ChecksummedTable<Session> SESSIONS =
      new ChecksummedTable<>(
          "session",
          "id",
          List.of("id", "token_hash", "role", "account_id", "created", "last_use"),
          (row, session) ->
              row.set(session.id())
                  .set(session.token().bytes())
                  .set(session.role().name())
                  .set(session.accountId())
                  .set(session.created().toEpochMilli())
                  .set(session.used().toEpochMilli()),
          row ->
              new Session(
                  row.getLong("id"),
                  TokenHash.of(row.getBytes("token_hash")),
                  Role.valueOf(row.getString("role")),
                  row.getLong("account_id"),
                  Instant.ofEpochMilli(row.getLong("created")),
                  Instant.ofEpochMilli(row.getLong("last_use"))));

  static final ChecksummedTable<Feedback> FEEDBACK =
      new ChecksummedTable<>(
          "feedback",
          "number",
          List.of("number", "item_id", "buyer_id", "up", "time"),
          (row, feedback) ->
              row.set(feedback.number())
                  .set(feedback.itemId())
                  .set(feedback.buyerId())
                  .set(feedback.up())
                  .set(feedback.time().toEpochMilli()),
          row ->
              new Feedback(
                  row.getLong("number"),
                  row.getLong("item_id"),
                  row.getLong("buyer_id"),
                  row.getBoolean("up"),
                  Instant.ofEpochMilli(row.getLong("time"))));

  static final ChecksummedTable<ItemRating> RATINGS =
      new ChecksummedTable<>(
          "item_rating",
          "item_id",
          List.of("item_id", "seller_id", "thumbs_up", "thumbs_down", "change"),
          (row, rating) ->
              row.set(rating.itemId())
                  .set(rating.sellerId())
                  .set(rating.thumbsUp())
                  .set(rating.thumbsDown())
                  .set(rating.change()),
          row ->
              new ItemRating(
                  row.getLong("item_id"),
                  row.getLong("seller_id"),
                  row.getLong("thumbs_up"),
                  row.getLong("thumbs_down"),
                  row.getLong("change")));

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

  static Optional<Feedback> find(Connection connection, AccountUnitOfWork.Opinion opinion)
      throws SQLException {
    return FEEDBACK.row(
        connection, "WHERE item_id = ? AND buyer_id = ?", opinion.itemId(), opinion.buyerId());
  }

  public static List<Session> sessions(Connection connection) throws SQLException {
    return SESSIONS.rows(connection, "ORDER BY id");
  }

  /// The numbers after those on disk.
  static NextNumbers next(Connection connection) throws SQLException {
    Map<Role, Long> accounts = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      ACCOUNTS
          .row(connection, "WHERE role = ? ORDER BY id DESC", role.name())
          .ifPresent(last -> accounts.put(role, last.id() + 1));
    }
    long feedback =
        FEEDBACK.row(connection, "ORDER BY number DESC").map(Feedback::number).orElse(0L);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT id FROM last_session")) {
      row.next();
      return new NextNumbers(accounts, row.getLong(1) + 1, feedback + 1);
    }
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
