package toystore.frontend.orders;

import com.google.protobuf.util.Timestamps;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SaleLine;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.ProductNameValidator;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.http.paging.PathId;
import toystore.frontend.products.ProductCache;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.OrderServiceGrpc.OrderServiceBlockingStub;
import toystore.order.v1.PlaceOrderRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.service.PeerChannel;

/// gRPC client of the order service. Each call has the channel's deadline. Any thread.
@Component
public final class OrderClient {
  private final OrderServiceBlockingStub orders;
  private final PeerCalls calls;
  private final ProductCache products;

  OrderClient(PeerChannel orderChannel, ProductCache products) {
    this.orders = OrderServiceGrpc.newBlockingStub(orderChannel.channel());
    this.calls = new PeerCalls(orderChannel);
    this.products = products;
  }

  /// Returns the number of the order.
  ///
  /// @param path path of the POST request; part of the scope of the key
  public long place(String path, IdempotencyKey key, NewOrder order) {
    if (!order.lines().stream().map(NewOrder.Line::name).allMatch(ProductNameValidator::isValid)) {
      throw ApiException.productNotFound();
    }
    var request =
        PlaceOrderRequest.newBuilder().setKind(kind(order.type())).setAsList(order.asList());
    order.lines().forEach(it -> request.addLines(toProto(it)));
    return products
        .change(
            order.lines().stream().map(NewOrder.Line::name).toList(),
            () -> calls.write(key.in(path), orders, it -> it.placeOrder(request.build())))
        .getNumber();
  }

  private static Line toProto(NewOrder.Line ordered) {
    var line = Line.newBuilder().setName(ordered.name()).setQuantity(ordered.quantity());
    if (ordered.price() != null) {
      line.setExpectedPriceCents(DecimalAmounts.toCents(ordered.price()));
    }
    return line.build();
  }

  /// Finds an order. A text that is not a valid number is answered with 404 without a call.
  public OrderView find(String number) {
    return find(PathId.parse(number, orderNotFound()));
  }

  private static ApiException orderNotFound() {
    return ApiException.of(ErrorReason.ORDER_NOT_FOUND, "order not found");
  }

  private OrderView find(long number) {
    var request = GetOrderRequest.newBuilder().setNumber(number).build();
    return order(calls.read(() -> orders.getOrder(request)).getOrder());
  }

  public PagedResponse<OrderView> list(OptionalLong after, int limit) {
    var request = ListOrdersRequest.newBuilder().setLimit(limit);
    after.ifPresent(request::setAfter);
    var page = calls.read(() -> orders.listOrders(request.build()));
    return new PagedResponse<>(
        page.getOrdersList().stream().map(OrderClient::order).toList(),
        page.hasNext() ? page.getNext() : null);
  }

  /// Returns a page of orders, the newest first.
  ///
  /// @param highest the highest number; of the page after this one, it is `next`
  public PagedResponse<OrderView> newest(long highest, int limit) {
    var any = ListOrdersRequest.newBuilder().setLimit(1);
    long newest = calls.read(() -> orders.listOrders(any.build())).getNextNumber() - 1;
    long last = Math.min(highest, newest);
    if (last < 0) {
      return new PagedResponse<>(List.of(), null);
    }
    long first = Math.max(0, last - limit + 1);
    var after = first == 0 ? OptionalLong.empty() : OptionalLong.of(first - 1);
    List<OrderView> page = list(after, (int) (last - first + 1)).items();
    return new PagedResponse<>(page.reversed(), first == 0 ? null : first - 1);
  }

  private static SaleKind kind(NewOrder.@Nullable Trade trade) {
    return switch (trade) {
      case null -> SaleKind.SALE_KIND_ORDER;
      case BUY -> SaleKind.SALE_KIND_BUY;
      case SELL -> SaleKind.SALE_KIND_SELL;
    };
  }

  private static OrderView order(Sale order) {
    String time = Timestamps.toString(order.getSoldAt());
    var lines = order.getLinesList().stream().map(OrderClient::line).toList();
    String type = type(order.getKind());
    if (order.getAsList()) {
      return new OrderView(order.getNumber(), type, null, null, null, lines, time);
    }
    OrderView.Line only = lines.getFirst();
    return new OrderView(
        order.getNumber(), type, only.name(), only.quantity(), only.price(), null, time);
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

  private static OrderView.Line line(SaleLine line) {
    return new OrderView.Line(
        line.getName(), line.getQuantity(), DecimalAmounts.ofCents(line.getPriceCents()));
  }
}
