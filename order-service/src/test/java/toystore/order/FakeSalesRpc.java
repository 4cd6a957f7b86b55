package toystore.order;

import com.google.protobuf.util.Timestamps;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CompareOrderBookRequest;
import toystore.catalog.v1.CompareOrderBookResponse;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.GetSaleResponse;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ListItemSalesRequest;
import toystore.catalog.v1.ListItemSalesResponse;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.ListSalesResponse;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SaleLine;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.Series;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;

/// A fake catalog. It sells everything except `Yeti`, and lists its sales in short pages.
final class FakeSalesRpc extends CatalogServiceGrpc.CatalogServiceImplBase {
  static final ErrorReason OUT_OF_STOCK =
      ErrorReason.decided("OUT_OF_STOCK", Status.Code.FAILED_PRECONDITION, 409);

  static final ErrorReason ORDER_NOT_FOUND =
      ErrorReason.decided("ORDER_NOT_FOUND", Status.Code.NOT_FOUND, 404);

  private static final int PAGE = 100;

  final List<Sale> sales = new CopyOnWriteArrayList<>();
  final List<Sale> purchases = new CopyOnWriteArrayList<>();

  /// Whether the calls of the replicator succeed; if false, they fail with UNAVAILABLE.
  volatile boolean replicationAvailable = true;

  /// Number of sell calls.
  final AtomicInteger sellCalls = new AtomicInteger();

  /// Whether sell calls fail with UNAVAILABLE.
  volatile boolean failsSales;

  void addSale(String key, String name, long quantity) {
    sales.add(sale(sales.size(), key, name, quantity));
  }

  static Sale sale(int number, String key, String name, long quantity) {
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
    addSale(request.getKey().getValue(), line.getName(), line.getQuantity());
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
    if (!replicationAvailable) {
      responseObserver.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    if (request.getSeries() != Series.SERIES_STORE) {
      responseObserver.onError(
          new RpcError(ErrorReason.INVALID, "series must be SERIES_STORE").toException());
      return;
    }
    if (!belongsTo(sales, request.getFrom(), request.getKeyBefore())) {
      responseObserver.onError(mismatch(request.getKeyBefore()));
      return;
    }
    responseObserver.onNext(
        ListSalesResponse.newBuilder()
            .addAllSales(page(sales, request.getFrom(), request.getLimit()))
            .setNextNumber(sales.size())
            .build());
    responseObserver.onCompleted();
  }

  private static List<Sale> page(List<Sale> sales, long first, int limit) {
    int from = (int) Math.min(first, sales.size());
    return sales.subList(from, Math.min(from + Math.min(limit, PAGE), sales.size()));
  }

  private List<Sale> salesOf(Series series) {
    return series == Series.SERIES_PURCHASES ? purchases : sales;
  }

  private static boolean belongsTo(List<Sale> sales, long next, String keyBefore) {
    return keyBefore.isEmpty()
        || (next <= sales.size() && sales.get((int) next - 1).getKey().equals(keyBefore));
  }

  private static StatusRuntimeException mismatch(String key) {
    return new RpcError(SalesClient.BOOK_MISMATCH, "not my key: " + key).toException();
  }

  /// The service of the marketplace, which lists the purchases.
  final class Purchases extends ItemServiceGrpc.ItemServiceImplBase {
    @Override
    public void listItemSales(
        ListItemSalesRequest request, StreamObserver<ListItemSalesResponse> responseObserver) {
      if (!replicationAvailable) {
        responseObserver.onError(Status.UNAVAILABLE.asRuntimeException());
      } else if (!belongsTo(purchases, request.getFrom(), request.getKeyBefore())) {
        responseObserver.onError(mismatch(request.getKeyBefore()));
      } else {
        responseObserver.onNext(
            ListItemSalesResponse.newBuilder()
                .addAllSales(page(purchases, request.getFrom(), request.getLimit()))
                .setNextNumber(purchases.size())
                .build());
        responseObserver.onCompleted();
      }
    }
  }

  /// The admin service, which compares order books.
  final class Admin extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase {
    @Override
    public void compareOrderBook(
        CompareOrderBookRequest request,
        StreamObserver<CompareOrderBookResponse> responseObserver) {
      if (!replicationAvailable) {
        responseObserver.onError(Status.UNAVAILABLE.asRuntimeException());
      } else if (!belongsTo(
          salesOf(request.getSeries()), request.getNextNumber(), request.getLastKey())) {
        responseObserver.onError(mismatch(request.getLastKey()));
      } else {
        responseObserver.onNext(CompareOrderBookResponse.getDefaultInstance());
        responseObserver.onCompleted();
      }
    }
  }
}
