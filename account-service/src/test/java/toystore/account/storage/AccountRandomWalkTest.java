package toystore.account.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.account.SettableClock;
import toystore.account.domain.AccountCommand;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.ItemRating;
import toystore.account.domain.Ratings;
import toystore.account.domain.Role;
import toystore.account.domain.SellerRating;
import toystore.account.domain.Session;
import toystore.account.domain.Sessions;
import toystore.account.domain.TokenHash;
import toystore.account.domain.Username;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.Database;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// Seeded random walk of the writer against [AccountModel]. Each round submits several commands at
/// once, so that they share batches; some rounds cannot be written. Each restart continues with the
/// database as a killed process leaves it.
///
/// `-Dwalk.seeds=N` sets the number of seeds.
@Tag("walk")
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // set before each test
class AccountRandomWalkTest {
  private static final String UNWRITABLE = "unwritable";
  private static final Duration IDLE = Duration.ofMinutes(5);
  private static final int RESTARTS = 3;
  private static final int ROUNDS = 60;
  private static final int ITEMS = 6;

  @Parameter Engine engine;
  @TempDir Path folder;

  private final SettableClock clock = new SettableClock();
  private final AccountModel model = new AccountModel(IDLE);
  private final List<TokenHash> tokens = new ArrayList<>();

  /// A running writer and what it publishes.
  private record Running(
      Sessions sessions,
      Ratings ratings,
      AccountBatches state,
      SingleWriter<AccountUnitOfWork> writer,
      ReadPool reader) {}

  /// @param key empty: none
  private record Step(AccountCommand<?> command, String key) {}

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("walk.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void answersAndStateEqualAModelAcrossRestarts(long seed) throws Exception {
    var random = new Random(seed);
    var stored = new TestDatabase(engine, folder, "account");
    for (int restart = 0; restart < RESTARTS; restart++) {
      try (Database database = open(stored);
          ReadPool reader = database.readers(1, 10)) {
        var sessions = new Sessions(IDLE, 100_000);
        var ratings = new Ratings();
        var state = new AccountBatches(database, sessions, ratings, clock);
        try (var writer = new SingleWriter<>("walk", database, state, 1_000, 50, _ -> {}).start()) {
          walk(new Running(sessions, ratings, state, writer, reader), random);
        }
        stored.kill();
        model.restart();
      }
    }
  }

  private static Database open(TestDatabase stored) throws SQLException {
    Database database =
        stored.open(
            file -> SqliteFile.open(file, "db/account"),
            url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "account"),
            PostgresSchema::tryBecomeWriter);
    stored.refuse(database.queryConnection(), "account", "username", UNWRITABLE);
    return database;
  }

  private void walk(Running service, Random random) {
    assertPublished(service);
    for (int round = 0; round < ROUNDS; round++) {
      if (random.nextInt(10) == 0) {
        failToWrite(service);
      } else {
        submit(service, steps(service, random));
      }
      assertPublished(service);
      clock.advance(Duration.ofSeconds(random.nextInt(60)));
      for (TokenHash token : tokens) {
        Session session = service.sessions.find(token, clock.instant());
        if (session != null && random.nextInt(4) == 0) {
          session.use(clock.instant());
          model.use(token, clock.instant());
        }
      }
    }
    assertThat(new AccountAudit(service.reader).run(true).toCompletableFuture().join())
        .hasSize(4)
        .allMatch(AuditCheckResult::ok);
  }

  private void submit(Running service, List<Step> steps) {
    List<String> expected =
        steps.stream().map(it -> model.answer(it.command, it.key, clock.instant())).toList();
    List<CompletableFuture<String>> answers =
        steps.stream().map(it -> submit(service, it.command, it.key)).toList();

    assertThat(answers.stream().map(CompletableFuture::join).toList()).isEqualTo(expected);
  }

  private static <T> CompletableFuture<String> submit(
      Running service, AccountCommand<T> command, String key) {
    var submitted =
        new Submitted<>(
            command, key.isEmpty() ? null : new RequestKey("s", key, true), null, () -> false);
    return service
        .writer
        .submit(submitted)
        .thenApply(it -> text(command, it))
        .toCompletableFuture();
  }

  private void failToWrite(Running service) {
    var register =
        new AccountCommand.Register(Role.BUYER, Username.ofNewAccount(UNWRITABLE), "hash");
    CompletableFuture<String> answer = submit(service, register, "unwritable");

    assertThat(
            answer
                .handle((_, failure) ->
                    failure instanceof CompletionException wrapped ? wrapped.getCause() : failure)
                .join())
        .isInstanceOf(NotExecutedException.class);
  }

  private List<Step> steps(Running service, Random random) {
    List<Step> steps = new ArrayList<>();
    if (random.nextInt(20) == 0 && model.accounts(Role.BUYER) > 0) {
      for (int i = 0; i < 105; i++) {
        steps.add(new Step(open(Role.BUYER, 1, random), ""));
      }
    }
    for (int i = 0; i < 1 + random.nextInt(20); i++) {
      steps.add(step(service, random));
    }
    return steps;
  }

  private Step step(Running service, Random random) {
    Role role = Role.values()[random.nextInt(2)];
    String key = "key " + random.nextInt(200);
    return switch (random.nextInt(8)) {
      case 0, 1 -> new Step(new AccountCommand.Register(role, user(random), "hash"), key);
      case 2, 3 ->
          model.accounts(role) == 0
              ? new Step(
                  new AccountCommand.Register(role, Username.ofNewAccount("first"), "hash"), key)
              : new Step(open(role, 1 + random.nextLong(model.accounts(role)), random), "");
      case 4 -> new Step(new AccountCommand.EndSession(anyToken(random)), "");
      case 5 ->
          new Step(
              new AccountCommand.EndIdleSessions(service.sessions.idle(clock.instant(), 1_000)),
              "");
      case 6 -> {
        Session session = service.sessions.find(anyToken(random), clock.instant());
        yield session == null
            ? new Step(new AccountCommand.EndSession(anyToken(random)), "")
            : new Step(new AccountCommand.StoreUse(session), "");
      }
      default -> {
        long item = 1 + random.nextInt(ITEMS);
        long seller = random.nextInt(10) == 0 ? 1 + random.nextInt(60) : 1 + item % 3;
        yield new Step(
            new AccountCommand.GiveFeedback(
                1 + random.nextInt(20), item, seller, random.nextBoolean()),
            key);
      }
    };
  }

  /// A name in one of two forms.
  private static Username user(Random random) {
    String form = random.nextBoolean() ? "user %d" : "USER %d";
    return Username.ofNewAccount(String.format(Locale.ROOT, form, random.nextInt(60)));
  }

  private AccountCommand<?> open(Role role, long account, Random random) {
    var token = new TokenHash(random.nextLong(), random.nextLong(), 0, 0);
    tokens.add(token);
    return new AccountCommand.OpenSession(role, account, token);
  }

  private TokenHash anyToken(Random random) {
    return tokens.isEmpty() ? new TokenHash(0, 0, 0, 0) : tokens.get(random.nextInt(tokens.size()));
  }

  private void assertPublished(Running service) {
    for (Role role : Role.values()) {
      assertThat(service.state.next().account(role)).isEqualTo(model.accounts(role) + 1);
    }
    var alive = new TreeSet<Long>();
    LongStream.range(0, service.state.next().session())
        .filter(it -> service.sessions.isAlive(it, clock.instant()))
        .forEach(alive::add);
    assertThat(alive).isEqualTo(model.alive(clock.instant()));
    for (long item = 1; item <= ITEMS; item++) {
      ItemRating rating = service.ratings.item(item);
      assertThat(rating == null ? SellerRating.NONE : rating.counts()).isEqualTo(model.item(item));
    }
    for (long seller = 1; seller <= model.accounts(Role.SELLER); seller++) {
      assertThat(service.ratings.seller(seller)).isEqualTo(model.seller(seller));
    }
  }

  private static String text(AccountCommand<?> command, Answer<?> answer) {
    return switch (command) {
      case AccountCommand.EndIdleSessions _, AccountCommand.StoreUse _ -> "done";
      case AccountCommand.Register _,
          AccountCommand.OpenSession _,
          AccountCommand.EndSession _,
          AccountCommand.GiveFeedback _ ->
          switch (answer) {
            case Done(AccountCommand.Registered(long id), boolean replayed) ->
                "account " + id + again(replayed);
            case Done(Session session, _) ->
                (command instanceof AccountCommand.EndSession ? "ended " : "session ")
                    + session.id();
            case Done(_, boolean replayed) -> "feedback" + again(replayed);
            case Answer.Refusal(ErrorReason reason, _, boolean replayed) ->
                reason + again(replayed);
            case Answer.NotDecided(Answer.Cause cause) -> cause.name();
          };
    };
  }

  private static String again(boolean replayed) {
    return replayed ? " again" : "";
  }
}
