package toystore.frontend.accounts;

import static toystore.common.RootLocale.format;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.springframework.stereotype.Component;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.AccountServiceGrpc.AccountServiceBlockingStub;
import toystore.account.v1.AccountServiceGrpc.AccountServiceStub;
import toystore.account.v1.GetItemRatingsRequest;
import toystore.account.v1.GetItemRatingsResponse;
import toystore.account.v1.GetSellerRatingRequest;
import toystore.account.v1.GiveFeedbackRequest;
import toystore.account.v1.LoginRequest;
import toystore.account.v1.LogoutRequest;
import toystore.account.v1.Rating;
import toystore.account.v1.RegisterRequest;
import toystore.account.v1.Role;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.RequestLimiter;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.request.ClientAddress;
import toystore.frontend.security.AccountRole;
import toystore.frontend.security.UserSession;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the account service. Registration and login wait for a password hash, for which
/// the account service takes the users and client addresses in turn. So they have a longer deadline
/// and a limit of their own: a flood of logins delays no session. Any thread.
@Component
public final class AccountClient {
  private static final Duration HASH_DEADLINE = Duration.ofSeconds(10);

  private static final int MAX_HASHES = 400;

  private final AccountServiceBlockingStub accounts;
  private final AccountServiceStub asyncAccounts;
  private final AccountServiceBlockingStub hashing;
  private final PeerCalls calls;
  private final Duration hashDeadline;
  private final RequestLimiter requests;
  private final CartClient carts;

  AccountClient(
      PeerChannel accountChannel,
      AdministratorToken token,
      RequestLimiter requests,
      CartClient carts) {
    this.accounts =
        AccountServiceGrpc.newBlockingStub(accountChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.asyncAccounts =
        AccountServiceGrpc.newStub(accountChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.hashing =
        AccountServiceGrpc.newBlockingStub(accountChannel.channelForSlowCalls(MAX_HASHES))
            .withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(accountChannel);
    this.requests = requests;
    this.carts = carts;
    Duration usual = accountChannel.deadline();
    this.hashDeadline = usual.compareTo(HASH_DEADLINE) > 0 ? usual : HASH_DEADLINE;
  }

  public long register(
      AccountRole role, IdempotencyKey key, Credentials credentials, ClientAddress client) {
    var request =
        RegisterRequest.newBuilder()
            .setRole(role(role))
            .setUsername(credentials.username())
            .setPassword(credentials.password())
            .setClientAddress(client.value())
            .build();
    return requests.waitOutsideLimit(() -> {
      RequestKey scoped = key.in("/api/" + role.word() + "s/register");
      var stub = hashing.withDeadlineAfter(hashDeadline);
      return calls.write(scoped, stub, it -> it.register(request)).getAccountId();
    });
  }

  public record RatingView(long thumbsUp, long thumbsDown) {}

  public String login(AccountRole role, Credentials credentials, ClientAddress client) {
    var request =
        LoginRequest.newBuilder()
            .setRole(role(role))
            .setUsername(credentials.username())
            .setPassword(credentials.password())
            .setClientAddress(client.value())
            .build();
    return requests.waitOutsideLimit(() ->
        calls.readFirst(() -> hashing.withDeadlineAfter(hashDeadline).login(request)).getToken());
  }

  /// Ends the session. A buyer's unsaved cart is deleted now if possible, else by the order
  /// service's next sweep.
  public void logout(UserSession session) {
    var request = LogoutRequest.newBuilder().setToken(session.token().value()).build();
    calls.write(() -> accounts.logout(request));
    if (session.isBuyer()) {
      carts.endSession(session);
    }
  }

  public RatingView sellerRating(long seller) {
    var request = GetSellerRatingRequest.newBuilder().setSellerId(seller).build();
    return view(calls.read(() -> accounts.getSellerRating(request)).getRating());
  }

  /// Returns the ratings in the order of the ids, at most 200.
  public CompletionStage<List<RatingView>> itemRatings(List<Long> itemIds) {
    var request = GetItemRatingsRequest.newBuilder().addAllItemIds(itemIds).build();
    return calls
        .read(
            UnaryFutures.<GetItemRatingsResponse>call(
                it -> asyncAccounts.getItemRatings(request, it)))
        .thenApply(it -> it.getRatingsList().stream().map(AccountClient::view).toList());
  }

  public void giveFeedback(
      IdempotencyKey key, UserSession buyer, long itemId, long sellerId, boolean isUp) {
    var request =
        GiveFeedbackRequest.newBuilder()
            .setBuyerId(buyer.accountId())
            .setItemId(itemId)
            .setSellerId(sellerId)
            .setUp(isUp)
            .build();
    RequestKey scoped = key.in(format("/api/items/%d/feedback", itemId), buyer.user());
    calls.write(scoped, accounts, it -> it.giveFeedback(request));
  }

  private static Role role(AccountRole role) {
    return switch (role) {
      case BUYER -> Role.ROLE_BUYER;
      case SELLER -> Role.ROLE_SELLER;
    };
  }

  private static RatingView view(Rating rating) {
    return new RatingView(rating.getThumbsUp(), rating.getThumbsDown());
  }
}
