package toystore.account.storage;

import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import toystore.account.domain.Account;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.Feedback;
import toystore.account.domain.ItemRating;
import toystore.account.domain.NextNumbers;
import toystore.account.domain.Ratings;
import toystore.account.domain.Session;
import toystore.account.domain.Sessions;
import toystore.platform.journal.KeyJournal;
import toystore.platform.storage.Batches;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.Database;
import toystore.platform.storage.WriterStatement;

/// The state of the account service: sessions and ratings are published; accounts and opinions are
/// rows only, because they grow without limit.
public final class AccountBatches implements Batches<AccountUnitOfWork> {
  private final Database database;
  private final Sessions sessions;
  private final Ratings ratings;
  private final ChecksummedTable<Account>.Writer accountRows;
  private final ChecksummedTable<Session>.Writer sessionRows;
  private final WriterStatement countSession;
  private final WriterStatement deleteSession;
  private final ChecksummedTable<Feedback>.Writer feedbackRows;
  private final WriterStatement deleteFeedback;
  private final ChecksummedTable<ItemRating>.Writer ratingRows;
  private final KeyJournal journal;
  private volatile NextNumbers next = NextNumbers.FIRST; // read by any thread

  public AccountBatches(
      Database database, Sessions sessions, Ratings ratings, InstantSource clock) {
    this.database = database;
    this.sessions = sessions;
    this.ratings = ratings;
    this.accountRows = AccountStore.ACCOUNTS.inserts(database);
    this.sessionRows = AccountStore.SESSIONS.upserts(database, List.of("last_use"));
    this.countSession = database.statement("UPDATE last_session SET id = ? WHERE id < ?");
    this.deleteSession = database.statement("DELETE FROM session WHERE id = ?");
    this.feedbackRows = AccountStore.FEEDBACK.inserts(database);
    this.deleteFeedback = database.statement("DELETE FROM feedback WHERE number = ?");
    this.ratingRows = AccountStore.RATINGS.upserts(database);
    this.journal = new KeyJournal(database, AccountStore.ANSWERS, clock, false);
  }

  @Override
  public void load() throws SQLException {
    next = AccountStore.next(database.queryConnection());
    AccountStore.sessions(database.queryConnection()).forEach(sessions::publish);
    AccountStore.RATINGS.rows(database.queryConnection(), "").forEach(ratings::publish);
  }

  /// Any thread.
  public NextNumbers next() {
    return next;
  }

  @Override
  public AccountUnitOfWork begin() {
    journal.begin();
    return new Batch();
  }

  private final class Batch extends AccountUnitOfWork {
    Batch() {
      super(
          sessions,
          AccountBatches.this.ratings,
          it -> AccountStore.find(database.queryConnection(), it).orElse(null),
          it -> AccountStore.find(database.queryConnection(), it).orElse(null),
          AccountBatches.this.next);
    }

    @Override
    public KeyJournal journal() {
      return journal;
    }

    @Override
    public void write() throws SQLException {
      accountRows.putAll(accounts.changed().values());
      for (Session session : opened.values()) {
        sessionRows.put(session);
        countSession.add(session.id(), session.id());
      }
      sessionRows.putAll(used.values());
      for (Session session : ended.values()) {
        deleteSession.add(session.id());
      }
      for (Feedback before : replaced) {
        deleteFeedback.add(before.number());
      }
      feedbackRows.putAll(feedback.changed().values());
      ratingRows.putAll(ratings.changed().values());
      journal.write();
    }

    @Override
    public void publish() {
      opened.values().forEach(sessions::publish);
      ended.values().forEach(sessions::end);
      ratings.changed().values().forEach(AccountBatches.this.ratings::publish);
      AccountBatches.this.next = next;
    }
  }
}
