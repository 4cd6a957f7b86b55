package toystore.frontend.carts;

import com.google.protobuf.util.Timestamps;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import toystore.common.v1.Card;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.RequestLimiter;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.http.paging.PathId;
import toystore.frontend.security.UserSession;
import toystore.order.v1.AcceptPriceRequest;
import toystore.order.v1.AddToCartRequest;
import toystore.order.v1.Buyer;
import toystore.order.v1.Cart;
import toystore.order.v1.CartLine;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.CartServiceGrpc.CartServiceBlockingStub;
import toystore.order.v1.ClearCartRequest;
import toystore.order.v1.EndSessionRequest;
import toystore.order.v1.GetCartRequest;
import toystore.order.v1.GetSoldUnitsRequest;
import toystore.order.v1.HasPurchasedRequest;
import toystore.order.v1.ListPurchasesRequest;
import toystore.order.v1.PurchaseRequest;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.order.v1.PurchaseServiceGrpc.PurchaseServiceBlockingStub;
import toystore.order.v1.PurchasedLine;
import toystore.order.v1.RemoveFromCartRequest;
import toystore.order.v1.SaveCartRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;
import toystore.platform.text.CardFields;

/// gRPC client of the order service's carts and purchases. A purchase waits for the payment
/// service, so it has a deadline and a limit of its own: slow payments do not delay orders. Any
/// thread.
@Component
public final class CartClient {
  private static final Logger log = LoggerFactory.getLogger(CartClient.class);

  private static final int MAX_PAYING = 400;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final CartServiceBlockingStub carts;
  private final PurchaseServiceBlockingStub purchases;
  private final PurchaseServiceBlockingStub paying;
  private final PeerCalls calls;
  private final RequestLimiter requests;

  CartClient(PeerChannel orderChannel, AdministratorToken token, RequestLimiter requests) {
    this.carts =
        CartServiceGrpc.newBlockingStub(orderChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.purchases =
        PurchaseServiceGrpc.newBlockingStub(orderChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.paying =
        PurchaseServiceGrpc.newBlockingStub(orderChannel.channelForSlowCalls(MAX_PAYING))
            .withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(orderChannel);
    this.requests = requests;
  }

  public CartView cart(UserSession buyer) {
    var request = GetCartRequest.newBuilder().setBuyer(toProto(buyer)).build();
    return view(calls.read(() -> carts.getCart(request)).getCart());
  }

  public CartView add(UserSession buyer, IdempotencyKey key, long itemId, int quantity) {
    var request =
        AddToCartRequest.newBuilder()
            .setBuyer(toProto(buyer))
            .setItemId(itemId)
            .setQuantity(quantity)
            .build();
    return view(
        calls
            .write(key.in("/api/cart/items", buyer.user()), carts, it -> it.addToCart(request))
            .getCart());
  }

  /// @param item id in a path; one that is not in the cart is answered with 400
  public CartView remove(UserSession buyer, String item, int quantity) {
    var request =
        RemoveFromCartRequest.newBuilder()
            .setBuyer(toProto(buyer))
            .setItemId(parse(item))
            .setQuantity(quantity)
            .build();
    return view(calls.write(carts, it -> it.removeFromCart(request)).getCart());
  }

  /// Gives a line the item's current price, if that is the one which the buyer accepts.
  ///
  /// @param item id in a path; one that is not in the cart is answered with 400
  public CartView acceptPrice(UserSession buyer, String item, long priceCents) {
    var request =
        AcceptPriceRequest.newBuilder()
            .setBuyer(toProto(buyer))
            .setItemId(parse(item))
            .setPriceCents(priceCents)
            .build();
    return view(calls.write(carts, it -> it.acceptPrice(request)).getCart());
  }

  private static long parse(String item) {
    return PathId.parse(item, ApiException.itemNotFound());
  }

  public CartView clear(UserSession buyer) {
    var request = ClearCartRequest.newBuilder().setBuyer(toProto(buyer)).build();
    return view(calls.write(carts, it -> it.clearCart(request)).getCart());
  }

  public CartView save(UserSession buyer, IdempotencyKey key) {
    var request = SaveCartRequest.newBuilder().setBuyer(toProto(buyer)).build();
    return view(
        calls
            .write(key.in("/api/cart/save", buyer.user()), carts, it -> it.saveCart(request))
            .getCart());
  }

  /// Deletes the unsaved cart of a session that ended, if the order service is available.
  public void endSession(UserSession buyer) {
    var request = EndSessionRequest.newBuilder().setSessionId(buyer.sessionId()).build();
    try {
      calls.write(() -> carts.endSession(request));
    } catch (ApiException failure) {
      log.debug("the cart of session {} was not deleted: {}", buyer.sessionId(), failure.reason());
    }
  }

  static Buyer toProto(UserSession buyer) {
    return Buyer.newBuilder().setBuyerId(buyer.accountId()).setSessionId(buyer.sessionId()).build();
  }

  private static CartView view(Cart cart) {
    return new CartView(cart.getLinesList().stream().map(CartClient::line).toList());
  }

  private static CartView.Line line(CartLine line) {
    return new CartView.Line(
        line.getItemId(),
        line.getQuantity(),
        line.getSaved(),
        line.getName(),
        DecimalAmounts.ofCents(line.getPriceCents()));
  }

  /// Buys everything in the session's cart, and returns how many units these are.
  ///
  /// @param seen the cart that the buyer saw; null: not compared
  public long purchase(
      UserSession buyer, IdempotencyKey key, CardFields card, @Nullable SeenCart seen) {
    var request =
        PurchaseRequest.newBuilder()
            .setBuyer(toProto(buyer))
            .setCard(
                Card.newBuilder()
                    .setHolderName(card.holderName())
                    .setNumber(card.number())
                    .setExpirationDate(card.expirationDate())
                    .setSecurityCode(card.securityCode()));
    if (seen != null) {
      request.setSeen(cart(seen));
    }
    var stub = paying.withDeadlineAfter(DEADLINE);
    RequestKey scoped = key.in("/api/purchases", buyer.user());
    return requests.waitOutsideLimit(
        () -> calls.write(scoped, stub, it -> it.purchase(request.build())).getUnits());
  }

  private static Cart cart(SeenCart seen) {
    var cart = Cart.newBuilder();
    for (SeenCart.Line line : seen.lines()) {
      cart.addLines(
          CartLine.newBuilder()
              .setItemId(line.itemId())
              .setQuantity(line.quantity())
              .setPriceCents(line.priceCents()));
    }
    return cart.build();
  }

  public PurchasesPage purchases(UserSession buyer, boolean newestFirst, long after, int limit) {
    var request =
        ListPurchasesRequest.newBuilder()
            .setBuyerId(buyer.accountId())
            .setAfter(after)
            .setLimit(limit)
            .setNewestFirst(newestFirst)
            .build();
    var page = calls.read(() -> purchases.listPurchases(request));
    return new PurchasesPage(
        page.getLinesList().stream().map(CartClient::line).toList(),
        page.getUnits(),
        page.getNext() == 0 ? null : (Long) page.getNext());
  }

  /// Checks that a buyer bought an item and that its payment is captured.
  public void requirePurchased(UserSession buyer, long itemId) {
    var request =
        HasPurchasedRequest.newBuilder().setBuyerId(buyer.accountId()).setItemId(itemId).build();
    var answer = calls.readFirst(() -> purchases.hasPurchased(request));
    if (answer.getPending()) {
      throw ApiException.of(
          ErrorReason.PAYMENT_PENDING,
          "the payment for the item has not been captured yet; retry later");
    }
    if (!answer.getPurchased()) {
      throw ApiException.of(
          ErrorReason.NOT_PURCHASED, "only a buyer of the item may give feedback");
    }
  }

  /// The units that a seller sold in captured purchases.
  ///
  /// @param items by item, of those that were asked for
  public record SoldUnits(long all, Map<Long, Long> items) {}

  public SoldUnits soldUnits(long sellerId, List<Long> items) {
    var request =
        GetSoldUnitsRequest.newBuilder().setSellerId(sellerId).addAllItemIds(items).build();
    var sold = calls.read(() -> purchases.getSoldUnits(request));
    var byItem = new HashMap<Long, Long>();
    for (int i = 0; i < sold.getItemUnitsCount(); i++) {
      byItem.put(items.get(i), sold.getItemUnits(i));
    }
    return new SoldUnits(sold.getUnits(), byItem);
  }

  private static PurchasesPage.Line line(PurchasedLine line) {
    return new PurchasesPage.Line(
        line.getItemId(),
        line.getQuantity(),
        Timestamps.toString(line.getPurchasedAt()),
        line.getName(),
        DecimalAmounts.ofCents(line.getPriceCents()),
        line.getReturned(),
        line.getNumber(),
        DecimalAmounts.ofCents(line.getTotalCents()),
        line.getPurchaseId());
  }
}
