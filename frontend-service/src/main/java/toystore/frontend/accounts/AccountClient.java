package toystore.frontend.accounts;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.AccountServiceGrpc.AccountServiceBlockingStub;
import toystore.account.v1.GetItemRatingsRequest;
import toystore.account.v1.GetSellerRatingRequest;
import toystore.account.v1.GiveFeedbackRequest;
import toystore.account.v1.LoginRequest;
import toystore.account.v1.LogoutRequest;
import toystore.account.v1.Rating;
import toystore.account.v1.RegisterRequest;
import toystore.account.v1.Role;
import toystore.frontend.FrontendSettings;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.ConcurrencyLimit;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.PeerCalls;
import toystore.platform.rpc.Retries;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the account service. Registration and login wait for a password hash, so they
/// have a longer deadline than the other calls, and may use at most half of the calls to the
/// service: a flood of logins delays no session. Any thread.
@Component
public final class AccountClient {
  private static final Duration HASH_DEADLINE = Duration.ofSeconds(5);

  /// 200 users who register or log in at once are all served: with two processors, about 25 hashes
  /// are computed in a second.
  private static final int MAX_WAITING_HASHES = 150;

  private static final Duration HASH_WAIT = Duration.ofSeconds(8);

  private final AccountServiceBlockingStub accounts;
  private final Retries retries;
  private final PeerCalls calls;
  private final Duration hashDeadline;
  private final ConcurrencyLimit hashes;

  AccountClient(
      PeerChannel accountChannel,
      AdministratorToken token,
      PeerCalls calls,
      FrontendSettings settings) {
    this.accounts =
        AccountServiceGrpc.newBlockingStub(accountChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.retries = accountChannel.retries();
    this.calls = calls.to("account");
    this.hashDeadline =
        settings.deadline().compareTo(HASH_DEADLINE) > 0 ? settings.deadline() : HASH_DEADLINE;
    this.hashes =
        new ConcurrencyLimit(Math.max(1, settings.inFlight() / 2), MAX_WAITING_HASHES, HASH_WAIT);
  }

  /// @return whether this is the stored answer of a known key
  public boolean register(AccountRole role, IdempotencyKey key, Credentials credentials) {
    var unsent =
        RegisterRequest.newBuilder()
            .setKey(PeerCalls.toProto(role.registerPath(), key))
            .setRole(role(role))
            .setUsername(credentials.username())
            .setPassword(credentials.password());
    return hashes.call(() -> { // deadlines begin after the wait
      var request = unsent.setDecideBy(calls.decideBy(hashDeadline)).build();
      var stub = hashStub();
      return calls.write(key, retries, () -> stub.register(request)).getReplayed();
    });
  }

  /// Returns the token of a new session.
  ///
  /// @param clientAddress limits failed logins from one address
  public String login(AccountRole role, Credentials credentials, String clientAddress) {
    var request =
        LoginRequest.newBuilder()
            .setRole(role(role))
            .setUsername(credentials.username())
            .setPassword(credentials.password())
            .setClientAddress(clientAddress)
            .build();
    return hashes.call(() -> calls.readFirst(() -> hashStub().login(request)).getToken());
  }

  public void logout(BearerToken token) {
    var request = LogoutRequest.newBuilder().setToken(token.value()).build();
    calls.write(() -> accounts.logout(request));
  }

  public RatingView sellerRating(long seller) {
    var request = GetSellerRatingRequest.newBuilder().setSellerId(seller).build();
    return view(calls.read(() -> accounts.getSellerRating(request)).getRating());
  }

  /// Returns the ratings in the order of the ids, at most 200.
  public List<RatingView> itemRatings(List<Long> itemIds) {
    var request = GetItemRatingsRequest.newBuilder().addAllItemIds(itemIds).build();
    return calls.read(() -> accounts.getItemRatings(request)).getRatingsList().stream()
        .map(AccountClient::view)
        .toList();
  }

  /// Records a buyer's opinion of an item that the buyer bought.
  ///
  /// @param path path of the POST request; part of the scope of the key
  /// @return whether this is the stored answer of a known key
  public boolean giveFeedback(
      String path,
      IdempotencyKey key,
      BuyerSession buyer,
      long itemId,
      long sellerId,
      boolean isUp) {
    var request =
        GiveFeedbackRequest.newBuilder()
            .setKey(PeerCalls.toProto(path, buyer, key))
            .setBuyerId(buyer.buyerId())
            .setItemId(itemId)
            .setSellerId(sellerId)
            .setUp(isUp)
            .setDecideBy(calls.decideBy())
            .build();
    return calls.write(key, retries, () -> accounts.giveFeedback(request)).getReplayed();
  }

  private AccountServiceBlockingStub hashStub() {
    return accounts.withDeadlineAfter(hashDeadline.toNanos(), TimeUnit.NANOSECONDS);
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
