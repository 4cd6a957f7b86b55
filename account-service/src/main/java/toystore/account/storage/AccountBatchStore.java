package toystore.account.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import toystore.account.domain.Account;
import toystore.account.domain.AccountDecider;
import toystore.account.domain.Feedback;
import toystore.account.domain.ItemRating;
import toystore.account.domain.NextNumbers;
import toystore.account.domain.Ratings;
import toystore.account.domain.Role;
import toystore.account.domain.Session;
import toystore.account.domain.Sessions;
import toystore.account.domain.Username;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.storage.Database;
import toystore.platform.storage.DatabaseBatchStore;
import toystore.platform.storage.RowReadException;

/// Writes the decisions of an [AccountDecider] as rows and publishes them.
///
/// ```
/// decide  AccountDecider: published sessions and ratings + committed rows + the batch's own changes
/// write   account, session, feedback, item_rating, answer
/// commit  all of them: one transaction
/// publish Sessions, Ratings, NextNumbers
/// ```
public final class AccountBatchStore extends DatabaseBatchStore<AccountDecider> {
  private final Database database;
  private final Sessions sessions;
  private final Ratings ratings;
  private final InstantSource clock;
  private final AccountStore accountRows;
  private final SessionStore sessionRows;
  private final FeedbackStore feedbackRows;
  private final IdempotencyRecords answers;
  private volatile NextNumbers next = NextNumbers.FIRST; // read by any thread

  public AccountBatchStore(
      Database database, Sessions sessions, Ratings ratings, InstantSource clock) {
    super(database);
    this.database = database;
    this.sessions = sessions;
    this.ratings = ratings;
    this.clock = clock;
    this.accountRows = new AccountStore(database);
    this.sessionRows = new SessionStore(database);
    this.feedbackRows = new FeedbackStore(database);
    this.answers = new IdempotencyRecords(database, AccountStore.ANSWERS, false);
  }

  @Override
  protected void load(Connection writing) throws SQLException {
    next =
        new NextNumbers(
            AccountStore.nextIds(writing),
            SessionStore.nextId(writing),
            FeedbackStore.nextNumber(writing));
    SessionStore.all(writing).forEach(sessions::publish);
    FeedbackStore.ratings(writing).forEach(ratings::publish);
  }

  /// The next id of the accounts of each role. Any thread.
  public NextNumbers next() {
    return next;
  }

  @Override
  public Batch<AccountDecider> open() {
    return new OpenBatch(
        new AccountDecider(
            sessions, ratings, new Rows(), new BatchIdempotency(answers, clock), next));
  }

  private final class Rows implements AccountDecider.CommittedRows {
    @Override
    public boolean isTaken(Role role, Username username) {
      return RowReadException.unchecked(() -> AccountStore.find(database.writing(), role, username))
          .isPresent();
    }

    @Override
    public Optional<Feedback> feedback(long itemId, long buyerId) {
      return RowReadException.unchecked(
          () -> FeedbackStore.find(database.writing(), itemId, buyerId));
    }
  }

  /// One batch.
  private final class OpenBatch extends Transaction {
    private final AccountDecider decider;

    OpenBatch(AccountDecider decider) {
      this.decider = decider;
    }

    @Override
    protected AccountDecider decider() {
      return decider;
    }

    @Override
    public void write() throws SQLException {
      for (Account account : decider.accounts()) {
        accountRows.add(account);
      }
      for (Session session : decider.ended()) {
        sessionRows.remove(session);
      }
      for (Session session : decider.opened()) {
        sessionRows.put(session);
      }
      for (Session session : decider.used()) {
        sessionRows.put(session);
      }
      for (Feedback replaced : decider.replaced()) {
        feedbackRows.remove(replaced);
      }
      for (Feedback feedback : decider.feedback()) {
        feedbackRows.add(feedback);
      }
      for (ItemRating rating : decider.itemRatings()) {
        feedbackRows.put(rating);
      }
      answers.write(decider.keys().records(), clock.instant());
    }

    @Override
    public void publish() {
      decider.opened().forEach(sessions::publish);
      decider.ended().forEach(sessions::end);
      decider.itemRatings().forEach(ratings::publish);
      next = decider.next();
    }
  }
}
