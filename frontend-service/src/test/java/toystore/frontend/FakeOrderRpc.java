package toystore.frontend;

import com.google.protobuf.Timestamp;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import toystore.catalog.v1.Product;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SaleLine;
import toystore.catalog.v1.StockTrade;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.ListOrdersResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.order.v1.PlaceOrderResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;

/// A fake order service. It sells from [FakeCatalogRpc] and stores its decision for each key. It
/// never answers an order of the toy `Sloth`.
public final class FakeOrderRpc extends OrderServiceGrpc.OrderServiceImplBase {
  public static final String NEVER_ANSWERED = "Sloth";

  private final FakeCatalogRpc catalog;
  private final List<Sale> orders = new ArrayList<>();
  private final List<PlaceOrderRequest> requests = new ArrayList<>();
  private CallEnvelope lastEnvelope = new CallEnvelope(null, null);
  private final Map<RequestKey, Decision> decisions = new HashMap<>();

  FakeOrderRpc(FakeCatalogRpc catalog) {
    this.catalog = catalog;
  }

  synchronized void reset() {
    orders.clear();
    requests.clear();
    decisions.clear();
  }

  /// The last request.
  public synchronized PlaceOrderRequest lastRequest() {
    return requests.getLast();
  }

  /// The envelope of the last request.
  public synchronized CallEnvelope lastEnvelope() {
    return lastEnvelope;
  }

  public synchronized int callCount() {
    return requests.size();
  }

  @Override
  public void placeOrder(
      PlaceOrderRequest request, StreamObserver<PlaceOrderResponse> responseObserver) {
    if (!request.getLines(0).getName().equals(NEVER_ANSWERED)) {
      FakeResponses.send(responseObserver, () -> place(request));
    }
  }

  private synchronized PlaceOrderResponse place(PlaceOrderRequest request) {
    requests.add(request);
    lastEnvelope = CallEnvelope.current();
    RequestKey key = lastEnvelope.key();
    Decision known = decisions.get(key);
    if (known != null) {
      return known.replay(request);
    }
    try {
      var answer = PlaceOrderResponse.newBuilder().setNumber(sell(request)).build();
      decisions.put(key, new Decision(request, answer, null));
      return answer;
    } catch (StatusRuntimeException e) {
      var refusal = RpcError.of(e);
      if (refusal.reason().equals(ErrorReason.OUT_OF_STOCK)) {
        decisions.put(key, new Decision(request, PlaceOrderResponse.getDefaultInstance(), refusal));
      }
      throw e;
    }
  }

  private long sell(PlaceOrderRequest request) {
    var order =
        Sale.newBuilder()
            .setNumber(orders.size())
            .setKind(request.getKind())
            .setAsList(request.getAsList())
            .setSoldAt(Timestamp.newBuilder().setSeconds(1_800_000_000));
    boolean back = request.getKind() == SaleKind.SALE_KIND_SELL;
    for (Line line : request.getLinesList()) { // all lines or none
      catalog.requirePrice(
          line.getName(),
          line.hasExpectedPriceCents() ? line.getExpectedPriceCents() : 0,
          ErrorReason.PRICE_CHANGED);
      if (!back && catalog.require(line.getName()).getQuantity() < line.getQuantity()) {
        catalog.add(line.getName(), -line.getQuantity());
      }
    }
    for (Line line : request.getLinesList()) {
      Product product =
          catalog.add(line.getName(), back ? line.getQuantity() : -line.getQuantity());
      order.addLines(
          SaleLine.newBuilder()
              .setName(line.getName())
              .setQuantity(line.getQuantity())
              .setPriceCents(product.getPriceCents()));
      if (request.getKind() != SaleKind.SALE_KIND_ORDER) {
        catalog.addTrade(
            StockTrade.newBuilder()
                .setNumber(orders.size())
                .setKind(request.getKind())
                .setQuantity(line.getQuantity())
                .setPriceCents(product.getPriceCents())
                .setTradedAt(order.getSoldAt())
                .build());
      }
    }
    orders.add(order.build());
    return order.getNumber();
  }

  @Override
  public void getOrder(GetOrderRequest request, StreamObserver<GetOrderResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> GetOrderResponse.newBuilder().setOrder(order(request.getNumber())).build());
  }

  private synchronized Sale order(long number) {
    catalog.throwIfFailing("");
    if (number >= orders.size()) {
      throw new RpcError(ErrorReason.ORDER_NOT_FOUND, "order not found").toException();
    }
    return orders.get((int) number);
  }

  @Override
  public void listOrders(
      ListOrdersRequest request, StreamObserver<ListOrdersResponse> responseObserver) {
    FakeResponses.send(responseObserver, () -> page(request));
  }

  private synchronized ListOrdersResponse page(ListOrdersRequest request) {
    catalog.throwIfFailing("");
    int from = request.hasAfter() ? (int) request.getAfter() + 1 : 0;
    int to = Math.min(orders.size(), from + request.getLimit());
    var page = ListOrdersResponse.newBuilder().addAllOrders(orders.subList(from, to));
    page.setNextNumber(orders.size());
    if (to < orders.size()) {
      page.setNext(to - 1);
    }
    return page.build();
  }

  /// The stored decision for a key: a sale or a refusal.
  private record Decision(
      PlaceOrderRequest request,
      PlaceOrderResponse answer,
      @org.jspecify.annotations.Nullable RpcError refusal) {
    PlaceOrderResponse replay(PlaceOrderRequest repeat) {
      if (!repeat.getLinesList().equals(request.getLinesList())) {
        throw new RpcError(ErrorReason.KEY_REUSED, "the key was used for another request")
            .toException();
      }
      if (refusal != null) {
        throw new RpcError(refusal.reason(), refusal.message(), true).toException();
      }
      CallEnvelope.current().markReplayed();
      return answer;
    }
  }
}
