package toystore.account;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.account.AccountResult.Reason;
import toystore.account.AccountResult.RefusedRequest;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.IdempotencyPolicy;
import toystore.platform.idempotency.IdempotencyRecord;
import toystore.platform.idempotency.RequestKey;

/// Decides the commands of one batch, each against the committed state and the changes of this
/// batch. It changes only itself and collects the rows to write. Only the writer's thread uses it.
final class AccountDecider {
  /// Further logins end the account's oldest session.
  static final int MAX_SESSIONS_PER_ACCOUNT = 100;

  private final Sessions sessions;
  private final Ratings ratings;
  private final InstantSource clock;
  private NextNumbers next;

  private final Map<RegisteredName, Account> accounts = new LinkedHashMap<>();
  private final Map<TokenHash, Session> opened = new LinkedHashMap<>();
  private final Map<TokenHash, Session> ended = new LinkedHashMap<>();
  private final Map<TokenHash, Session> used = new LinkedHashMap<>();
  private final Map<Long, ItemRating> itemRatings = new LinkedHashMap<>();
  private final Map<Opinion, Feedback> feedback = new LinkedHashMap<>();
  private final Map<Opinion, Feedback> replaced = new LinkedHashMap<>();
  private final BatchIdempotency<AccountResult> keys = new BatchIdempotency<>(new ResultPolicy());

  private record RegisteredName(Role role, String normalForm) {}

  private record Opinion(long itemId, long buyerId) {}

  /// The committed rows that a command needs. They are on disk, because they grow without limit.
  ///
  /// @param answer record of the command's key, in this batch or on disk; null: none
  /// @param usernameTaken whether an account has the username to register
  /// @param feedback the buyer's earlier opinion of the item; null: none
  record CommittedRows(
      @Nullable IdempotencyRecord<AccountResult> answer,
      boolean usernameTaken,
      @Nullable Feedback feedback) {
    static final CommittedRows NONE = new CommittedRows(null, false, null);
  }

  AccountDecider(Sessions sessions, Ratings ratings, InstantSource clock, NextNumbers next) {
    this.sessions = sessions;
    this.ratings = ratings;
    this.clock = clock;
    this.next = next;
  }

  /// The idempotency records of this batch.
  BatchIdempotency<AccountResult> keys() {
    return keys;
  }

  AccountResult decide(PendingAccountCommand request, CommittedRows rows) {
    Instant now = clock.instant();
    if (request.cancelled().getAsBoolean()
        || (request.decideBy() != null && now.isAfter(request.decideBy()))) {
      return new RefusedRequest(
          Reason.TOO_LATE, "deadline exceeded; the request was not processed");
    }
    RequestKey key = request.key();
    return key == null
        ? decide(request.command(), rows, now)
        : keys.answer(
            key, request.hash(), rows.answer(), now, () -> decide(request.command(), rows, now));
  }

  private AccountResult decide(AccountCommand command, CommittedRows rows, Instant now) {
    return switch (command) {
      case AccountCommand.Register register -> register(register, rows, now);
      case AccountCommand.OpenSession open -> open(open, now);
      case AccountCommand.EndSession end -> end(end.token(), now);
      case AccountCommand.EndIdleSessions idle -> endIdle(idle.sessions(), now);
      case AccountCommand.StoreUse use -> storeUse(use.session(), now);
      case AccountCommand.GiveFeedback give -> give(give, rows, now);
    };
  }

  private AccountResult register(
      AccountCommand.Register register, CommittedRows rows, Instant now) {
    Username username = register.username();
    var name = new RegisteredName(register.role(), username.normalForm());
    if (rows.usernameTaken() || accounts.containsKey(name)) {
      return new RefusedRequest(
          Reason.USERNAME_TAKEN,
          String.format(Locale.ROOT, "username \"%s\" is taken", username.sent()));
    }
    long id = next.account(register.role());
    next = next.afterAccount(register.role());
    accounts.put(
        name,
        new Account(register.role(), id, username.normalForm(), register.passwordHash(), now));
    return new AccountResult.Registered(id, false);
  }

  private AccountResult open(AccountCommand.OpenSession open, Instant now) {
    List<Session> alive = alive(open.role(), open.accountId());
    if (alive.size() >= MAX_SESSIONS_PER_ACCOUNT) {
      end(alive.getFirst());
    } else if (sessions.size() + opened.size() - ended.size() >= sessions.max()) {
      oldestOfTheMost().ifPresent(this::end);
    }
    var session =
        new Session(next.session(), open.token(), open.role(), open.accountId(), now, now);
    next = next.afterSession();
    opened.put(session.token(), session);
    return new AccountResult.SessionOpened(session);
  }

  private List<Session> alive(Role role, long accountId) {
    var alive = new ArrayList<Session>(sessions.of(role, accountId));
    opened.values().stream()
        .filter(it -> it.role() == role && it.accountId() == accountId)
        .forEach(alive::add);
    alive.removeIf(it -> ended.containsKey(it.token()));
    return alive;
  }

  /// The oldest session of the account that has most; among equals, the one that was used least
  /// recently. So whoever fills all places gives up his own first.
  private Optional<Session> oldestOfTheMost() {
    return sessions
        .byAccount()
        .map(it ->
            ended.isEmpty()
                ? it
                : it.stream().filter(one -> !ended.containsKey(one.token())).toList())
        .filter(it -> !it.isEmpty())
        .max(
            Comparator.<List<Session>>comparingInt(List::size)
                .thenComparing(it -> it.getFirst().used(), Comparator.reverseOrder()))
        .map(List::getFirst);
  }

  private AccountResult end(TokenHash token, Instant now) {
    Session inBatch = opened.get(token);
    Session session = inBatch == null ? sessions.find(token, now) : inBatch;
    if (session == null || ended.containsKey(token)) {
      return sessionUnknown();
    }
    end(session);
    return new AccountResult.SessionEnded(session);
  }

  static RefusedRequest sessionUnknown() {
    return new RefusedRequest(
        Reason.SESSION_UNKNOWN, "the session is unknown or has ended; log in again");
  }

  private void end(Session session) {
    ended.put(session.token(), session);
  }

  private AccountResult endIdle(List<Session> idle, Instant now) {
    idle.stream().filter(it -> sessions.isIdle(it, now)).forEach(this::end);
    return new AccountResult.Done();
  }

  private AccountResult storeUse(Session session, Instant now) {
    if (sessions.find(session.token(), now) != null) {
      used.put(session.token(), session);
    }
    return new AccountResult.Done();
  }

  private AccountResult give(AccountCommand.GiveFeedback give, CommittedRows rows, Instant now) {
    if (!next.exists(Role.BUYER, give.buyerId())) {
      return new RefusedRequest(Reason.BUYER_NOT_FOUND, "buyer not found");
    }
    if (!next.exists(Role.SELLER, give.sellerId())) {
      return new RefusedRequest(Reason.SELLER_NOT_FOUND, "seller not found");
    }
    ItemRating rating = rating(give);
    if (rating.sellerId() != give.sellerId()) {
      return new RefusedRequest(
          Reason.OTHER_SELLER,
          String.format(
              Locale.ROOT,
              "seller_id of item %d must be %d, got %d",
              give.itemId(),
              rating.sellerId(),
              give.sellerId()));
    }
    var opinion = new Opinion(give.itemId(), give.buyerId());
    Feedback before = feedback.getOrDefault(opinion, rows.feedback());
    if (before != null && !feedback.containsKey(opinion)) {
      replaced.put(opinion, before);
    }
    var given = new Feedback(next.feedback(), give.itemId(), give.buyerId(), give.up(), now);
    next = next.afterFeedback();
    feedback.put(opinion, given);
    itemRatings.put(give.itemId(), rating.with(given, before));
    return new AccountResult.FeedbackGiven(false);
  }

  private ItemRating rating(AccountCommand.GiveFeedback give) {
    ItemRating inBatch = itemRatings.get(give.itemId());
    ItemRating rating = inBatch == null ? ratings.item(give.itemId()) : inBatch;
    return rating == null ? new ItemRating(give.itemId(), give.sellerId(), 0, 0, 0) : rating;
  }

  Collection<Account> accounts() {
    return accounts.values();
  }

  /// The opened sessions that did not end in this batch.
  List<Session> opened() {
    return opened.values().stream().filter(it -> !ended.containsKey(it.token())).toList();
  }

  /// The ended sessions. Some may have ended before.
  Collection<Session> ended() {
    return ended.values();
  }

  /// The sessions whose last use must be stored.
  List<Session> used() {
    return used.values().stream().filter(it -> !ended.containsKey(it.token())).toList();
  }

  Collection<ItemRating> itemRatings() {
    return itemRatings.values();
  }

  Collection<Feedback> feedback() {
    return feedback.values();
  }

  /// The committed opinions that this batch replaces.
  Collection<Feedback> replaced() {
    return replaced.values();
  }

  NextNumbers next() {
    return next;
  }

  /// Defines which results are stored and how a repeat is answered.
  private static final class ResultPolicy implements IdempotencyPolicy<AccountResult> {
    @Override
    public Retention retention(AccountResult answer) {
      return switch (answer) {
        case AccountResult.Registered _, AccountResult.FeedbackGiven _ -> Retention.FOREVER;
        case RefusedRequest refused ->
            switch (refused.reason()) {
              case USERNAME_TAKEN, SELLER_NOT_FOUND, BUYER_NOT_FOUND -> Retention.REFUSAL_ONE_DAY;
              case SESSION_UNKNOWN, OTHER_SELLER, KEY_REUSED, TOO_LATE, DAMAGED -> Retention.NONE;
            };
        case AccountResult.SessionOpened _, AccountResult.SessionEnded _, AccountResult.Done _ ->
            throw withoutKey(answer);
      };
    }

    @Override
    public AccountResult replayed(AccountResult answer) {
      return switch (answer) {
        case AccountResult.Registered registered ->
            new AccountResult.Registered(registered.accountId(), true);
        case AccountResult.FeedbackGiven _ -> new AccountResult.FeedbackGiven(true);
        case RefusedRequest refused ->
            new RefusedRequest(refused.reason(), refused.message(), true);
        case AccountResult.SessionOpened _, AccountResult.SessionEnded _, AccountResult.Done _ ->
            throw withoutKey(answer);
      };
    }

    @Override
    public AccountResult keyReused() {
      return new RefusedRequest(
          Reason.KEY_REUSED, "Idempotency-Key was already used with a different request");
    }

    private static IllegalStateException withoutKey(AccountResult answer) {
      return new IllegalStateException("a request with an idempotency key must not give " + answer);
    }
  }
}
