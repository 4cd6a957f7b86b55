package toystore.order.rpc;

import com.google.protobuf.util.Timestamps;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.GetSaleResponse;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.ListSalesResponse;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SaleLine;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.Series;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;

/// Sells everything except `Yeti`, and lists its sales in short pages.
public final class FakeSalesRpc extends CatalogServiceGrpc.CatalogServiceImplBase {
  static final ErrorReason OUT_OF_STOCK = ErrorReason.OUT_OF_STOCK;

  static final ErrorReason ORDER_NOT_FOUND = ErrorReason.ORDER_NOT_FOUND;

  private static final int PAGE = 100;

  final List<Sale> sales = new CopyOnWriteArrayList<>();

  final AtomicInteger sellCalls = new AtomicInteger();

  /// Sell calls fail with UNAVAILABLE.
  volatile boolean failsSales;

  void addSale(String key, String name, long quantity) {
    sales.add(sale(sales.size(), key, name, quantity));
  }

  public static Sale sale(int number, String key, String name, long quantity) {
    return Sale.newBuilder()
        .setSeries(Series.SERIES_STORE)
        .setNumber(number)
        .setKey(key)
        .setKind(SaleKind.SALE_KIND_ORDER)
        .addLines(
            SaleLine.newBuilder()
                .setProductId(7)
                .setName(name)
                .setQuantity(quantity)
                .setPriceCents(100))
        .setSoldAt(Timestamps.fromMillis(1_000L * number))
        .build();
  }

  @Override
  public void sell(SellRequest request, StreamObserver<SellResponse> responseObserver) {
    sellCalls.incrementAndGet();
    if (failsSales) {
      responseObserver.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    Line line = request.getLines(0);
    if (line.getName().equals("Yeti")) {
      responseObserver.onError(new RpcError(OUT_OF_STOCK, "no Yeti left", true).toException());
      return;
    }
    addSale(CallEnvelope.current().key().value(), line.getName(), line.getQuantity());
    responseObserver.onNext(SellResponse.newBuilder().setSale(sales.getLast()).build());
    responseObserver.onCompleted();
  }

  @Override
  public void getSale(GetSaleRequest request, StreamObserver<GetSaleResponse> responseObserver) {
    if (request.getNumber() < 0 || request.getNumber() >= sales.size()) {
      responseObserver.onError(new RpcError(ORDER_NOT_FOUND, "order not found").toException());
      return;
    }
    responseObserver.onNext(
        GetSaleResponse.newBuilder().setSale(sales.get((int) request.getNumber())).build());
    responseObserver.onCompleted();
  }

  @Override
  public void listSales(
      ListSalesRequest request, StreamObserver<ListSalesResponse> responseObserver) {
    int from = (int) Math.min(request.getFrom(), sales.size());
    int to = Math.min(from + Math.min(request.getLimit(), PAGE), sales.size());
    responseObserver.onNext(
        ListSalesResponse.newBuilder()
            .addAllSales(sales.subList(from, to))
            .setNextNumber(sales.size())
            .build());
    responseObserver.onCompleted();
  }
}
