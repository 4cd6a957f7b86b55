package toystore.order.purchases;

import com.google.protobuf.util.Timestamps;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.GetItemResponse;
import toystore.catalog.v1.Item;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ListItemSalesRequest;
import toystore.catalog.v1.ListItemSalesResponse;
import toystore.catalog.v1.ReturnItemsRequest;
import toystore.catalog.v1.ReturnItemsResponse;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SaleLine;
import toystore.catalog.v1.SellItemsRequest;
import toystore.catalog.v1.SellItemsResponse;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.order.domain.Cart;
import toystore.order.domain.CartChange;
import toystore.order.domain.CartLine;
import toystore.order.domain.ItemSale;
import toystore.order.domain.Purchase;
import toystore.order.domain.SaleKey;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the catalog's items. Never blocks. Any thread.
@Component
public final class ItemSalesClient {
  private final ItemServiceGrpc.ItemServiceStub items;
  private final ItemServiceGrpc.ItemServiceStub sales;

  ItemSalesClient(PeerChannel catalogChannel, AdministratorToken token) {
    this.items =
        ItemServiceGrpc.newStub(catalogChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.sales =
        ItemServiceGrpc.newStub(catalogChannel.withoutCircuitBreaker())
            .withInterceptors(token.clientInterceptor());
  }

  /// Null if there is no such item. A failure means that nothing was changed.
  public CompletionStage<CartChange.@Nullable Offer> find(long itemId) {
    var request = GetItemRequest.newBuilder().setItemId(itemId).build();
    return UnaryFutures.<GetItemResponse>call(answer -> items.getItem(request, answer))
        .handle((response, failure) -> failure == null ? offer(response.getItem()) : none(failure));
  }

  private static CartChange.Offer offer(Item item) {
    return new CartChange.Offer(item.getName(), item.getPriceCents(), item.getQuantity());
  }

  private static CartChange.@Nullable Offer none(Throwable failure) {
    RpcError error = PaymentClient.error(failure);
    if (error.reason() == ErrorReason.ITEM_NOT_FOUND) {
      return null;
    }
    throw error.reason().outcome() == ErrorReason.Outcome.UNKNOWN
            && error.reason() != ErrorReason.INTERNAL_ERROR
        ? new RpcError(ErrorReason.NOT_DONE, "the cart was not changed: " + error.message())
            .toException()
        : (StatusRuntimeException) failure;
  }

  /// Sells all lines or none. Fails if it is not known whether they are sold.
  ///
  /// @param lastNumber of the series, as known here
  /// @param cancel sells nothing now or later; answers a sale that was already made
  CompletionStage<Answer<ItemSale>> sell(Purchase purchase, long lastNumber, boolean cancel) {
    var request = SellItemsRequest.newBuilder().setLastNumber(lastNumber).setCancel(cancel);
    for (CartLine line : purchase.cart().lines()) {
      request.addLines(
          Line.newBuilder()
              .setProductId(line.itemId())
              .setQuantity(line.quantity())
              .setExpectedPriceCents(line.priceCents()));
    }
    var stub = attempt(SaleKey.of(purchase, false));
    return UnaryFutures.<SellItemsResponse>call(answer -> stub.sellItems(request.build(), answer))
        .handle((response, failure) ->
            failure == null
                ? new Answer.Done<>(sale(response.getSale()))
                : notSold(PaymentClient.error(failure)));
  }

  private static Answer<ItemSale> notSold(RpcError error) {
    return switch (error.reason()) {
      case OUT_OF_STOCK -> new Answer.Refusal<>(ErrorReason.OUT_OF_STOCK, error.message());
      case PRICE_CHANGED ->
          new Answer.Refusal<>(
              ErrorReason.PRICE_CHANGED,
              error.message() + "; accept the price, or remove the item from the cart");
      case ITEM_NOT_FOUND, PRODUCT_NOT_FOUND ->
          new Answer.Refusal<>(ErrorReason.ITEM_GONE, "an item in the cart is no longer sold");
      case SALE_CANCELLED ->
          new Answer.Refusal<>(
              ErrorReason.OUTCOME_UNKNOWN,
              "the service was restarted; the purchase is cancelled and the cart is as before; repeat the request with the key");
      case INVALID, SUSPENDED, KEY_REUSED ->
          new Answer.Refusal<>(ErrorReason.SALE_REFUSED, error.message());
      default -> throw error.toException();
    };
  }

  /// @param lastNumber of the series, as known here
  CompletionStage<ItemSale> giveBack(Purchase purchase, long lastNumber) {
    var request =
        ReturnItemsRequest.newBuilder()
            .setSaleNumber(purchase.soldSale().number())
            .setLastNumber(lastNumber)
            .build();
    var stub = attempt(SaleKey.of(purchase, true));
    return UnaryFutures.<ReturnItemsResponse>call(answer -> stub.returnItems(request, answer))
        .thenApply(response -> sale(response.getSale()));
  }

  private ItemServiceGrpc.ItemServiceStub attempt(SaleKey key) {
    return items
        .withDeadlineAfter(PaymentClient.ATTEMPT_DEADLINE)
        .withInterceptors(new CallEnvelope(key.requestKey(), null));
  }

  /// @param next the number of the next sale of the series
  record SalesPage(List<ItemSale> sales, long next) {}

  /// Sales and returns. Ignores the circuit breaker.
  CompletionStage<SalesPage> sales(long from, int limit) {
    var request = ListItemSalesRequest.newBuilder().setFrom(from).setLimit(limit).build();
    return UnaryFutures.<ListItemSalesResponse>call(answer -> sales.listItemSales(request, answer))
        .thenApply(page ->
            new SalesPage(
                page.getSalesList().stream().map(ItemSalesClient::sale).toList(),
                page.getNextNumber()));
  }

  private static ItemSale sale(Sale sale) {
    return new ItemSale(
        sale.getNumber(),
        sale.getKey(),
        sale.getKind() == SaleKind.SALE_KIND_RETURN,
        new Cart(sale.getLinesList().stream().map(ItemSalesClient::line).toList()),
        Instant.ofEpochMilli(Timestamps.toMillis(sale.getSoldAt())),
        sale.getLinesList().stream()
            .collect(Collectors.toMap(SaleLine::getProductId, SaleLine::getSellerId)));
  }

  private static CartLine line(SaleLine line) {
    return new CartLine(
        line.getProductId(), line.getName(), line.getQuantity(), line.getPriceCents());
  }
}
