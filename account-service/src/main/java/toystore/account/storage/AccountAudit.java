package toystore.account.storage;

import static toystore.account.storage.AccountStore.ACCOUNTS;
import static toystore.account.storage.AccountStore.ANSWERS;
import static toystore.account.storage.FeedbackStore.FEEDBACK;
import static toystore.account.storage.FeedbackStore.RATINGS;
import static toystore.account.storage.SessionStore.SESSIONS;
import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import toystore.account.domain.ItemRating;
import toystore.account.domain.Role;
import toystore.account.domain.Session;
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
  private static final String ROWS = "rows as written";

  private final ReadPool reader;
  private final Map<Role, Long> nextIds = new EnumMap<>(Role.class);
  private long checkedFeedback;
  private @Nullable String gap;
  private @Nullable String difference;
  private @Nullable String stranger;

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
    stranger = null;
    if (full) {
      nextIds.clear();
      checkedFeedback = 0;
      gap = null;
      difference = null;
      IntegrityCheck.integrityCheck(connection);
      checkRows(connection, ANSWERS, "");
    }
    // what is read up to here belongs to accounts that are read after it
    long lastFeedback = max(connection, FEEDBACK);
    long lastSession = max(connection, SESSIONS);
    for (Role role : Role.values()) {
      checkAccounts(connection, role);
    }
    checkFeedback(connection, lastFeedback);
    checkRatings(connection, lastFeedback);
    checkedFeedback = lastFeedback;
    long sessions = checkSessions(connection, lastSession);
    String checked =
        format(
            "checked %d buyers, %d sellers, feedback up to %d",
            nextId(Role.BUYER) - 1, nextId(Role.SELLER) - 1, checkedFeedback);
    return List.of(
        AuditCheckResult.of("account ids", gap, "consecutive, " + checked),
        AuditCheckResult.of("ratings", difference, "equal the feedback, " + checked),
        AuditCheckResult.of("sessions", stranger, sessions + " sessions of existing accounts"),
        new AuditCheckResult(ROWS, true, "all checksums match, " + checked));
  }

  /// Verifies the checksums of all rows.
  ///
  /// @param first a value before those of the column [ChecksummedTable#id]
  private static void checkRows(Connection connection, ChecksummedTable<?> table, Object first)
      throws SQLException {
    String clause = format("WHERE %s > ? ORDER BY %s LIMIT ?", table.id(), table.id());
    Object last = first;
    List<Object> page;
    do {
      page = table.rows(connection, row -> row.getObject(table.id()), clause, last, PAGE);
      last = page.isEmpty() ? last : page.getLast();
    } while (page.size() == PAGE);
  }

  private static long max(Connection connection, ChecksummedTable<?> table) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                format("SELECT max(%s) FROM %s", table.id(), table.name()));
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private long nextId(Role role) {
    return nextIds.getOrDefault(role, 1L);
  }

  private boolean exists(Role role, long accountId) {
    return accountId >= 1 && accountId < nextId(role);
  }

  private void checkAccounts(Connection connection, Role role) throws SQLException {
    List<Long> page;
    do {
      page =
          ACCOUNTS.rows(
              connection,
              row -> row.getLong("id"),
              "WHERE role = ? AND id >= ? ORDER BY id LIMIT ?",
              role.name(),
              nextId(role),
              PAGE);
      for (long id : page) {
        if (id != nextId(role) && gap == null) {
          gap = format("%s %d is missing", role, nextId(role));
        }
        nextIds.put(role, id + 1);
      }
    } while (page.size() == PAGE);
  }

  /// Compares each opinion with the accounts and with its item's rating, which has changed with it
  /// or later.
  private void checkFeedback(Connection connection, long last) throws SQLException {
    String select =
        format(
            """
            SELECT %s, item_rating.change AS rating_change
            FROM feedback LEFT JOIN item_rating ON item_rating.item_id = feedback.item_id
            WHERE feedback.number > ? AND feedback.number <= ? ORDER BY feedback.number LIMIT ?
            """,
            FEEDBACK.selected());
    forEach(
        connection,
        select,
        last,
        row -> {
          FEEDBACK.check(row, 1);
          long number = row.getLong("number");
          if (row.getLong("rating_change") < number) {
            differs(
                format("the rating of item %d lacks feedback %d", row.getLong("item_id"), number));
          }
          if (!exists(Role.BUYER, row.getLong("buyer_id"))) {
            differs(format("feedback %d has no buyer %d", number, row.getLong("buyer_id")));
          }
          return number;
        });
  }

  private void checkRatings(Connection connection, long last) throws SQLException {
    String select =
        format(
            """
            SELECT %s,
              (SELECT count(*) FROM feedback WHERE feedback.item_id = item_rating.item_id AND up = 1) AS ups,
              (SELECT count(*) FROM feedback WHERE feedback.item_id = item_rating.item_id AND up = 0) AS downs
            FROM item_rating WHERE change > ? AND change <= ? ORDER BY change LIMIT ?
            """,
            RATINGS.selected());
    forEach(
        connection,
        select,
        last,
        row -> {
          RATINGS.check(row, 1);
          ItemRating rating = RATINGS.mapping().read(row);
          long ups = row.getLong("ups");
          long downs = row.getLong("downs");
          if (rating.thumbsUp() != ups || rating.thumbsDown() != downs) {
            differs(
                format(
                    "item %d: %d thumbs up and %d down in its feedback, %d and %d in its rating",
                    rating.itemId(), ups, downs, rating.thumbsUp(), rating.thumbsDown()));
          }
          if (!exists(Role.SELLER, rating.sellerId())) {
            differs(format("item %d has no seller %d", rating.itemId(), rating.sellerId()));
          }
          return rating.change();
        });
  }

  private void differs(String how) {
    if (difference == null) {
      difference = how;
    }
  }

  /// Reads the rows after the checked feedback, in pages.
  ///
  /// @param select has the parameters from (exclusive), to (inclusive) and limit
  /// @param check returns the number after which the next page begins
  private void forEach(
      Connection connection, String select, long last, ChecksummedTable.Mapping<Long> check)
      throws SQLException {
    long after = checkedFeedback;
    int rows;
    do {
      rows = 0;
      try (PreparedStatement statement = connection.prepareStatement(select)) {
        statement.setLong(1, after);
        statement.setLong(2, last);
        statement.setInt(3, PAGE);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            after = check.read(row);
            rows++;
          }
        }
      }
    } while (rows == PAGE);
  }

  /// @return number of sessions
  private long checkSessions(Connection connection, long last) throws SQLException {
    long count = 0;
    long after = 0;
    List<Session> page;
    do {
      page =
          SESSIONS.rows(
              connection, "WHERE id > ? AND id <= ? ORDER BY id LIMIT ?", after, last, PAGE);
      for (Session session : page) {
        if (!exists(session.role(), session.accountId()) && stranger == null) {
          stranger =
              format("session %d has no %s %d", session.id(), session.role(), session.accountId());
        }
        after = session.id();
      }
      count += page.size();
    } while (page.size() == PAGE);
    return count;
  }
}
