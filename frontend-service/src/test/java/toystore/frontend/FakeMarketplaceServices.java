package toystore.frontend;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Timestamp;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
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
import toystore.account.v1.Role;
import toystore.account.v1.Session;
import toystore.catalog.v1.AddItemRequest;
import toystore.catalog.v1.AddItemResponse;
import toystore.catalog.v1.Condition;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.GetItemResponse;
import toystore.catalog.v1.Item;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ListItemsRequest;
import toystore.catalog.v1.ListItemsResponse;
import toystore.catalog.v1.RemoveUnitsRequest;
import toystore.catalog.v1.RemoveUnitsResponse;
import toystore.catalog.v1.SearchItemsRequest;
import toystore.catalog.v1.SearchItemsResponse;
import toystore.catalog.v1.UpdateItemPriceRequest;
import toystore.catalog.v1.UpdateItemPriceResponse;
import toystore.order.v1.AcceptPriceRequest;
import toystore.order.v1.AcceptPriceResponse;
import toystore.order.v1.AddToCartRequest;
import toystore.order.v1.AddToCartResponse;
import toystore.order.v1.Cart;
import toystore.order.v1.CartLine;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.ClearCartRequest;
import toystore.order.v1.ClearCartResponse;
import toystore.order.v1.EndSessionRequest;
import toystore.order.v1.EndSessionResponse;
import toystore.order.v1.GetCartRequest;
import toystore.order.v1.GetCartResponse;
import toystore.order.v1.GetSoldUnitsRequest;
import toystore.order.v1.GetSoldUnitsResponse;
import toystore.order.v1.HasPurchasedRequest;
import toystore.order.v1.HasPurchasedResponse;
import toystore.order.v1.ListPurchasesRequest;
import toystore.order.v1.ListPurchasesResponse;
import toystore.order.v1.PurchaseRequest;
import toystore.order.v1.PurchaseResponse;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.order.v1.PurchasedLine;
import toystore.order.v1.RemoveFromCartRequest;
import toystore.order.v1.RemoveFromCartResponse;
import toystore.order.v1.SaveCartRequest;
import toystore.order.v1.SaveCartResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;

/// Fake marketplace services with one buyer, one seller and one item. They answer each call with
/// the same values, or with the error that a test has set. The real services are tested in e2e.
public final class FakeMarketplaceServices {
  public static final String BUYER_TOKEN = "token-of-a-buyer";
  public static final String SELLER_TOKEN = "token-of-a-seller";
  private static final String BUYERS = "token-of-buyer-";

  private static final Item ITEM =
      Item.newBuilder()
          .setItemId(153)
          .setSellerId(1)
          .setName("Brick castle")
          .setCategory(3)
          .addAllKeywords(List.of("lego", "castle"))
          .setCondition(Condition.CONDITION_USED)
          .setPriceCents(1250)
          .setQuantity(4)
          .build();

  private static final Rating RATING = Rating.newBuilder().setThumbsUp(2).setThumbsDown(1).build();

  private final Set<Long> endedSessions = ConcurrentHashMap.newKeySet();
  private volatile @Nullable RpcError error;
  private volatile @Nullable RpcError cartError;
  private volatile @Nullable RpcError purchaseError;
  private volatile @Nullable Object lastRequest;
  private volatile @Nullable CallEnvelope lastEnvelope;
  private volatile boolean paymentPending;

  public void reset() {
    endedSessions.clear();
    error = null;
    cartError = null;
    purchaseError = null;
    paymentPending = false;
  }

  /// Makes the buyer's payment one that is not captured yet.
  public void delayPayments() {
    paymentPending = true;
  }

  /// The token of a buyer whose account and session have this number.
  public static String tokenOfBuyer(long number) {
    return BUYERS + number;
  }

  /// Ends the session with this number.
  public void endSession(long number) {
    endedSessions.add(number);
  }

  /// Makes every call fail, except those that only check whether another one is allowed.
  public void fail(ErrorReason reason, String message) {
    fail(reason, message, null);
  }

  public void fail(ErrorReason reason, String message, @Nullable Duration retryDelay) {
    error = new RpcError(reason, message, false, retryDelay);
  }

  /// Makes the calls of sessions that end fail.
  void failCarts(ErrorReason reason) {
    cartError = new RpcError(reason, "trouble");
  }

  /// Makes purchases fail.
  public void failPurchases(ErrorReason reason, String message) {
    purchaseError = new RpcError(reason, message);
  }

  /// The last request that was not such a check.
  public <T> T lastRequest(Class<T> type) {
    return type.cast(requireNonNull(lastRequest));
  }

  /// The key of that request.
  public RequestKey lastKey() {
    return requireNonNull(lastEnvelope).key();
  }

  BindableService accounts() {
    return new Accounts();
  }

  List<BindableService> orders() {
    return List.of(new Carts(), new Purchases());
  }

  BindableService items() {
    return new Items();
  }

  private <A> void answer(StreamObserver<A> responseObserver, Object request, A answer) {
    lastRequest = request;
    lastEnvelope = CallEnvelope.current();
    RpcError set = error;
    FakeResponses.send(
        responseObserver,
        () -> {
          if (set != null) {
            throw set.toException();
          }
          return answer;
        });
  }

  private final class Accounts extends AccountServiceGrpc.AccountServiceImplBase {
    @Override
    public void authenticate(
        AuthenticateRequest request, StreamObserver<AuthenticateResponse> responseObserver) {
      FakeResponses.send(
          responseObserver,
          () -> AuthenticateResponse.newBuilder().setSession(session(request.getToken())).build());
    }

    private Session session(String token) {
      var session = Session.newBuilder().setSessionId(5).setAccountId(1).setRole(Role.ROLE_BUYER);
      if (token.startsWith(BUYERS)) {
        long number = Long.parseLong(token.substring(BUYERS.length()));
        session.setSessionId(number).setAccountId(number);
      } else if (token.equals(SELLER_TOKEN)) {
        session.setRole(Role.ROLE_SELLER);
      }
      if (!(token.startsWith(BUYERS) || Set.of(BUYER_TOKEN, SELLER_TOKEN).contains(token))
          || endedSessions.contains(session.getSessionId())) {
        throw new RpcError(ErrorReason.SESSION_UNKNOWN, "the session has ended").toException();
      }
      return session.build();
    }

    @Override
    public void listEndedSessions(
        ListEndedSessionsRequest request,
        StreamObserver<ListEndedSessionsResponse> responseObserver) {
      FakeResponses.send(
          responseObserver,
          () ->
              ListEndedSessionsResponse.newBuilder()
                  .addAllSessionIds(
                      request.getSessionIdsList().stream().filter(endedSessions::contains).toList())
                  .build());
    }

    @Override
    public void register(
        RegisterRequest request, StreamObserver<RegisterResponse> responseObserver) {
      answer(responseObserver, request, RegisterResponse.newBuilder().setAccountId(1).build());
    }

    @Override
    public void login(LoginRequest request, StreamObserver<LoginResponse> responseObserver) {
      answer(
          responseObserver, request, LoginResponse.newBuilder().setToken("example-token").build());
    }

    @Override
    public void logout(LogoutRequest request, StreamObserver<LogoutResponse> responseObserver) {
      answer(responseObserver, request, LogoutResponse.getDefaultInstance());
    }

    @Override
    public void giveFeedback(
        GiveFeedbackRequest request, StreamObserver<GiveFeedbackResponse> responseObserver) {
      answer(responseObserver, request, GiveFeedbackResponse.getDefaultInstance());
    }

    @Override
    public void getSellerRating(
        GetSellerRatingRequest request, StreamObserver<GetSellerRatingResponse> responseObserver) {
      answer(
          responseObserver,
          request,
          GetSellerRatingResponse.newBuilder().setRating(RATING).build());
    }

    @Override
    public void getItemRatings(
        GetItemRatingsRequest request, StreamObserver<GetItemRatingsResponse> responseObserver) {
      answer(
          responseObserver,
          request,
          GetItemRatingsResponse.newBuilder().addRatings(RATING).build());
    }
  }

  private final class Items extends ItemServiceGrpc.ItemServiceImplBase {
    @Override
    public void addItem(AddItemRequest request, StreamObserver<AddItemResponse> responseObserver) {
      answer(responseObserver, request, AddItemResponse.newBuilder().setItem(ITEM).build());
    }

    @Override
    public void getItem(GetItemRequest request, StreamObserver<GetItemResponse> responseObserver) {
      FakeResponses.send(
          responseObserver, () -> GetItemResponse.newBuilder().setItem(ITEM).build());
    }

    @Override
    public void listItems(
        ListItemsRequest request, StreamObserver<ListItemsResponse> responseObserver) {
      answer(
          responseObserver,
          request,
          ListItemsResponse.newBuilder().addItems(ITEM).setNext(153).build());
    }

    @Override
    public void searchItems(
        SearchItemsRequest request, StreamObserver<SearchItemsResponse> responseObserver) {
      answer(
          responseObserver,
          request,
          SearchItemsResponse.newBuilder().addItems(ITEM).setNext("page-2").build());
    }

    @Override
    public void updateItemPrice(
        UpdateItemPriceRequest request, StreamObserver<UpdateItemPriceResponse> responseObserver) {
      answer(responseObserver, request, UpdateItemPriceResponse.getDefaultInstance());
    }

    @Override
    public void removeUnits(
        RemoveUnitsRequest request, StreamObserver<RemoveUnitsResponse> responseObserver) {
      answer(responseObserver, request, RemoveUnitsResponse.getDefaultInstance());
    }
  }

  private final class Carts extends CartServiceGrpc.CartServiceImplBase {
    @Override
    public void getCart(GetCartRequest request, StreamObserver<GetCartResponse> responseObserver) {
      answer(responseObserver, request, GetCartResponse.newBuilder().setCart(cart(false)).build());
    }

    private Cart cart(boolean saved) {
      return Cart.newBuilder()
          .addLines(
              CartLine.newBuilder()
                  .setItemId(153)
                  .setQuantity(2)
                  .setSaved(saved)
                  .setName("Brick castle")
                  .setPriceCents(ITEM.getPriceCents()))
          .build();
    }

    @Override
    public void acceptPrice(
        AcceptPriceRequest request, StreamObserver<AcceptPriceResponse> responseObserver) {
      answer(
          responseObserver, request, AcceptPriceResponse.newBuilder().setCart(cart(false)).build());
    }

    @Override
    public void addToCart(
        AddToCartRequest request, StreamObserver<AddToCartResponse> responseObserver) {
      answer(
          responseObserver, request, AddToCartResponse.newBuilder().setCart(cart(false)).build());
    }

    @Override
    public void removeFromCart(
        RemoveFromCartRequest request, StreamObserver<RemoveFromCartResponse> responseObserver) {
      answer(responseObserver, request, RemoveFromCartResponse.getDefaultInstance());
    }

    @Override
    public void clearCart(
        ClearCartRequest request, StreamObserver<ClearCartResponse> responseObserver) {
      answer(responseObserver, request, ClearCartResponse.getDefaultInstance());
    }

    @Override
    public void saveCart(
        SaveCartRequest request, StreamObserver<SaveCartResponse> responseObserver) {
      answer(responseObserver, request, SaveCartResponse.newBuilder().setCart(cart(true)).build());
    }

    @Override
    public void endSession(
        EndSessionRequest request, StreamObserver<EndSessionResponse> responseObserver) {
      RpcError set = cartError;
      FakeResponses.send(
          responseObserver,
          () -> {
            if (set != null) {
              throw set.toException();
            }
            return EndSessionResponse.getDefaultInstance();
          });
    }
  }

  private final class Purchases extends PurchaseServiceGrpc.PurchaseServiceImplBase {
    @Override
    public void purchase(
        PurchaseRequest request, StreamObserver<PurchaseResponse> responseObserver) {
      RpcError set = purchaseError;
      if (set != null) {
        FakeResponses.send(
            responseObserver,
            () -> {
              throw set.toException();
            });
        return;
      }
      answer(responseObserver, request, PurchaseResponse.newBuilder().setUnits(2).build());
    }

    @Override
    public void listPurchases(
        ListPurchasesRequest request, StreamObserver<ListPurchasesResponse> responseObserver) {
      var line =
          PurchasedLine.newBuilder()
              .setItemId(153)
              .setQuantity(2)
              .setPurchasedAt(Timestamp.newBuilder().setSeconds(1_800_000_000))
              .setPriceCents(1250)
              .setName("Brick castle")
              .setNumber(3)
              .setTotalCents(123_450)
              .setPurchaseId("0199-payment");
      answer(
          responseObserver,
          request,
          ListPurchasesResponse.newBuilder().addLines(line).setNext(1).setUnits(7).build());
    }

    @Override
    public void hasPurchased(
        HasPurchasedRequest request, StreamObserver<HasPurchasedResponse> responseObserver) {
      FakeResponses.send(
          responseObserver,
          () ->
              HasPurchasedResponse.newBuilder()
                  .setPurchased(!paymentPending)
                  .setPending(paymentPending)
                  .build());
    }

    @Override
    public void getSoldUnits(
        GetSoldUnitsRequest request, StreamObserver<GetSoldUnitsResponse> responseObserver) {
      var units = request.getItemIdsList().stream().map(item -> item % 10).toList();
      answer(
          responseObserver,
          request,
          GetSoldUnitsResponse.newBuilder().setUnits(9).addAllItemUnits(units).build());
    }
  }
}
