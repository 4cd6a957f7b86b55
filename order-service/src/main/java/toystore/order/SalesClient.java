package toystore.order;

import com.google.protobuf.util.Timestamps;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
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
import toystore.common.v1.Version;
import toystore.order.v1.PlaceOrderRequest;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.Retries;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the catalog. Calls never block. Failures are gRPC errors that can be returned to
/// the caller of the order service unchanged. Any thread.
@Component
final class SalesClient {
  /// The method of [#sell], whose calls travel over one stream.
  static final String SELL = CatalogServiceGrpc.getSellMethod().getFullMethodName();

  /// Order book and catalog do not match, because one of them was restored from a backup. New
  /// orders are refused until an operator repairs this.
  static final ErrorReason BOOK_MISMATCH =
      ErrorReason.notDone("BOOK_MISMATCH", Status.Code.FAILED_PRECONDITION, 503);

  private final CatalogServiceGrpc.CatalogServiceStub catalog;
  private final CatalogServiceGrpc.CatalogServiceStub replicationStub;
  private final ItemServiceGrpc.ItemServiceStub itemReplicationStub;
  private final CatalogAdminServiceGrpc.CatalogAdminServiceStub admin;
  private final Retries retries;

  SalesClient(PeerChannel catalogChannel, AdministratorToken token) {
    this.catalog = CatalogServiceGrpc.newStub(catalogChannel.channel());
    this.replicationStub = CatalogServiceGrpc.newStub(catalogChannel.withoutCircuitBreaker());
    this.itemReplicationStub =
        ItemServiceGrpc.newStub(catalogChannel.withoutCircuitBreaker())
            .withInterceptors(token.clientInterceptor());
    this.admin =
        CatalogAdminServiceGrpc.newStub(catalogChannel.withoutCircuitBreaker())
            .withInterceptors(token.clientInterceptor());
    this.retries = catalogChannel.retries();
  }

  /// @param replayed whether this is the stored answer to an earlier request with the same key
  /// @param version version of the catalog that contains the sale; forwarded as it is
  record SoldOrder(Order order, boolean replayed, Version version) {}

  /// Compares the end of the book with the catalog. The catalog sells nothing before this
  /// comparison. The call ignores the circuit breaker.
  ///
  /// @return the difference if one of the two was restored from a backup; empty if they match
  CompletionStage<Optional<String>> compare(Order.Series series, Checkpoint position) {
    var request =
        CompareOrderBookRequest.newBuilder()
            .setSeries(series(series))
            .setNextNumber(position.next())
            .setLastKey(position.lastKey())
            .build();
    return UnaryFutures.<CompareOrderBookResponse>call(
            answer -> admin.compareOrderBook(request, answer))
        .handle((_, failure) ->
            failure == null ? Optional.empty() : Optional.of(mismatch(failure).message()));
  }

  /// The answer to a request for the sales after a checkpoint.
  sealed interface SalesPage {
    /// @param nextNumber number of the next sale in the catalog
    record Sales(List<Order> orders, long nextNumber) implements SalesPage {}

    /// The catalog does not have the checkpoint, because one of the two was restored from a backup.
    record Mismatch(String message) implements SalesPage {}
  }

  CompletionStage<SoldOrder> sell(PlaceOrderRequest order) {
    var request =
        SellRequest.newBuilder()
            .setKey(order.getKey())
            .setSeries(Series.SERIES_STORE)
            .setKindValue(order.getKindValue()) // validated by the catalog
            .addAllLines(order.getLinesList())
            .setAsList(order.getAsList());
    if (order.hasDecideBy()) {
      request.setDecideBy(order.getDecideBy());
    }
    return sell(request.build())
        .thenApply(response ->
            new SoldOrder(
                order(response.getSale()), response.getReplayed(), response.getVersion()));
  }

  private CompletionStage<SellResponse> sell(SellRequest request) {
    Supplier<CompletionStage<SellResponse>> call =
        () -> UnaryFutures.call(answer -> catalog.sell(request, answer));
    return request.getKey().getClientMade() ? retries.callAsync(call) : call.get();
  }

  CompletionStage<Order> find(long number) {
    var request =
        GetSaleRequest.newBuilder().setSeries(Series.SERIES_STORE).setNumber(number).build();
    return UnaryFutures.<GetSaleResponse>call(answer -> catalog.getSale(request, answer))
        .thenApply(response -> order(response.getSale()));
  }

  /// Returns at most `limit` sales of a series after a checkpoint. The call ignores the circuit
  /// breaker.
  CompletionStage<SalesPage> sales(Order.Series series, Checkpoint position, int limit) {
    CompletionStage<SalesPage> page =
        switch (series) {
          case STORE -> storeSales(position, limit);
          case PURCHASES -> purchases(position, limit);
        };
    return page.exceptionally(SalesClient::mismatch);
  }

  private CompletionStage<SalesPage> storeSales(Checkpoint position, int limit) {
    var request =
        ListSalesRequest.newBuilder()
            .setSeries(Series.SERIES_STORE)
            .setFrom(position.next())
            .setKeyBefore(position.lastKey())
            .setLimit(limit)
            .build();
    return UnaryFutures.<ListSalesResponse>call(
            answer -> replicationStub.listSales(request, answer))
        .thenApply(it -> page(it.getSalesList(), it.getNextNumber()));
  }

  private CompletionStage<SalesPage> purchases(Checkpoint position, int limit) {
    var request =
        ListItemSalesRequest.newBuilder()
            .setFrom(position.next())
            .setKeyBefore(position.lastKey())
            .setLimit(limit)
            .build();
    return UnaryFutures.<ListItemSalesResponse>call(
            answer -> itemReplicationStub.listItemSales(request, answer))
        .thenApply(it -> page(it.getSalesList(), it.getNextNumber()));
  }

  private static SalesPage page(List<Sale> sales, long nextNumber) {
    return new SalesPage.Sales(sales.stream().map(SalesClient::order).toList(), nextNumber);
  }

  private static SalesPage.Mismatch mismatch(Throwable thrown) {
    Throwable failure =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
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
                  String.format(
                      Locale.ROOT,
                      "the catalog sent sale %d with series %d, which this order service does not know",
                      sale.getNumber(),
                      sale.getSeriesValue()));
        },
        sale.getNumber(),
        sale.getKey(),
        switch (sale.getKind()) {
          case SALE_KIND_ORDER -> Order.Kind.ORDER;
          case SALE_KIND_BUY -> Order.Kind.BUY;
          case SALE_KIND_SELL -> Order.Kind.SELL;
          case SALE_KIND_RETURN -> Order.Kind.RETURN;
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
