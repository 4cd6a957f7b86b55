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

/// A catalog that sells anything, but nothing called `Yeti`, and gives its sales in short pages.
final class FakeSalesRpc extends CatalogServiceGrpc.CatalogServiceImplBase {
  static final ErrorReason OUT_OF_STOCK =
      ErrorReason.decided("OUT_OF_STOCK", Status.Code.FAILED_PRECONDITION, 409);

  static final ErrorReason ORDER_NOT_FOUND =
      ErrorReason.decided("ORDER_NOT_FOUND", Status.Code.NOT_FOUND, 404);

  private static final int PAGE = 100;

  final List<Sale> sales = new CopyOnWriteArrayList<>();
  final List<Sale> purchases = new CopyOnWriteArrayList<>();

  /// Whether it answers who follows its sales; else those calls alone find nobody.
  volatile boolean followed = true;

  /// How often it was asked to sell.
  final AtomicInteger asked = new AtomicInteger();

  /// Whether it breaks off before it answers who buys.
  volatile boolean breaksOff;

  void sold(String key, String name, long quantity) {
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
  public void sell(SellRequest request, StreamObserver<SellResponse> answer) {
    asked.incrementAndGet();
    if (breaksOff) {
      answer.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    Line line = request.getLines(0);
    if (line.getName().equals("Yeti")) {
      answer.onError(new RpcError(OUT_OF_STOCK, "no Yeti left", true).toException());
      return;
    }
    sold(request.getKey().getValue(), line.getName(), line.getQuantity());
    answer.onNext(SellResponse.newBuilder().setSale(sales.getLast()).build());
    answer.onCompleted();
  }

  @Override
  public void getSale(GetSaleRequest request, StreamObserver<GetSaleResponse> answer) {
    if (request.getNumber() < 0 || request.getNumber() >= sales.size()) {
      answer.onError(new RpcError(ORDER_NOT_FOUND, "order not found").toException());
      return;
    }
    answer.onNext(
        GetSaleResponse.newBuilder().setSale(sales.get((int) request.getNumber())).build());
    answer.onCompleted();
  }

  @Override
  public void listSales(ListSalesRequest request, StreamObserver<ListSalesResponse> answer) {
    if (!followed) {
      answer.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    List<Sale> sales = of(request.getSeries());
    if (!isMine(sales, request.getFrom(), request.getKeyBefore())) {
      answer.onError(notMine(request.getKeyBefore()));
      return;
    }
    int from = (int) Math.min(request.getFrom(), sales.size());
    int to = Math.min(from + Math.min(request.getLimit(), PAGE), sales.size());
    answer.onNext(
        ListSalesResponse.newBuilder()
            .addAllSales(sales.subList(from, to))
            .setNextNumber(sales.size())
            .build());
    answer.onCompleted();
  }

  private List<Sale> of(Series series) {
    return series == Series.SERIES_PURCHASES ? purchases : sales;
  }

  private static boolean isMine(List<Sale> sales, long next, String keyBefore) {
    return keyBefore.isEmpty()
        || (next <= sales.size() && sales.get((int) next - 1).getKey().equals(keyBefore));
  }

  private static StatusRuntimeException notMine(String key) {
    return new RpcError(SalesClient.BOOK_MISMATCH, "not my key: " + key).toException();
  }

  /// What it says to who compares its book.
  final class Admin extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase {
    @Override
    public void compareOrderBook(
        CompareOrderBookRequest request, StreamObserver<CompareOrderBookResponse> answer) {
      if (!followed) {
        answer.onError(Status.UNAVAILABLE.asRuntimeException());
      } else if (!isMine(of(request.getSeries()), request.getNextNumber(), request.getLastKey())) {
        answer.onError(notMine(request.getLastKey()));
      } else {
        answer.onNext(CompareOrderBookResponse.getDefaultInstance());
        answer.onCompleted();
      }
    }
  }
}
