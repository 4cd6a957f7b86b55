package toystore.account.storage;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import toystore.account.domain.AccountCommand;
import toystore.account.domain.Role;
import toystore.account.domain.SellerRating;
import toystore.account.domain.TokenHash;

/// What the account service must answer, one command at a time and without batches, files or
/// indexes. Answers are texts.
final class AccountModel {
  private static final int MAX_SESSIONS = 100;

  private final Duration idle;
  private final Map<Role, List<String>> usernames = new EnumMap<>(Role.class);
  private final List<ModelSession> sessions = new ArrayList<>();
  private final Map<List<Long>, Boolean> feedback = new HashMap<>();
  private final Map<Long, Long> owners = new TreeMap<>();
  private final Map<String, KnownAnswer> keys = new HashMap<>();
  private long lastSession;

  private static final class ModelSession {
    final long id;
    final TokenHash token;
    final Role role;
    final long account;
    Instant used;
    Instant stored;

    ModelSession(long id, AccountCommand.OpenSession open, Instant now) {
      this.id = id;
      this.token = open.token();
      this.role = open.role();
      this.account = open.accountId();
      this.used = now;
      this.stored = now;
    }
  }

  private record KnownAnswer(AccountCommand<?> command, String answer) {}

  AccountModel(Duration idle) {
    this.idle = idle;
    for (Role role : Role.values()) {
      usernames.put(role, new ArrayList<>());
    }
  }

  /// @param key empty: none
  String answer(AccountCommand<?> command, String key, Instant now) {
    KnownAnswer known = keys.get(key);
    if (known != null) {
      return known.command.values().equals(command.values())
          ? known.answer + " again"
          : "KEY_REUSED";
    }
    String answer = answer(command, now);
    if (!key.isEmpty() && !answer.equals("INVALID")) {
      keys.put(key, new KnownAnswer(command, answer));
    }
    return answer;
  }

  private String answer(AccountCommand<?> command, Instant now) {
    return switch (command) {
      case AccountCommand.Register register -> register(register);
      case AccountCommand.OpenSession open -> open(open, now);
      case AccountCommand.EndSession end -> end(end.token(), now);
      case AccountCommand.EndIdleSessions _ -> {
        sessions.removeIf(it -> isIdle(it, now));
        yield "done";
      }
      case AccountCommand.StoreUse use -> {
        sessions.stream()
            .filter(it -> it.id == use.session().id() && !isIdle(it, now))
            .forEach(it -> it.stored = it.used);
        yield "done";
      }
      case AccountCommand.GiveFeedback give -> give(give);
    };
  }

  private String register(AccountCommand.Register register) {
    List<String> names = usernames(register.role());
    String name = register.username().sent().toLowerCase(Locale.ROOT);
    if (names.contains(name)) {
      return "USERNAME_TAKEN";
    }
    names.add(name);
    return "account " + names.size();
  }

  private String open(AccountCommand.OpenSession open, Instant now) {
    List<ModelSession> own =
        sessions.stream()
            .filter(it -> it.role == open.role() && it.account == open.accountId())
            .toList();
    if (own.size() >= MAX_SESSIONS) {
      sessions.remove(own.getFirst());
    }
    lastSession++;
    sessions.add(new ModelSession(lastSession, open, now));
    return "session " + lastSession;
  }

  private String end(TokenHash token, Instant now) {
    for (ModelSession session : sessions) {
      if (session.token.equals(token) && !isIdle(session, now)) {
        sessions.remove(session);
        return "ended " + session.id;
      }
    }
    return "SESSION_UNKNOWN";
  }

  private String give(AccountCommand.GiveFeedback give) {
    if (give.buyerId() > accounts(Role.BUYER)) {
      return "BUYER_NOT_FOUND";
    }
    if (give.sellerId() > accounts(Role.SELLER)) {
      return "SELLER_NOT_FOUND";
    }
    if (owners.getOrDefault(give.itemId(), give.sellerId()) != give.sellerId()) {
      return "INVALID";
    }
    owners.put(give.itemId(), give.sellerId());
    feedback.put(List.of(give.itemId(), give.buyerId()), give.up());
    return "feedback";
  }

  void use(TokenHash token, Instant now) {
    sessions.stream().filter(it -> it.token.equals(token)).forEach(it -> it.used = now);
  }

  /// Only what was stored remains.
  void restart() {
    sessions.forEach(it -> it.used = it.stored);
  }

  long accounts(Role role) {
    return usernames(role).size();
  }

  private List<String> usernames(Role role) {
    return requireNonNull(usernames.get(role));
  }

  /// The ids of the sessions that did not end.
  TreeSet<Long> alive(Instant now) {
    var alive = new TreeSet<Long>();
    sessions.stream().filter(it -> !isIdle(it, now)).forEach(it -> alive.add(it.id));
    return alive;
  }

  SellerRating item(long item) {
    return new SellerRating(count(item, true), count(item, false));
  }

  SellerRating seller(long seller) {
    return owners.entrySet().stream()
        .filter(it -> it.getValue() == seller)
        .map(it -> item(it.getKey()))
        .reduce(SellerRating.NONE, SellerRating::plus);
  }

  private long count(long item, boolean up) {
    return feedback.entrySet().stream()
        .filter(it -> it.getKey().getFirst() == item && it.getValue() == up)
        .count();
  }

  private boolean isIdle(ModelSession session, Instant now) {
    return Duration.between(session.used, now).compareTo(idle) >= 0;
  }
}
