package toystore.account.rpc;

import static toystore.common.RootLocale.format;

import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.grpc.server.service.GrpcService;
import toystore.account.domain.Account;
import toystore.account.domain.AccountCommand;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.FailedLogins;
import toystore.account.domain.ItemRating;
import toystore.account.domain.Ratings;
import toystore.account.domain.Role;
import toystore.account.domain.SellerRating;
import toystore.account.domain.Session;
import toystore.account.domain.Sessions;
import toystore.account.domain.TokenHash;
import toystore.account.domain.Username;
import toystore.account.storage.AccountBatches;
import toystore.account.storage.AccountStore;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.AuthenticateRequest;
import toystore.account.v1.AuthenticateResponse;
import toystore.account.v1.GetItemRatingsRequest;
import toystore.account.v1.GetItemRatingsResponse;
import toystore.account.v1.GetSellerRatingRequest;
import toystore.account.v1.GetSellerRatingResponse;
import toystore.account.v1.GiveFeedbackRequest;
import toystore.account.v1.GiveFeedbackResponse;
import toystore.account.v1.ListEndedSessionsRequest;
import toystore.account.v1.ListEndedSessionsResponse;
import toystore.account.v1.LoginRequest;
import toystore.account.v1.LoginResponse;
import toystore.account.v1.LogoutRequest;
import toystore.account.v1.LogoutResponse;
import toystore.account.v1.Rating;
import toystore.account.v1.RegisterRequest;
import toystore.account.v1.RegisterResponse;
import toystore.account.v1.WatchSessionsRequest;
import toystore.account.v1.WatchSessionsResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.Limits;

/// Implements `toystore.account.v1.AccountService`. Runs on gRPC's I/O threads and never blocks.
/// Tokens and ratings are looked up in memory, usernames on disk by the reader threads; passwords
/// are hashed by the [PasswordHasher]; the writer changes the state.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class AccountRpc extends AccountServiceGrpc.AccountServiceImplBase {
  private static final int TOKEN_LENGTH = 43;
  private static final int MAX_ADDRESS_LENGTH = 100;
  private static final String UNKNOWN_ADDRESS = "unknown";
  private static final int MAX_SESSION_IDS = 1_000;

  /// The last use of a session is stored at most this often, or ten times in its idle time.
  private static final Duration STORE_INTERVAL = Duration.ofSeconds(30);

  private final Sessions sessions;
  private final Ratings ratings;
  private final AccountBatches state;
  private final SingleWriter<AccountUnitOfWork> writer;
  private final ReadPool readers;
  private final PasswordHasher hasher;
  private final FailedLogins failedLogins;
  private final Counter succeededLogins;
  private final Counter wrongPasswords;
  private final Counter limitedLogins;
  private final SessionLeasesRpc leases;
  private final InstantSource clock;
  private final long storeIntervalMillis;
  private final SecureRandom random = new SecureRandom();

  AccountRpc(
      Sessions sessions,
      Ratings ratings,
      AccountBatches state,
      SingleWriter<AccountUnitOfWork> writer,
      ReadPool readers,
      PasswordHasher hasher,
      FailedLogins failedLogins,
      SessionLeasesRpc leases,
      InstantSource clock,
      MeterRegistry registry) {
    this.sessions = sessions;
    this.ratings = ratings;
    this.state = state;
    this.writer = writer;
    this.readers = readers;
    this.hasher = hasher;
    this.failedLogins = failedLogins;
    this.succeededLogins = logins(registry, "succeeded");
    this.wrongPasswords = logins(registry, "wrong_password");
    this.limitedLogins = logins(registry, "limited");
    this.leases = leases;
    this.clock = clock;
    this.storeIntervalMillis = Math.min(STORE_INTERVAL.toMillis(), sessions.idle().toMillis() / 10);
  }

  private static Counter logins(MeterRegistry registry, String outcome) {
    return Counter.builder("toystore.account.logins")
        .description("Logins since the start")
        .tag("outcome", outcome)
        .register(registry);
  }

  @Override
  public void register(RegisterRequest request, StreamObserver<RegisterResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          Role role = role(request.getRole());
          Username username = Username.ofNewAccount(request.getUsername());
          String password = Account.checkPassword(request.getPassword());
          String address =
              request.getClientAddress().isEmpty() // an older frontend
                  ? UNKNOWN_ADDRESS
                  : address(request.getClientAddress());
          CallEnvelope call = CallEnvelope.current();
          RequestKey key = call.key();
          return hasher
              .submit(
                  new FailedLogins.Attempt(role, username.normalForm(), address),
                  call::isCancelled,
                  () -> hasher.encode(password))
              .thenCompose(hash ->
                  call.submit(writer, new AccountCommand.Register(role, username, hash), key))
              .thenApply(it -> RegisterResponse.newBuilder().setAccountId(it.accountId()).build());
        });
  }

  @Override
  public void login(LoginRequest request, StreamObserver<LoginResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          Username username = Username.ofLogin(request.getUsername());
          var attempt =
              new FailedLogins.Attempt(
                  role(request.getRole()),
                  username.normalForm(),
                  address(request.getClientAddress()));
          String password = Account.checkPassword(request.getPassword());
          failedLogins.delay(attempt).ifPresent(this::refuse);
          CallEnvelope call = CallEnvelope.current();
          return readers
              .read(it ->
                  AccountStore.find(
                      it, new AccountUnitOfWork.Name(attempt.role(), attempt.username())))
              .thenCompose(account ->
                  hasher.submit(
                      attempt, call::isCancelled, () -> authenticate(attempt, password, account)))
              .thenCompose(account -> open(call, account));
        });
  }

  /// On a thread of the hasher.
  private Account authenticate(
      FailedLogins.Attempt attempt, String password, Optional<Account> account) {
    failedLogins.begin(attempt).ifPresent(this::refuse);
    boolean matches = hasher.matches(password, account.map(Account::passwordHash).orElse(null));
    if (!matches || account.isEmpty()) {
      wrongPasswords.increment();
      throw new RpcError(ErrorReason.WRONG_PASSWORD, "username or password is wrong").toException();
    }
    failedLogins.recordSuccess(attempt);
    return account.get();
  }

  private void refuse(Duration delay) {
    limitedLogins.increment();
    Duration seconds = Duration.ofSeconds(delay.plusMillis(999).toSeconds());
    throw new RpcError(
            ErrorReason.TOO_MANY_LOGINS,
            format("too many logins failed; retry in %d s", seconds.toSeconds()),
            false,
            seconds)
        .toException();
  }

  private CompletionStage<LoginResponse> open(CallEnvelope call, Account account) {
    String token = TokenHash.newToken(random);
    var command = new AccountCommand.OpenSession(account.role(), account.id(), TokenHash.of(token));
    return leases
        .whenUnused(call.submit(writer, command, null)) // it may end another session
        .thenApply(it -> {
          succeededLogins.increment();
          return LoginResponse.newBuilder().setSession(session(it)).setToken(token).build();
        });
  }

  @Override
  public void logout(LogoutRequest request, StreamObserver<LogoutResponse> answer) {
    UnaryResponses.send(
        answer,
        () ->
            leases
                .whenUnused(
                    CallEnvelope.current()
                        .submit(
                            writer,
                            new AccountCommand.EndSession(TokenHash.of(request.getToken())),
                            null))
                .thenApply(it -> LogoutResponse.newBuilder().setSession(session(it)).build()));
  }

  @Override
  public void authenticate(
      AuthenticateRequest request, StreamObserver<AuthenticateResponse> answer) {
    Instant now = clock.instant();
    String token = request.getToken();
    Session session =
        token.length() == TOKEN_LENGTH ? sessions.find(TokenHash.of(token), now) : null;
    if (session == null) {
      var unknown = new RpcError(ErrorReason.SESSION_UNKNOWN, AccountCommand.SESSION_UNKNOWN);
      UnaryResponses.send(
          answer, () -> leases.whenUnused(CompletableFuture.failedStage(unknown.toException())));
      return;
    }
    session.use(now);
    if (session.takeStore(now, storeIntervalMillis)) {
      // if it is not stored, the next use after the interval tries again
      writer.submit(new Submitted<>(new AccountCommand.StoreUse(session)));
    }
    answer.onNext(AuthenticateResponse.newBuilder().setSession(session(session)).build());
    answer.onCompleted();
  }

  @Override
  public StreamObserver<WatchSessionsRequest> watchSessions(
      StreamObserver<WatchSessionsResponse> answers) {
    return leases.begin(answers);
  }

  @Override
  public void listEndedSessions(
      ListEndedSessionsRequest request, StreamObserver<ListEndedSessionsResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          checkCount("session_ids", request.getSessionIdsCount(), MAX_SESSION_IDS);
          Instant now = clock.instant();
          var response = ListEndedSessionsResponse.newBuilder();
          request.getSessionIdsList().stream()
              .filter(id -> !sessions.isAlive(id, now))
              .forEach(response::addSessionIds);
          return CompletableFuture.completedFuture(response.build());
        });
  }

  @Override
  public void giveFeedback(
      GiveFeedbackRequest request, StreamObserver<GiveFeedbackResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          Limits.checkAtLeast("item_id", request.getItemId(), 1);
          var command =
              new AccountCommand.GiveFeedback(
                  request.getBuyerId(),
                  request.getItemId(),
                  request.getSellerId(),
                  request.getUp());
          CallEnvelope call = CallEnvelope.current();
          return call.submit(writer, command, call.key())
              .thenApply(_ -> GiveFeedbackResponse.getDefaultInstance());
        });
  }

  @Override
  public void getSellerRating(
      GetSellerRatingRequest request, StreamObserver<GetSellerRatingResponse> answer) {
    long sellerId = request.getSellerId();
    if (!state.next().exists(Role.SELLER, sellerId)) {
      answer.onError(new RpcError(ErrorReason.SELLER_NOT_FOUND, "seller not found").toException());
      return;
    }
    answer.onNext(
        GetSellerRatingResponse.newBuilder().setRating(rating(ratings.seller(sellerId))).build());
    answer.onCompleted();
  }

  @Override
  public void getItemRatings(
      GetItemRatingsRequest request, StreamObserver<GetItemRatingsResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          checkCount("item_ids", request.getItemIdsCount(), Limits.MAX_PAGE);
          var response = GetItemRatingsResponse.newBuilder();
          for (long itemId : request.getItemIdsList()) {
            ItemRating rating = ratings.item(itemId);
            response.addRatings(rating(rating == null ? SellerRating.NONE : rating.counts()));
          }
          return CompletableFuture.completedFuture(response.build());
        });
  }

  private static void checkCount(String field, int count, int max) {
    if (count > max) {
      throw new IllegalArgumentException(
          format("%s must have at most %d ids, got %d", field, max, count));
    }
  }

  private static String address(String address) {
    if (address.isEmpty() || address.length() > MAX_ADDRESS_LENGTH) {
      throw new IllegalArgumentException(
          format(
              "client_address must have 1 to %d characters, got %d",
              MAX_ADDRESS_LENGTH, address.length()));
    }
    return address;
  }

  private static Role role(toystore.account.v1.Role role) {
    return switch (role) {
      case ROLE_BUYER -> Role.BUYER;
      case ROLE_SELLER -> Role.SELLER;
      case ROLE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("role must be ROLE_BUYER or ROLE_SELLER, got " + role);
    };
  }

  private static Rating rating(SellerRating rating) {
    return Rating.newBuilder()
        .setThumbsUp(rating.thumbsUp())
        .setThumbsDown(rating.thumbsDown())
        .build();
  }

  private static toystore.account.v1.Session session(Session session) {
    return toystore.account.v1.Session.newBuilder()
        .setSessionId(session.id())
        .setRole(
            switch (session.role()) {
              case BUYER -> toystore.account.v1.Role.ROLE_BUYER;
              case SELLER -> toystore.account.v1.Role.ROLE_SELLER;
            })
        .setAccountId(session.accountId())
        .build();
  }
}
