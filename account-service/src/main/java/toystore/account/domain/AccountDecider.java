package toystore.account.domain;

import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import toystore.account.domain.AccountCommand.FeedbackGiven;
import toystore.account.domain.AccountCommand.Registered;
import toystore.platform.error.ErrorReason;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Answer.Done;
import toystore.platform.idempotency.Answer.Refusal;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.KeyedDecider;

/// Decides the commands of one batch, each against the committed state and the changes of this
/// batch. It changes only itself and collects the rows to write. Only the writer's thread uses it.
public final class AccountDecider implements KeyedDecider {
  /// Further logins end the account's oldest session.
  static final int MAX_SESSIONS_PER_ACCOUNT = 100;

  /// Tells a client that its session ended.
  public static final String SESSION_UNKNOWN = "the session is unknown or has ended; log in again";

  private final Sessions sessions;
  private final Ratings ratings;
  private final CommittedRows committed;
  private final BatchIdempotency keys;
  private NextNumbers next;

  private final Map<RegisteredName, Account> accounts = new LinkedHashMap<>();
  private final Map<TokenHash, Session> opened = new LinkedHashMap<>();
  private final Map<TokenHash, Session> ended = new LinkedHashMap<>();
  private final Map<TokenHash, Session> used = new LinkedHashMap<>();
  private final Map<Long, ItemRating> itemRatings = new LinkedHashMap<>();
  private final Map<Opinion, Feedback> feedback = new LinkedHashMap<>();
  private final Map<Opinion, Feedback> replaced = new LinkedHashMap<>();

  private record RegisteredName(Role role, String normalForm) {}

  private record Opinion(long itemId, long buyerId) {}

  /// The committed rows that commands need. They are on disk, because they grow without limit.
  public interface CommittedRows {
    boolean isTaken(Role role, Username username);

    /// The buyer's opinion of the item.
    Optional<Feedback> feedback(long itemId, long buyerId);
  }

  public AccountDecider(
      Sessions sessions,
      Ratings ratings,
      CommittedRows committed,
      BatchIdempotency keys,
      NextNumbers next) {
    this.sessions = sessions;
    this.ratings = ratings;
    this.committed = committed;
    this.keys = keys;
    this.next = next;
  }

  @Override
  public BatchIdempotency keys() {
    return keys;
  }

  Answer<Registered> register(AccountCommand.Register register, Instant now) {
    Username username = register.username();
    var name = new RegisteredName(register.role(), username.normalForm());
    if (accounts.containsKey(name) || committed.isTaken(register.role(), username)) {
      return new Refusal<>(
          ErrorReason.USERNAME_TAKEN, format("username \"%s\" is taken", username.sent()));
    }
    long id = next.account(register.role());
    next = next.afterAccount(register.role());
    accounts.put(
        name,
        new Account(register.role(), id, username.normalForm(), register.passwordHash(), now));
    return new Done<>(new Registered(id));
  }

  Answer<Session> open(AccountCommand.OpenSession open, Instant now) {
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
    return new Done<>(session);
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

  Answer<Session> end(TokenHash token, Instant now) {
    Session inBatch = opened.get(token);
    Session session = inBatch == null ? sessions.find(token, now) : inBatch;
    if (session == null || ended.containsKey(token)) {
      return sessionUnknown();
    }
    end(session);
    return new Done<>(session);
  }

  private static Answer<Session> sessionUnknown() {
    return new Refusal<>(ErrorReason.SESSION_UNKNOWN, SESSION_UNKNOWN);
  }

  private void end(Session session) {
    ended.put(session.token(), session);
  }

  Answer<Integer> endIdle(List<Session> idle, Instant now) {
    List<Session> still = idle.stream().filter(it -> sessions.isIdle(it, now)).toList();
    still.forEach(this::end);
    return new Done<>(still.size());
  }

  Answer<Session> storeUse(Session session, Instant now) {
    if (sessions.find(session.token(), now) == null) {
      return sessionUnknown();
    }
    used.put(session.token(), session);
    return new Done<>(session);
  }

  Answer<FeedbackGiven> give(AccountCommand.GiveFeedback give, Instant now) {
    if (!next.exists(Role.BUYER, give.buyerId())) {
      return new Refusal<>(ErrorReason.BUYER_NOT_FOUND, "buyer not found");
    }
    if (!next.exists(Role.SELLER, give.sellerId())) {
      return new Refusal<>(ErrorReason.SELLER_NOT_FOUND, "seller not found");
    }
    ItemRating rating = rating(give);
    if (rating.sellerId() != give.sellerId()) {
      return new Refusal<>(
          ErrorReason.INVALID,
          format(
              "seller_id of item %d must be %d, got %d",
              give.itemId(), rating.sellerId(), give.sellerId()));
    }
    var opinion = new Opinion(give.itemId(), give.buyerId());
    Feedback before = feedback.get(opinion);
    if (before == null) {
      before = committed.feedback(give.itemId(), give.buyerId()).orElse(null);
      if (before != null) {
        replaced.put(opinion, before);
      }
    }
    var given = new Feedback(next.feedback(), give.itemId(), give.buyerId(), give.up(), now);
    next = next.afterFeedback();
    feedback.put(opinion, given);
    itemRatings.put(give.itemId(), rating.with(given, before));
    return new Done<>(new FeedbackGiven());
  }

  private ItemRating rating(AccountCommand.GiveFeedback give) {
    ItemRating inBatch = itemRatings.get(give.itemId());
    ItemRating rating = inBatch == null ? ratings.item(give.itemId()) : inBatch;
    return rating == null ? new ItemRating(give.itemId(), give.sellerId(), 0, 0, 0) : rating;
  }

  public Collection<Account> accounts() {
    return accounts.values();
  }

  /// The opened sessions that did not end in this batch.
  public List<Session> opened() {
    return opened.values().stream().filter(it -> !ended.containsKey(it.token())).toList();
  }

  /// The ended sessions. Some may have ended before.
  public Collection<Session> ended() {
    return ended.values();
  }

  /// The sessions whose last use must be stored.
  public List<Session> used() {
    return used.values().stream().filter(it -> !ended.containsKey(it.token())).toList();
  }

  public Collection<ItemRating> itemRatings() {
    return itemRatings.values();
  }

  public Collection<Feedback> feedback() {
    return feedback.values();
  }

  /// The committed opinions that this batch replaces.
  public Collection<Feedback> replaced() {
    return replaced.values();
  }

  public NextNumbers next() {
    return next;
  }
}
