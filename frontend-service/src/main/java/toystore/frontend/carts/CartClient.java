package toystore.frontend.carts;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
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
import toystore.order.v1.RemoveFromCartRequest;
import toystore.order.v1.SaveCartRequest;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the order service's carts. Any thread.
@Component
public final class CartClient {
  private static final Logger log = LoggerFactory.getLogger(CartClient.class);

  private final CartServiceBlockingStub carts;
  private final PeerCalls calls;

  CartClient(PeerChannel orderChannel, AdministratorToken token) {
    this.carts =
        CartServiceGrpc.newBlockingStub(orderChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(orderChannel);
  }

  public CartView cart(UserSession buyer) {
    var request = GetCartRequest.newBuilder().setBuyer(toProto(buyer)).build();
    return view(calls.read(() -> carts.getCart(request)).getCart());
  }

  public KeyedAnswer<CartView> add(
      UserSession buyer, IdempotencyKey key, long itemId, int quantity) {
    var request =
        AddToCartRequest.newBuilder()
            .setBuyer(toProto(buyer))
            .setItemId(itemId)
            .setQuantity(quantity)
            .build();
    return calls
        .write(key.in("/api/cart/items", buyer.user()), carts, it -> it.addToCart(request))
        .map(it -> view(it.getCart()));
  }

  /// @param item id in a path; one that is not in the cart is answered with 400
  public KeyedAnswer<CartView> remove(UserSession buyer, String item, int quantity) {
    var request =
        RemoveFromCartRequest.newBuilder()
            .setBuyer(toProto(buyer))
            .setItemId(parse(item))
            .setQuantity(quantity)
            .build();
    return new KeyedAnswer<>(
        view(calls.write(carts, it -> it.removeFromCart(request)).getCart()), false);
  }

  /// Gives a line the item's current price, if that is the one which the buyer accepts.
  ///
  /// @param item id in a path; one that is not in the cart is answered with 400
  public KeyedAnswer<CartView> acceptPrice(UserSession buyer, String item, long priceCents) {
    var request =
        AcceptPriceRequest.newBuilder()
            .setBuyer(toProto(buyer))
            .setItemId(parse(item))
            .setPriceCents(priceCents)
            .build();
    return new KeyedAnswer<>(
        view(calls.write(carts, it -> it.acceptPrice(request)).getCart()), false);
  }

  private static long parse(String item) {
    return PathId.parse(item, ApiException.itemNotFound());
  }

  public KeyedAnswer<CartView> clear(UserSession buyer) {
    var request = ClearCartRequest.newBuilder().setBuyer(toProto(buyer)).build();
    return new KeyedAnswer<>(
        view(calls.write(carts, it -> it.clearCart(request)).getCart()), false);
  }

  public KeyedAnswer<CartView> save(UserSession buyer, IdempotencyKey key) {
    var request = SaveCartRequest.newBuilder().setBuyer(toProto(buyer)).build();
    return calls
        .write(key.in("/api/cart/save", buyer.user()), carts, it -> it.saveCart(request))
        .map(it -> view(it.getCart()));
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
}
