package toystore.account;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static toystore.account.AccountFixture.ADDRESS;
import static toystore.account.AccountFixture.error;
import static toystore.account.AccountFixture.rating;
import static toystore.account.v1.Role.ROLE_BUYER;
import static toystore.account.v1.Role.ROLE_SELLER;
import static toystore.account.v1.Role.ROLE_UNSPECIFIED;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.account.domain.Sessions;
import toystore.account.rpc.FairOrder;
import toystore.account.rpc.PasswordHasher;
import toystore.account.storage.SessionSweeper;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.LoginResponse;
import toystore.account.v1.LogoutRequest;
import toystore.account.v1.RegisterResponse;
import toystore.account.v1.Session;
import toystore.common.v1.AuditCheck;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;

/// Calls the real account service on a real database file. All tests share one service; each uses
/// its own usernames and addresses.
class AccountServiceTest {
  private static final RpcError WRONG_PASSWORD =
      new RpcError(ErrorReason.WRONG_PASSWORD, "username or password is wrong");
  private static final RpcError SESSION_UNKNOWN =
      new RpcError(
          ErrorReason.SESSION_UNKNOWN, "the session is unknown or has ended; log in again");

  @TempDir static Path folder;
  private static final SettableClock CLOCK = new SettableClock();
  private static final CountingPasswordEncoder ENCODER = new CountingPasswordEncoder();
  private static AccountFixture service;

  @BeforeAll
  static void start() {
    service =
        new AccountFixture(
            folder,
            CLOCK,
            ENCODER,
            List.of(
                new PasswordHasher(ENCODER, 1, new FairOrder(1 + 2, 200), Duration.ofSeconds(8))));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void takenUsernameIsRefusedAndTheRefusalIsStored() {
    service.register(ROLE_BUYER, "taken");

    var refusal = new RpcError(ErrorReason.USERNAME_TAKEN, "username \"taken\" is taken", false);
    assertThat(error(() -> service.register(ROLE_BUYER, "taken", "x", "k1"))).isEqualTo(refusal);
    assertThat(error(() -> service.register(ROLE_BUYER, "taken", "x", "k1")))
        .isEqualTo(new RpcError(refusal.reason(), refusal.message(), true));
  }

  @ParameterizedTest
  @CsvSource({
    "ned, NED",
    "ned2, \uFF2E\uFF25\uFF24\uFF12", // full width
    "Ren\u00E9, REN\u00C9",
    "ren\u00E92, Rene\u03012", // decomposed
    "Old Joe, OLD JOE"
  })
  void formsOfOneUsernameAreOneAccount(String first, String other) {
    for (var role : List.of(ROLE_BUYER, ROLE_SELLER)) {
      long account = service.register(role, first);

      assertThat(error(() -> service.register(role, other)))
          .isEqualTo(
              new RpcError(
                  ErrorReason.USERNAME_TAKEN, format("username \"%s\" is taken", other), false));
      assertThat(service.login(role, other).getSession().getAccountId()).isEqualTo(account);
      assertThat(service.login(role, first).getSession().getAccountId()).isEqualTo(account);
    }
  }

  /// The request was another one, although the name is the same.
  @Test
  void keyOfARegistrationWithAnotherFormOfTheUsernameIsRefused() {
    service.register(ROLE_BUYER, "Formed", "secret", "form");

    assertThat(service.register(ROLE_BUYER, "Formed", "secret", "form").replayed()).isTrue();
    assertThat(error(() -> service.register(ROLE_BUYER, "formed", "secret", "form")).reason())
        .isEqualTo(ErrorReason.KEY_REUSED);
  }

  @Test
  void repeatedRegistrationGetsTheFirstAnswerWhateverThePassword() {
    AccountFixture.Registered first = service.register(ROLE_BUYER, "repeats", "secret", "k2");

    assertThat(service.register(ROLE_BUYER, "repeats", "other", "k2"))
        .isEqualTo(new AccountFixture.Registered(first.accountId(), true));
    assertThat(error(() -> service.login(ROLE_BUYER, "repeats", "other", "192.0.2.2")))
        .isEqualTo(WRONG_PASSWORD);
    assertThat(service.login(ROLE_BUYER, "repeats").getSession().getAccountId())
        .isEqualTo(first.accountId());
  }

  @Test
  void ofConcurrentRegistrationsOfOneUsernameOneSucceeds() throws InterruptedException {
    List<ListenableFuture<RegisterResponse>> answers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      answers.add(
          service
              .futures()
              .withInterceptors(AccountFixture.envelope("w" + i))
              .register(AccountFixture.registration(ROLE_SELLER, "wanted", "pw" + i)));
    }
    assertThat(outcomes(answers))
        .isEqualTo(Map.of("OK", 1L, ErrorReason.USERNAME_TAKEN.name(), 2L));
  }

  @Test
  void registrationAfterItsDeadlineIsNotDone() {
    var late = new CallEnvelope(new RequestKey("s", "late", true), Instant.ofEpochSecond(1));
    var accounts = service.accounts().withInterceptors(late);
    var request = AccountFixture.registration(ROLE_BUYER, "late", "secret");

    assertThat(error(() -> accounts.register(request)).reason()).isEqualTo(ErrorReason.TOO_LATE);
    assertThat(service.register(ROLE_BUYER, "late")).isPositive();
  }

  static Stream<Arguments> invalidUsernames() {
    String unseen =
        "; control, format, private-use, unassigned and invisible characters are not allowed";
    String symbol = "; letters, digits and ASCII punctuation are allowed";
    return Stream.of(
        arguments("", "username must have 1 to 32 characters, got 0"),
        arguments("x".repeat(33), "username must have 1 to 32 characters, got 33"),
        arguments(
            "\u0130".repeat(17), // one character, in lower case two
            "username must have 1 to 32 characters, got 34"),
        arguments("a\nb", "username contains LINE FEED (LF) (U+000A) at position 2" + unseen),
        arguments("bob🧸", "username contains TEDDY BEAR (U+1F9F8) at position 4" + symbol),
        arguments("b  b", "username must have one space between two words, got two"),
        arguments(
            "b\u05D0",
            "username must follow RFC 8265 (UsernameCaseMapped): Bidi Rule 5: In an LTR label, only"
                + " characters with the Bidi properties L, EN, ES, CS, ET, ON, BN, or NSM are"
                + " allowed."));
  }

  @ParameterizedTest
  @MethodSource("invalidUsernames")
  void invalidUsernameIsRefused(String username, String message) {
    assertThat(error(() -> service.register(ROLE_BUYER, username)))
        .isEqualTo(new RpcError(ErrorReason.INVALID, message));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "123456789012345678901234567890123"})
  void loginWithANameOfNoAccountsLengthIsRefused(String username) {
    assertThat(error(() -> service.login(ROLE_BUYER, username)).reason())
        .isEqualTo(ErrorReason.INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1234567890123456789012345678901234567890123456789012345678901234567890123",
        "ääääääääääääääääääääääääääääääääääääx",
        "a\u0000b"
      })
  void invalidPasswordIsRefusedWithoutBeingShown(String password) {
    RpcError error = error(() -> service.register(ROLE_BUYER, "nobody", password, "k4"));

    assertThat(error.reason()).isEqualTo(ErrorReason.INVALID);
    assertThat(error.message()).startsWith("password must");
    if (!password.isEmpty()) {
      assertThat(error.message()).doesNotContain(password);
    }
  }

  @Test
  void longestNamesAndPasswordsAreAccepted() {
    String username = "ä".repeat(32);
    String password = "ä".repeat(36);
    service.register(ROLE_BUYER, username, password, "k5");

    assertThat(service.login(ROLE_BUYER, username, password, ADDRESS).getToken()).hasSize(43);
    assertThat(error(() -> service.login(ROLE_BUYER, username, "ä".repeat(35) + "ö", "192.0.2.3")))
        .isEqualTo(WRONG_PASSWORD);
  }

  @Test
  void missingRoleOrKeyOrAddressIsRefused() {
    assertThat(error(() -> service.register(ROLE_UNSPECIFIED, "x")).message())
        .isEqualTo("role must be ROLE_BUYER or ROLE_SELLER, got ROLE_UNSPECIFIED");
    var withoutKey = AccountFixture.registration(ROLE_BUYER, "x", "y");
    assertThat(error(() -> service.accounts().register(withoutKey)).message())
        .startsWith("the call must have an idempotency key");
    assertThat(error(() -> service.login(ROLE_BUYER, "x", "y", "")).message())
        .startsWith("client_address must");
  }

  @Test
  void unknownUserAndWrongPasswordAreNotDistinguished() {
    service.register(ROLE_BUYER, "known");
    int hashed = ENCODER.hashes.get();

    assertThat(error(() -> service.login(ROLE_BUYER, "known", "wrong", "192.0.2.4")))
        .isEqualTo(WRONG_PASSWORD);
    assertThat(ENCODER.hashes.get()).isEqualTo(hashed + 1);
    for (String guess : List.of("secret", "nobody")) {
      assertThat(error(() -> service.login(ROLE_BUYER, "unknown", guess, "192.0.2.4")))
          .isEqualTo(WRONG_PASSWORD);
    }
    assertThat(ENCODER.hashes.get()).as("bcrypt also runs for unknown users").isEqualTo(hashed + 3);
    assertThat(error(() -> service.login(ROLE_SELLER, "known", "secret", "192.0.2.4")))
        .as("other role")
        .isEqualTo(WRONG_PASSWORD);
  }

  @Test
  void tenFailedLoginsOfAUsernameBlockItFromThatAddress() {
    service.register(ROLE_BUYER, "guessed");
    for (String username : List.of("guessed", "guessed-unknown")) {
      for (int i = 0; i < 10; i++) {
        String form = i % 2 == 0 ? username : username.toUpperCase(Locale.ROOT);
        assertThat(error(() -> service.login(ROLE_BUYER, form, "wrong", "192.0.2.5")))
            .isEqualTo(WRONG_PASSWORD);
      }
      int hashed = ENCODER.hashes.get();
      assertThat(error(() -> service.login(ROLE_BUYER, username, "secret", "192.0.2.5")))
          .isEqualTo(tooMany(Duration.ofMinutes(5)));
      assertThat(ENCODER.hashes.get()).as("refused before hashing").isEqualTo(hashed);
    }
    assertThat(service.login(ROLE_BUYER, "guessed", "secret", "192.0.2.6").getToken())
        .as("other address")
        .isNotEmpty();

    CLOCK.advance(Duration.ofSeconds(299));
    assertThat(error(() -> service.login(ROLE_BUYER, "guessed", "secret", "192.0.2.5")))
        .isEqualTo(tooMany(Duration.ofSeconds(1)));
    CLOCK.advance(Duration.ofSeconds(1));
    assertThat(service.login(ROLE_BUYER, "guessed", "secret", "192.0.2.5").getToken()).isNotEmpty();
  }

  @Test
  void hundredFailedLoginsBlockAnAddress() {
    service.register(ROLE_BUYER, "neighbour");
    for (int i = 0; i < 100; i++) {
      String username = "guess" + i;
      assertThat(error(() -> service.login(ROLE_BUYER, username, "wrong", "192.0.2.7")))
          .isEqualTo(WRONG_PASSWORD);
    }

    assertThat(error(() -> service.login(ROLE_BUYER, "neighbour", "secret", "192.0.2.7")))
        .isEqualTo(tooMany(Duration.ofMinutes(5)));
  }

  @Test
  void successfulLoginsAreNotLimited() {
    service.register(ROLE_BUYER, "often");

    for (int i = 0; i < 20; i++) {
      assertThat(service.login(ROLE_BUYER, "often").getToken()).isNotEmpty();
    }
  }

  private static RpcError tooMany(Duration delay) {
    return new RpcError(
        ErrorReason.TOO_MANY_LOGINS,
        format("too many logins failed; retry in %d s", delay.toSeconds()),
        false,
        delay);
  }

  @Test
  void anAccountHasSeveralSessionsAndLogoutEndsOne() {
    long buyer = service.register(ROLE_BUYER, "several");
    LoginResponse first = service.login(ROLE_BUYER, "several");
    LoginResponse second = service.login(ROLE_BUYER, "several");

    assertThat(first.getToken()).isNotEqualTo(second.getToken());
    assertThat(second.getSession())
        .isEqualTo(
            Session.newBuilder()
                .setSessionId(first.getSession().getSessionId() + 1)
                .setRole(ROLE_BUYER)
                .setAccountId(buyer)
                .build());
    assertThat(service.logout(first.getToken())).isEqualTo(first.getSession());
    assertThat(error(() -> service.authenticate(first.getToken()))).isEqualTo(SESSION_UNKNOWN);
    assertThat(error(() -> service.logout(first.getToken()))).isEqualTo(SESSION_UNKNOWN);
    assertThat(service.authenticate(second.getToken())).isEqualTo(second.getSession());
    long next = second.getSession().getSessionId() + 1;
    assertThat(service.ended(List.of(next, first.getSession().getSessionId(), next - 1, 0L)))
        .containsExactly(next, first.getSession().getSessionId(), 0L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ääää"})
  void forgedTokenIsUnknown(String token) {
    assertThat(error(() -> service.authenticate(token))).isEqualTo(SESSION_UNKNOWN);
    assertThat(error(() -> service.logout(token))).isEqualTo(SESSION_UNKNOWN);
  }

  @Test
  void sessionEndsAfterFiveIdleMinutes() {
    service.register(ROLE_SELLER, "idle");
    LoginResponse login = service.login(ROLE_SELLER, "idle");
    for (int i = 0; i < 3; i++) {
      CLOCK.advance(Duration.ofSeconds(299));
      assertThat(service.authenticate(login.getToken())).isEqualTo(login.getSession());
    }
    CLOCK.advance(Duration.ofMinutes(5));

    assertThat(error(() -> service.authenticate(login.getToken()))).isEqualTo(SESSION_UNKNOWN);
    assertThat(error(() -> service.logout(login.getToken()))).isEqualTo(SESSION_UNKNOWN);
    assertThat(service.ended(List.of(login.getSession().getSessionId()))).hasSize(1);
    service.bean(SessionSweeper.class).sweep();
    assertThat(service.bean(Sessions.class).size()).isZero();
    assertThat(service.audit(true)).contains(check("sessions", "0 sessions of existing accounts"));
  }

  @Test
  void whoeverFillsAllPlacesForSessionsGivesUpHisOwn(@TempDir Path other) {
    try (var small =
        new AccountFixture(
            other, CLOCK, ENCODER, List.of(new Sessions(Duration.ofMinutes(5), 5)))) {
      for (String name : List.of("ann", "bob", "many")) {
        small.register(ROLE_BUYER, name);
      }
      LoginResponse ann = small.login(ROLE_BUYER, "ann");
      List<LoginResponse> many = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        many.add(small.login(ROLE_BUYER, "many"));
      }
      LoginResponse bob = small.login(ROLE_BUYER, "bob");
      many.add(small.login(ROLE_BUYER, "many"));

      List<Long> ids = many.stream().map(it -> it.getSession().getSessionId()).toList();
      assertThat(small.ended(ids)).containsExactlyElementsOf(ids.subList(0, 2));
      assertThat(small.authenticate(ann.getToken())).isEqualTo(ann.getSession());
      assertThat(small.authenticate(bob.getToken())).isEqualTo(bob.getSession());
      assertThat(small.bean(Sessions.class).size()).isEqualTo(5);
    }
  }

  @Test
  void moreThanAThousandSessionIdsAreRefused() {
    List<Long> ids = LongStream.rangeClosed(1_000_000, 1_001_000).boxed().toList();

    assertThat(service.ended(ids.subList(0, 1_000))).hasSize(1_000);
    assertThat(error(() -> service.ended(ids)).message())
        .isEqualTo("session_ids must have at most 1000 ids, got 1001");
  }

  @Test
  void passwordsBeyondTheQueueAreRefusedAndAbandonedOnesAreSkipped() throws InterruptedException {
    service.register(ROLE_BUYER, "busy");
    List<ListenableFuture<LoginResponse>> answers = new ArrayList<>();
    int hashed = ENCODER.hashes.get();
    ENCODER.open.acquireUninterruptibly();
    try {
      answers.add(startLogin()); // hashing
      await(() -> ENCODER.hashes.get() == hashed + 1);
      ListenableFuture<LoginResponse> abandoned = startLogin();
      answers.add(startLogin());
      await(() -> service.bean(PasswordHasher.class).waiting() == 2);
      assertThat(error(() -> service.login(ROLE_BUYER, "busy")))
          .isEqualTo(
              new RpcError(
                  ErrorReason.OVERLOADED,
                  "server is overloaded (3 registrations and logins in progress); the request was not processed; retry later",
                  false,
                  Duration.ofSeconds(1)));
      abandoned.cancel(true);
    } finally {
      ENCODER.open.release();
    }
    assertThat(outcomes(answers)).isEqualTo(Map.of("OK", 2L));
    assertThat(ENCODER.hashes.get()).isEqualTo(hashed + 2);
  }

  private static ListenableFuture<LoginResponse> startLogin() {
    return service.futures().login(AccountFixture.attempt(ROLE_BUYER, "busy", "secret", ADDRESS));
  }

  @Test
  void feedbackCountsForItemAndSellerAndALaterOneReplacesIt() {
    long seller = service.register(ROLE_SELLER, "rated");
    long ann = service.register(ROLE_BUYER, "rates");
    long bob = service.register(ROLE_BUYER, "rates too");
    assertThat(service.sellerRating(seller)).isEqualTo(rating(0, 0));

    assertThat(service.give("f1", ann, 71, seller, true)).isFalse();
    service.give("f2", bob, 71, seller, true);
    service.give("f3", ann, 72, seller, false);
    assertThat(service.itemRatings(List.of(72L, 71L, 79L)))
        .containsExactly(rating(0, 1), rating(2, 0), rating(0, 0));
    service.give("f4", ann, 71, seller, false);
    service.give("f5", ann, 71, seller, false);
    assertThat(service.give("f1", ann, 71, seller, true)).as("repeat").isTrue();
    assertThat(service.itemRatings(List.of(71L))).containsExactly(rating(1, 1));
    assertThat(service.sellerRating(seller)).isEqualTo(rating(1, 2));
    assertThat(error(() -> service.give("f1", ann, 71, seller, false)).reason())
        .isEqualTo(ErrorReason.KEY_REUSED);
    assertThat(service.audit(true)).allMatch(AuditCheck::getOk);
  }

  @Test
  void feedbackOfUnknownAccountsItemsOrOwnersIsRefused() {
    long seller = service.register(ROLE_SELLER, "owner");
    long other = service.register(ROLE_SELLER, "no owner");
    long buyer = service.register(ROLE_BUYER, "customer");
    service.give("g1", buyer, 81, seller, true);

    assertThat(error(() -> service.give("g2", buyer, 82, other + 1, true)).reason())
        .isEqualTo(ErrorReason.SELLER_NOT_FOUND);
    assertThat(error(() -> service.give("g3", buyer + 1, 82, seller, true)).reason())
        .isEqualTo(ErrorReason.BUYER_NOT_FOUND);
    assertThat(error(() -> service.give("g4", buyer, 0, seller, true)).message())
        .isEqualTo("item_id must be at least 1, got 0");
    assertThat(error(() -> service.give("g5", buyer, 81, other, true)))
        .isEqualTo(
            new RpcError(
                ErrorReason.INVALID,
                format("seller_id of item 81 must be %d, got %d", seller, other)));
    assertThat(error(() -> service.sellerRating(other + 1)).reason())
        .isEqualTo(ErrorReason.SELLER_NOT_FOUND);
    assertThat(error(() -> service.sellerRating(0)).reason())
        .isEqualTo(ErrorReason.SELLER_NOT_FOUND);
    assertThat(
            error(() -> service.itemRatings(LongStream.rangeClosed(1, 201).boxed().toList()))
                .message())
        .isEqualTo("item_ids must have at most 200 ids, got 201");
  }

  @Test
  void callWithoutTheAdministratorsTokenIsRefused() {
    var stranger = AccountServiceGrpc.newBlockingStub(service.channel());

    assertThat(error(() -> stranger.logout(LogoutRequest.getDefaultInstance())).reason())
        .isEqualTo(ErrorReason.NO_TOKEN);
  }

  @Test
  void loginsAndAccountsAreCounted() {
    service.register(ROLE_BUYER, "counted");
    double succeeded = logins("succeeded");
    double wrong = logins("wrong_password");
    service.login(ROLE_BUYER, "counted");
    error(() -> service.login(ROLE_BUYER, "counted", "wrong", "192.0.2.8"));

    assertThat(logins("succeeded") - succeeded).isEqualTo(1);
    assertThat(logins("wrong_password") - wrong).isEqualTo(1);
    assertThat(service.bean(MeterRegistry.class).get("toystore.account.accounts").gauges())
        .hasSize(2);
  }

  private static double logins(String outcome) {
    return service
        .bean(MeterRegistry.class)
        .get("toystore.account.logins")
        .tag("outcome", outcome)
        .counter()
        .count();
  }

  private static AuditCheck check(String name, String detail) {
    return AuditCheck.newBuilder().setName(name).setOk(true).setDetail(detail).build();
  }

  /// The number of answers with each reason; `OK` if there is none.
  private static <T> Map<String, Long> outcomes(List<ListenableFuture<T>> answers)
      throws InterruptedException {
    List<String> outcomes = new ArrayList<>();
    for (ListenableFuture<T> answer : answers) {
      try {
        answer.get();
        outcomes.add("OK");
      } catch (ExecutionException e) {
        outcomes.add(
            RpcError.of(requireNonNull((StatusRuntimeException) e.getCause())).reason().name());
      }
    }
    return outcomes.stream().collect(groupingBy(Function.identity(), counting()));
  }
}
