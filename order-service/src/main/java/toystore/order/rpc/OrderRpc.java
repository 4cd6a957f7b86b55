package toystore.order.rpc;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.GetSaleResponse;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.ListSalesResponse;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.Series;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.ListOrdersResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.order.v1.PlaceOrderResponse;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.Retries;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.PeerChannel;
import toystore.platform.text.Limits;

/// `toystore.order.v1.OrderService`: each call becomes one of the catalog's, whose errors are
/// returned unchanged. Runs on gRPC's I/O threads and never blocks.
@Component
final class OrderRpc extends OrderServiceGrpc.OrderServiceImplBase {
  private final CatalogServiceGrpc.CatalogServiceStub catalog;
  private final Retries retries;

  OrderRpc(PeerChannel catalogChannel) {
    this.catalog = CatalogServiceGrpc.newStub(catalogChannel.channel());
    this.retries = catalogChannel.retries();
  }

  @Override
  public void placeOrder(
      PlaceOrderRequest request, StreamObserver<PlaceOrderResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            sell(request)
                .thenApply(sold ->
                    PlaceOrderResponse.newBuilder().setNumber(sold.getSale().getNumber()).build()));
  }

  /// With the same key and time; the catalog says whether its answer is the stored one.
  private CompletionStage<SellResponse> sell(PlaceOrderRequest order) {
    var request =
        SellRequest.newBuilder()
            .setSeries(Series.SERIES_STORE)
            .setKindValue(order.getKindValue())
            .addAllLines(order.getLinesList())
            .setAsList(order.getAsList())
            .build();
    CallEnvelope envelope = CallEnvelope.current();
    var stub = catalog.withInterceptors(envelope);
    Supplier<CompletionStage<SellResponse>> call =
        () -> UnaryFutures.call(answer -> stub.sell(request, answer));
    return envelope.isRepeatable() ? retries.callAsync(call) : call.get();
  }

  @Override
  public void getOrder(GetOrderRequest request, StreamObserver<GetOrderResponse> responseObserver) {
    var sale =
        GetSaleRequest.newBuilder()
            .setSeries(Series.SERIES_STORE)
            .setNumber(request.getNumber())
            .build();
    UnaryResponses.send(
        responseObserver,
        () ->
            UnaryFutures.<GetSaleResponse>call(answer -> catalog.getSale(sale, answer))
                .thenApply(found ->
                    GetOrderResponse.newBuilder().setOrder(order(found.getSale())).build()));
  }

  @Override
  public void listOrders(
      ListOrdersRequest request, StreamObserver<ListOrdersResponse> responseObserver) {
    UnaryResponses.send(responseObserver, () -> list(request));
  }

  private CompletionStage<ListOrdersResponse> list(ListOrdersRequest request) {
    long after = request.hasAfter() ? request.getAfter() : -1;
    int limit = request.getLimit() == 0 ? Limits.DEFAULT_PAGE : Limits.page(request.getLimit());
    Limits.checkAtLeast("after", after, -1);
    if (after == Long.MAX_VALUE) {
      return CompletableFuture.completedFuture(ListOrdersResponse.getDefaultInstance());
    }
    var page =
        ListSalesRequest.newBuilder()
            .setSeries(Series.SERIES_STORE)
            .setFrom(after + 1)
            .setLimit(limit)
            .build();
    return UnaryFutures.<ListSalesResponse>call(answer -> catalog.listSales(page, answer))
        .thenApply(OrderRpc::response);
  }

  private static ListOrdersResponse response(ListSalesResponse page) {
    var response = ListOrdersResponse.newBuilder().setNextNumber(page.getNextNumber());
    page.getSalesList().forEach(sale -> response.addOrders(order(sale)));
    if (page.getSalesCount() > 0) {
      long last = page.getSales(page.getSalesCount() - 1).getNumber();
      if (last + 1 < page.getNextNumber()) {
        response.setNext(last);
      }
    }
    return response.build();
  }

  /// Without its key, which a customer may not see.
  private static Sale order(Sale sale) {
    return sale.toBuilder().clearKey().build();
  }
}
