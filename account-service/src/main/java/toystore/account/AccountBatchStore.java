package toystore.account;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.account.AccountDecider.CommittedRows;
import toystore.account.AccountResult.Reason;
import toystore.account.AccountResult.RefusedRequest;
import toystore.platform.idempotency.IdempotencyRecord;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.SqliteBatchStore;
import toystore.platform.storage.SqliteFile;

/// Writes the decisions of an [AccountDecider] as rows and publishes them.
///
/// ```
/// decide  AccountDecider: published sessions and ratings + committed rows + the batch's own changes
/// write   account, session, feedback, item_rating, answer
/// commit  all of them: one transaction
/// publish Sessions, Ratings, NextNumbers
/// ```
final class AccountBatchStore extends SqliteBatchStore<PendingAccountCommand, AccountResult> {
  private static final Logger log = LoggerFactory.getLogger(AccountBatchStore.class);

  private final Connection writing;
  private final Sessions sessions;
  private final Ratings ratings;
  private final InstantSource clock;
  private final AccountStore accountRows;
  private final SessionStore sessionRows;
  private final FeedbackStore feedbackRows;
  private final IdempotencyRecords<AccountResult> answers;
  private volatile NextNumbers next; // read by any thread

  /// Reads the committed state and publishes it.
  AccountBatchStore(SqliteFile file, Sessions sessions, Ratings ratings, InstantSource clock)
      throws SQLException {
    super(file);
    this.writing = file.writing();
    this.sessions = sessions;
    this.ratings = ratings;
    this.clock = clock;
    this.accountRows = new AccountStore(writing);
    this.sessionRows = new SessionStore(writing);
    this.feedbackRows = new FeedbackStore(writing);
    this.answers = new IdempotencyRecords<>(writing, AccountStore.ANSWERS);
    this.next =
        new NextNumbers(
            AccountStore.nextIds(writing),
            SessionStore.nextId(writing),
            FeedbackStore.nextNumber(writing));
    new FormerUsernamesStore(writing).computeNormalForms(file);
    SessionStore.all(writing).forEach(sessions::publish);
    FeedbackStore.ratings(writing).forEach(ratings::publish);
    file.rollback();
  }

  /// The next id of the accounts of each role. Any thread.
  NextNumbers next() {
    return next;
  }

  @Override
  public Batch<PendingAccountCommand, AccountResult> open() {
    return new OpenBatch(new AccountDecider(sessions, ratings, clock, next));
  }

  /// One batch.
  private final class OpenBatch extends Transaction {
    private final AccountDecider decider;

    OpenBatch(AccountDecider decider) {
      this.decider = decider;
    }

    @Override
    public AccountResult decide(PendingAccountCommand request) throws SQLException {
      CommittedRows rows;
      try {
        rows = rows(request);
      } catch (CorruptDataException e) { // affects only this command; the others continue
        log.error("{}", e.getMessage());
        return new RefusedRequest(Reason.DAMAGED, "internal error");
      }
      return decider.decide(request, rows);
    }

    private CommittedRows rows(PendingAccountCommand request) throws SQLException {
      IdempotencyRecord<AccountResult> known = decider.keys().find(request.key(), answers);
      return switch (request.command()) {
        case AccountCommand.Register it ->
            new CommittedRows(
                known, AccountStore.find(writing, it.role(), it.username()).isPresent(), null);
        case AccountCommand.GiveFeedback it ->
            new CommittedRows(known, false, FeedbackStore.find(writing, it.itemId(), it.buyerId()));
        case AccountCommand.OpenSession _,
            AccountCommand.EndSession _,
            AccountCommand.EndIdleSessions _,
            AccountCommand.StoreUse _ ->
            CommittedRows.NONE;
      };
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
