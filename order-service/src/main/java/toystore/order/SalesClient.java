package toystore.order;

import com.google.protobuf.util.Timestamps;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
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
import toystore.order.v1.PlaceOrderRequest;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.Retries;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// The catalog as the order service asks it. Never blocks; failures are gRPC errors that may be
/// passed on. Any thread.
@Component
final class SalesClient {
  /// Order book and catalog do not belong together: one was restored from a backup. No orders are
  /// taken until an operator has looked.
  static final ErrorReason BOOK_MISMATCH =
      ErrorReason.notDone("BOOK_MISMATCH", Status.Code.FAILED_PRECONDITION, 503);

  private final CatalogServiceGrpc.CatalogServiceStub catalog;
  private final CatalogServiceGrpc.CatalogServiceStub replicationStub;
  private final CatalogAdminServiceGrpc.CatalogAdminServiceStub admin;
  private final Retries retries;

  SalesClient(PeerChannel catalog, AdministratorToken token) {
    this.catalog = CatalogServiceGrpc.newStub(catalog.channel());
    this.replicationStub = CatalogServiceGrpc.newStub(catalog.unguarded());
    this.admin =
        CatalogAdminServiceGrpc.newStub(catalog.unguarded()).withInterceptors(token.onCalls());
    this.retries = catalog.retries();
  }

  /// @param replayed whether the key was known
  record SoldOrder(Order order, boolean replayed) {}

  /// Compares the end of the book with the catalog, which sells nothing before. Asked whether or
  /// not the catalog answers other calls.
  ///
  /// @return how they differ, one of the two was restored from a backup; empty: they do not
  CompletionStage<Optional<String>> compare(Order.Series series, Checkpoint position) {
    var request =
        CompareOrderBookRequest.newBuilder()
            .setSeries(series(series))
            .setNextNumber(position.next())
            .setLastKey(position.lastKey())
            .build();
    return UnaryFutures.<CompareOrderBookResponse>ask(
            answer -> admin.compareOrderBook(request, answer))
        .handle((_, failure) ->
            failure == null ? Optional.empty() : Optional.of(mismatch(failure).message()));
  }

  /// What stands behind a position in the catalog.
  sealed interface SalesPage {
    /// @param nextNumber the number the next sale gets
    record Sales(List<Order> orders, long nextNumber) implements SalesPage {}

    /// The catalog does not have the position, and why: one of the two was restored from a backup.
    record Mismatch(String message) implements SalesPage {}
  }

  CompletionStage<SoldOrder> sell(PlaceOrderRequest order) {
    var request =
        SellRequest.newBuilder()
            .setKey(order.getKey())
            .setSeries(Series.SERIES_STORE)
            .setKindValue(order.getKindValue()) // the catalog's to refuse
            .addAllLines(order.getLinesList())
            .setAsList(order.getAsList());
    if (order.hasDecideBy()) {
      request.setDecideBy(order.getDecideBy());
    }
    return sell(request.build())
        .thenApply(response -> new SoldOrder(order(response.getSale()), response.getReplayed()));
  }

  private CompletionStage<SellResponse> sell(SellRequest request) {
    Supplier<CompletionStage<SellResponse>> call =
        () -> UnaryFutures.ask(answer -> catalog.sell(request, answer));
    return request.getKey().getClientMade() ? retries.ask(call) : call.get();
  }

  CompletionStage<Order> find(long number) {
    var request =
        GetSaleRequest.newBuilder().setSeries(Series.SERIES_STORE).setNumber(number).build();
    return UnaryFutures.<GetSaleResponse>ask(answer -> catalog.getSale(request, answer))
        .thenApply(response -> order(response.getSale()));
  }

  /// At most `limit` sales of a series behind a position. Asked whether or not the catalog answers
  /// other calls.
  CompletionStage<SalesPage> sales(Order.Series series, Checkpoint position, int limit) {
    var request =
        ListSalesRequest.newBuilder()
            .setSeries(series(series))
            .setFrom(position.next())
            .setKeyBefore(position.lastKey())
            .setLimit(limit)
            .build();
    return UnaryFutures.<ListSalesResponse>ask(answer -> replicationStub.listSales(request, answer))
        .handle((response, failure) ->
            failure == null
                ? new SalesPage.Sales(
                    response.getSalesList().stream().map(SalesClient::order).toList(),
                    response.getNextNumber())
                : mismatch(failure));
  }

  private static SalesPage.Mismatch mismatch(Throwable failure) {
    if (failure instanceof StatusRuntimeException exception) {
      RpcError error = RpcError.of(exception);
      if (error.reason().equals(BOOK_MISMATCH)) {
        return new SalesPage.Mismatch(error.message());
      }
    }
    throw new CompletionException(failure);
  }

  private static Series series(Order.Series series) {
    return switch (series) {
      case STORE -> Series.SERIES_STORE;
      case PURCHASES -> Series.SERIES_PURCHASES;
    };
  }

  private static Order order(Sale sale) {
    return new Order(
        switch (sale.getSeries()) {
          case SERIES_STORE -> Order.Series.STORE;
          case SERIES_PURCHASES -> Order.Series.PURCHASES;
          case SERIES_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalStateException(
                  "sale of the catalog has an unknown series: " + sale.getSeries());
        },
        sale.getNumber(),
        sale.getKey(),
        switch (sale.getKind()) {
          case SALE_KIND_ORDER -> Order.Kind.ORDER;
          case SALE_KIND_BUY -> Order.Kind.BUY;
          case SALE_KIND_SELL -> Order.Kind.SELL;
          case SALE_KIND_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalStateException(
                  "sale of the catalog has an unknown kind: " + sale.getKind());
        },
        sale.getAsList(),
        sale.getLinesList().stream().map(SalesClient::line).toList(),
        Instant.ofEpochMilli(Timestamps.toMillis(sale.getSoldAt())));
  }

  private static Order.Line line(SaleLine line) {
    return new Order.Line(
        line.getProductId(), line.getName(), line.getQuantity(), line.getPriceCents());
  }
}
