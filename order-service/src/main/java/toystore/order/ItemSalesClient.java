package toystore.order;

import com.google.protobuf.util.Timestamps;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.GetItemResponse;
import toystore.catalog.v1.Item;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ReturnItemsRequest;
import toystore.catalog.v1.ReturnItemsResponse;
import toystore.catalog.v1.SaleLine;
import toystore.catalog.v1.SellItemsRequest;
import toystore.catalog.v1.SellItemsResponse;
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.Line;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the catalog's items. Calls never block. Any thread.
@Component
final class ItemSalesClient {
  private final ItemServiceGrpc.ItemServiceStub items;
  private final Duration attempt;

  ItemSalesClient(PeerChannel catalogChannel, AdministratorToken token, OrderSettings settings) {
    this.items =
        ItemServiceGrpc.newStub(catalogChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.attempt = settings.paymentDeadline();
  }

  /// The catalog's answer to a sale.
  sealed interface Sale {
    /// @param sellers the seller of each item
    record Made(long number, Instant soldAt, Map<Long, Long> sellers) implements Sale {}

    record Refused(OrderRefusal refusal) implements Sale {}

    /// It is not known whether the items were sold, or they were not sold yet.
    record Unanswered(String message) implements Sale {}
  }

  /// What the catalog offers; null if it has no such item. A failure means that nothing was
  /// changed.
  CompletionStage<CartChange.@Nullable Offer> find(long itemId) {
    var request = GetItemRequest.newBuilder().setItemId(itemId).build();
    return UnaryFutures.<GetItemResponse>call(answer -> items.getItem(request, answer))
        .handle((response, failure) -> failure == null ? offer(response.getItem()) : none(failure));
  }

  private static CartChange.Offer offer(Item item) {
    return new CartChange.Offer(
        item.getName(), item.getSellerId(), item.getPriceCents(), item.getQuantity());
  }

  private static CartChange.@Nullable Offer none(Throwable failure) {
    if (!(failure instanceof StatusRuntimeException exception)) {
      throw new IllegalStateException("a call must fail with a status, got " + failure, failure);
    }
    RpcError error = RpcError.of(exception);
    if (error.reason().name().equals("ITEM_NOT_FOUND")) {
      return null;
    }
    throw error.reason().outcome() == ErrorReason.Outcome.UNKNOWN
            && !error.reason().equals(ErrorReason.INTERNAL_ERROR)
        ? new RpcError(ErrorReason.NOT_DONE, "the cart was not changed: " + error.message())
            .toException()
        : exception;
  }

  public CompletionStage<Sale> sell(Purchase purchase) {
    var request = SellItemsRequest.newBuilder().setKey(key(SaleKey.ofSale(purchase)));
    for (Order.Line line : purchase.cart().lines()) {
      request.addLines(
          Line.newBuilder()
              .setProductId(line.productId())
              .setQuantity(line.quantity())
              .setExpectedPriceCents(line.priceCents()));
    }
    return UnaryFutures.<SellItemsResponse>call(
            answer -> items.withDeadlineAfter(attempt).sellItems(request.build(), answer))
        .handle((response, failure) -> failure == null ? sold(response) : notSold(failure));
  }

  private static Sale sold(SellItemsResponse response) {
    return new Sale.Made(
        response.getSale().getNumber(),
        Instant.ofEpochMilli(Timestamps.toMillis(response.getSale().getSoldAt())),
        response.getSale().getLinesList().stream()
            .collect(Collectors.toMap(SaleLine::getProductId, SaleLine::getSellerId)));
  }

  private static Sale notSold(Throwable failure) {
    RpcError error = PaymentClient.error(failure);
    return switch (error.reason().name()) {
      case "OUT_OF_STOCK" -> refused(OrderRefusal.Reason.OUT_OF_STOCK, error.message());
      case "PRICE_CHANGED" ->
          refused(
              OrderRefusal.Reason.PRICE_CHANGED,
              error.message() + "; accept the price, or remove the item from the cart");
      case "ITEM_NOT_FOUND", "PRODUCT_NOT_FOUND" ->
          refused(OrderRefusal.Reason.ITEM_GONE, "an item in the cart is no longer sold");
      case "INVALID", "SUSPENDED", "KEY_REUSED" ->
          refused(OrderRefusal.Reason.SALE_REFUSED, error.message());
      default -> new Sale.Unanswered(error.message());
    };
  }

  private static Sale refused(OrderRefusal.Reason reason, String message) {
    return new Sale.Refused(new OrderRefusal(reason, message));
  }

  /// The seller of each item of a sold purchase; 0 if the catalog has no such item.
  CompletionStage<Map<Long, Long>> sellers(Purchase purchase) {
    CompletionStage<Map<Long, Long>> all = CompletableFuture.completedFuture(Map.of());
    for (Order.Line line : purchase.cart().lines()) {
      all = all.thenCombine(find(line.productId()), (found, offer) -> with(found, line, offer));
    }
    return all;
  }

  private static Map<Long, Long> with(
      Map<Long, Long> sellers, Order.Line line, CartChange.@Nullable Offer offer) {
    var more = new HashMap<>(sellers);
    more.put(line.productId(), offer == null ? 0L : offer.sellerId());
    return more;
  }

  public CompletionStage<Long> giveBack(Purchase purchase) {
    var request =
        ReturnItemsRequest.newBuilder()
            .setKey(key(SaleKey.ofReturn(purchase)))
            .setSaleNumber(purchase.soldSale().number())
            .build();
    return UnaryFutures.<ReturnItemsResponse>call(
            answer -> items.withDeadlineAfter(attempt).returnItems(request, answer))
        .thenApply(response -> response.getSale().getNumber());
  }

  private static IdempotencyKey key(SaleKey saleKey) {
    RequestKey key = saleKey.requestKey();
    return IdempotencyKey.newBuilder()
        .setScope(key.scope())
        .setValue(key.value())
        .setClientMade(key.clientMade())
        .build();
  }
}
