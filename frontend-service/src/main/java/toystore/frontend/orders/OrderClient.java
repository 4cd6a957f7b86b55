package toystore.frontend.orders;

import io.grpc.MethodDescriptor;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.DecimalAmounts;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.http.PathId;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.products.ProductCache;
import toystore.frontend.products.ProductClient;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.OrderLine;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.OrderServiceGrpc.OrderServiceBlockingStub;
import toystore.order.v1.PlaceOrderRequest;
import toystore.order.v1.PlaceOrderResponse;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.platform.rpc.Retries;
import toystore.platform.service.PeerChannel;

/// gRPC client of the order service. Each call has the channel's deadline. Any thread.
@Component
public final class OrderClient {
  private final OrderServiceBlockingStub orders;
  private final Retries retries;
  private final PeerCalls calls;
  private final ProductCache products;

  OrderClient(PeerChannel orderChannel, PeerCalls calls, ProductCache products) {
    this.orders = OrderServiceGrpc.newBlockingStub(orderChannel.channel());
    this.retries = orderChannel.retries();
    this.calls = calls.to("order");
    this.products = products;
  }

  /// The methods of an order and of a purchase, whose calls travel over one stream.
  public static String[] multiplexed() {
    return Stream.of(
            OrderServiceGrpc.getPlaceOrderMethod(),
            CartServiceGrpc.getAddToCartMethod(),
            PurchaseServiceGrpc.getPurchaseMethod())
        .map(MethodDescriptor::getFullMethodName)
        .toArray(String[]::new);
  }

  /// @param number in the sequence that orders and trades share
  /// @param replayed whether this is the stored answer to an earlier request with the same key
  public record PlacedOrder(long number, boolean replayed) {}

  /// @param path path of the POST request; part of the scope of the key
  public PlacedOrder place(String path, IdempotencyKey key, NewOrder order) {
    var request =
        PlaceOrderRequest.newBuilder()
            .setKey(PeerCalls.toProto(path, key))
            .setKind(order.trade().map(OrderClient::kind).orElse(SaleKind.SALE_KIND_ORDER))
            .setAsList(order.asList())
            .setDecideBy(calls.decideBy());
    for (NewOrder.Line line : order.lines()) {
      request.addLines(Line.newBuilder().setName(line.name()).setQuantity(line.quantity()));
    }
    PlaceOrderResponse placed =
        products.change(
            order.lines().stream().map(NewOrder.Line::name).toList(),
            () -> calls.write(key, retries, () -> orders.placeOrder(request.build())),
            it -> ProductClient.version(it.getVersion()));
    return new PlacedOrder(placed.getNumber(), placed.getReplayed());
  }

  /// Finds an order. A text that is not a valid number is answered with 404 without a call.
  public OrderView find(String number) {
    return find(PathId.parse(number, orderNotFound()));
  }

  private static ApiException orderNotFound() {
    return ApiException.of(ApiErrorReason.ORDER_NOT_FOUND, "order not found");
  }

  private OrderView find(long number) {
    var request = GetOrderRequest.newBuilder().setNumber(number).build();
    return order(calls.read(() -> orders.getOrder(request)).getOrder());
  }

  PagedResponse<OrderView> list(OptionalLong after, int limit) {
    var request = ListOrdersRequest.newBuilder().setLimit(limit);
    after.ifPresent(request::setAfter);
    var page = calls.read(() -> orders.listOrders(request.build()));
    return new PagedResponse<>(
        page.getOrdersList().stream().map(OrderClient::order).toList(),
        page.hasNext() ? page.getNext() : null);
  }

  private static SaleKind kind(NewOrder.Trade trade) {
    return switch (trade) {
      case BUY -> SaleKind.SALE_KIND_BUY;
      case SELL -> SaleKind.SALE_KIND_SELL;
    };
  }

  private static OrderView order(toystore.order.v1.Order order) {
    String time =
        Instant.ofEpochSecond(order.getPlacedAt().getSeconds(), order.getPlacedAt().getNanos())
            .toString();
    var lines = order.getLinesList().stream().map(OrderClient::line).toList();
    return order.getAsList()
        ? OrderView.of(order.getNumber(), type(order.getKind()), lines, time)
        : OrderView.of(order.getNumber(), type(order.getKind()), lines.getFirst(), time);
  }

  private static @Nullable String type(SaleKind kind) {
    return switch (kind) {
      case SALE_KIND_BUY -> "buy";
      case SALE_KIND_SELL -> "sell";
      case SALE_KIND_ORDER -> null;
      case SALE_KIND_RETURN, SALE_KIND_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalStateException("unknown kind of order: " + kind);
    };
  }

  private static OrderView.Line line(OrderLine line) {
    return new OrderView.Line(
        line.getName(), line.getQuantity(), DecimalAmounts.ofCents(line.getPriceCents()));
  }
}
