package toystore.account.storage;

import static toystore.account.storage.AccountStore.ACCOUNTS;
import static toystore.account.storage.AccountStore.ANSWERS;
import static toystore.account.storage.AccountStore.FEEDBACK;
import static toystore.account.storage.AccountStore.RATINGS;
import static toystore.account.storage.AccountStore.SESSIONS;
import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import toystore.account.domain.NextNumbers;
import toystore.account.domain.Role;
import toystore.platform.service.Audit;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.IntegrityCheck;
import toystore.platform.storage.ReadPool;

/// Checks the invariants of the account service against its rows. Accounts and feedback are checked
/// once, ratings when they have changed, until a full audit starts again from the first. Sessions
/// are always checked. Each page is one read, so the sums are consistent under load.
///
/// The checksum of each row is verified. A full audit also runs the integrity check of SQLite.
///
/// Any thread may call it. The one thread of the pool owns the remembered state.
public final class AccountAudit implements Audit {
  private static final int PAGE = 1_000;
  private static final String IDS = "account ids";
  private static final String RATED = "ratings";
  private static final String OWNED = "sessions";
  private static final String ROWS = "rows as written";

  private final ReadPool reader;
  private NextNumbers next = NextNumbers.FIRST; // after what was checked
  private final Map<String, String> differences = new HashMap<>(); // the first of each check

  @FunctionalInterface
  private interface RowCheck<T> {
    /// Returns the number after which the next page begins.
    long check(T value, ResultSet row) throws SQLException;
  }

  /// @param reader a pool with one thread
  public AccountAudit(ReadPool reader) {
    this.reader = reader;
  }

  @Override
  public CompletionStage<List<AuditCheckResult>> run(boolean full) {
    return reader
        .read(connection -> run(connection, full))
        .exceptionally(failure -> List.of(AuditCheckResult.failed(ROWS, failure)));
  }

  private List<AuditCheckResult> run(Connection connection, boolean full) throws SQLException {
    differences.remove(OWNED);
    if (full) {
      next = NextNumbers.FIRST;
      differences.clear();
      IntegrityCheck.integrityCheck(connection);
      ANSWERS.checkAll(connection, "", PAGE);
    }
    // what is read up to here belongs to accounts that are read after it
    NextNumbers stored = AccountStore.next(connection);
    long lastFeedback = stored.feedback() - 1;
    for (Role role : Role.values()) {
      checkAccounts(connection, role);
    }
    checkFeedback(connection, lastFeedback);
    checkRatings(connection, lastFeedback);
    next = new NextNumbers(next.accounts(), next.session(), lastFeedback + 1);
    long sessions = checkSessions(connection, stored.session() - 1);
    String checked =
        format(
            "checked %d buyers, %d sellers, feedback up to %d",
            next.account(Role.BUYER) - 1, next.account(Role.SELLER) - 1, lastFeedback);
    return List.of(
        result(IDS, "consecutive, " + checked),
        result(RATED, "equal the feedback, " + checked),
        result(OWNED, sessions + " sessions of existing accounts"),
        new AuditCheckResult(ROWS, true, "all checksums match, " + checked));
  }

  private AuditCheckResult result(String check, String confirmation) {
    return AuditCheckResult.of(check, differences.get(check), confirmation);
  }

  private void differs(String check, String format, Object... values) {
    differences.putIfAbsent(check, String.format(Locale.ROOT, format, values));
  }

  private void checkAccounts(Connection connection, Role role) throws SQLException {
    forEach(
        connection,
        ACCOUNTS,
        "",
        format("FROM account WHERE role = '%s' AND id > ? AND id <= ? ORDER BY id", role),
        next.account(role) - 1,
        Long.MAX_VALUE,
        (account, _) -> {
          if (account.id() != next.account(role)) {
            differs(IDS, "%s %d is missing", role, next.account(role));
          }
          next = next.afterAccount(role, account.id());
          return account.id();
        });
  }

  /// Compares each opinion with the accounts and with its item's rating, which has changed with it
  /// or later.
  private void checkFeedback(Connection connection, long last) throws SQLException {
    forEach(
        connection,
        FEEDBACK,
        ", item_rating.change AS rating_change",
        """
        FROM feedback LEFT JOIN item_rating ON item_rating.item_id = feedback.item_id
        WHERE feedback.number > ? AND feedback.number <= ? ORDER BY feedback.number
        """,
        next.feedback() - 1,
        last,
        (feedback, row) -> {
          long number = feedback.number();
          if (row.getLong("rating_change") < number) {
            differs(RATED, "the rating of item %d lacks feedback %d", feedback.itemId(), number);
          }
          if (!next.exists(Role.BUYER, feedback.buyerId())) {
            differs(RATED, "feedback %d has no buyer %d", number, feedback.buyerId());
          }
          return number;
        });
  }

  private void checkRatings(Connection connection, long last) throws SQLException {
    forEach(
        connection,
        RATINGS,
        """
        , (SELECT count(*) FROM feedback WHERE feedback.item_id = item_rating.item_id AND up = 1) AS ups,
          (SELECT count(*) FROM feedback WHERE feedback.item_id = item_rating.item_id AND up = 0) AS downs
        """,
        "FROM item_rating WHERE change > ? AND change <= ? ORDER BY change",
        next.feedback() - 1,
        last,
        (rating, row) -> {
          long ups = row.getLong("ups");
          long downs = row.getLong("downs");
          if (rating.thumbsUp() != ups || rating.thumbsDown() != downs) {
            differs(
                RATED,
                "item %d: %d thumbs up and %d down in its feedback, %d and %d in its rating",
                rating.itemId(),
                ups,
                downs,
                rating.thumbsUp(),
                rating.thumbsDown());
          }
          if (!next.exists(Role.SELLER, rating.sellerId())) {
            differs(RATED, "item %d has no seller %d", rating.itemId(), rating.sellerId());
          }
          return rating.change();
        });
  }

  /// @return number of sessions
  private long checkSessions(Connection connection, long last) throws SQLException {
    return forEach(
        connection,
        SESSIONS,
        "",
        "FROM session WHERE id > ? AND id <= ? ORDER BY id",
        0,
        last,
        (session, _) -> {
          if (!next.exists(session.role(), session.accountId())) {
            differs(
                OWNED,
                "session %d has no %s %d",
                session.id(),
                session.role(),
                session.accountId());
          }
          return session.id();
        });
  }

  /// @param more further columns
  /// @param from has the parameters from (exclusive) and to (inclusive)
  /// @return number of rows
  private static <T> long forEach(
      Connection connection,
      ChecksummedTable<T> table,
      String more,
      String from,
      long after,
      long last,
      RowCheck<T> check)
      throws SQLException {
    long checked = after;
    long count = 0;
    int rows;
    do {
      rows = 0;
      try (PreparedStatement statement =
          connection.prepareStatement(
              format("SELECT %s%s %s LIMIT %d", table.selected(), more, from, PAGE))) {
        statement.setLong(1, checked);
        statement.setLong(2, last);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            table.check(row, 1);
            checked = check.check(table.mapping().read(row), row);
            rows++;
          }
        }
      }
      count += rows;
    } while (rows == PAGE);
    return count;
  }
}
