package toystore.frontend.carts;

import com.google.protobuf.util.Timestamps;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.common.v1.Card;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.RequestLimiter;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.security.UserSession;
import toystore.order.v1.Cart;
import toystore.order.v1.CartLine;
import toystore.order.v1.GetSoldUnitsRequest;
import toystore.order.v1.HasPurchasedRequest;
import toystore.order.v1.ListPurchasesRequest;
import toystore.order.v1.PurchaseRequest;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.order.v1.PurchaseServiceGrpc.PurchaseServiceBlockingStub;
import toystore.order.v1.PurchasedLine;
import toystore.platform.error.ErrorReason;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;
import toystore.platform.text.CardFields;

/// gRPC client of the order service's purchases. A purchase waits for the payment service, so it
/// has a deadline and a limit of its own: slow payments do not delay orders. Any thread.
@Component
public final class PurchaseClient {
  private static final int MAX_PAYING = 400;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final PurchaseServiceBlockingStub purchases;
  private final PurchaseServiceBlockingStub paying;
  private final PeerCalls calls;
  private final RequestLimiter requests;

  PurchaseClient(PeerChannel orderChannel, AdministratorToken token, RequestLimiter requests) {
    this.purchases =
        PurchaseServiceGrpc.newBlockingStub(orderChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.paying =
        PurchaseServiceGrpc.newBlockingStub(orderChannel.channelForSlowCalls(MAX_PAYING))
            .withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(orderChannel);
    this.requests = requests;
  }

  /// Buys everything in the session's cart.
  ///
  /// @param seen the cart that the buyer saw; null: not compared
  public KeyedAnswer<PurchaseConfirmation> purchase(
      UserSession buyer, IdempotencyKey key, CardFields card, @Nullable SeenCart seen) {
    var request =
        PurchaseRequest.newBuilder()
            .setBuyer(CartClient.toProto(buyer))
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
    return requests
        .waitOutsideLimit(() ->
            calls.write(
                key.in("/api/purchases", buyer.user()), stub, it -> it.purchase(request.build())))
        .map(it -> new PurchaseConfirmation("purchased", it.getUnits()));
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

  public PurchasesPage list(UserSession buyer, boolean newestFirst, long after, int limit) {
    var request =
        ListPurchasesRequest.newBuilder()
            .setBuyerId(buyer.accountId())
            .setAfter(after)
            .setLimit(limit)
            .setNewestFirst(newestFirst)
            .build();
    var page = calls.read(() -> purchases.listPurchases(request));
    return new PurchasesPage(
        page.getLinesList().stream().map(PurchaseClient::line).toList(),
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
