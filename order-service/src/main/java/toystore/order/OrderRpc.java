package toystore.order;

import static toystore.order.Order.Series.STORE;

import com.google.protobuf.util.Timestamps;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.springframework.stereotype.Component;
import toystore.common.v1.SaleKind;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.ListOrdersResponse;
import toystore.order.v1.OrderLine;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.order.v1.PlaceOrderResponse;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.storage.ReadPool;

/// Implements `toystore.order.v1.OrderService`. Runs on gRPC's I/O threads and never blocks.
@Component
final class OrderRpc extends OrderServiceGrpc.OrderServiceImplBase {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 200;
  private static final int MAX_LINES = 50;

  private final SalesClient catalog;
  private final RecentOrders recent;
  private final SalesReplicator replicator;
  private final ReadPool readers;

  OrderRpc(SalesClient catalog, RecentOrders recent, SalesReplicator replicator, ReadPool readers) {
    this.catalog = catalog;
    this.recent = recent;
    this.replicator = replicator;
    this.readers = readers;
  }

  /// The methods whose calls may arrive over one stream.
  static Set<String> multiplexed() {
    return Set.of(OrderServiceGrpc.getPlaceOrderMethod().getFullMethodName());
  }

  @Override
  public void placeOrder(
      PlaceOrderRequest request, StreamObserver<PlaceOrderResponse> responseObserver) {
    UnaryResponses.send(responseObserver, () -> place(request));
  }

  private CompletionStage<PlaceOrderResponse> place(PlaceOrderRequest request) {
    checkBook(replicator);
    int lines = request.getLinesCount();
    if (lines < 1 || lines > MAX_LINES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "number of lines must be from 1 to %d, got %d", MAX_LINES, lines));
    }
    return catalog.sell(request).thenApply(this::remember);
  }

  /// Throws an [RpcError] unless the order book is known to match the catalog.
  static void checkBook(SalesReplicator replicator) {
    if (replicator.mismatch() != null) { // it contains customers' keys
      throw new RpcError(
              SalesClient.BOOK_MISMATCH,
              "order book and catalog do not match; nothing is sold until an operator resolves this")
          .toException();
    }
    if (!replicator.isCompared()) {
      throw new RpcError(
              ErrorReason.NOT_DONE,
              "the order service is still comparing its book with the catalog; the order was not placed; retry later")
          .toException();
    }
  }

  private PlaceOrderResponse remember(SalesClient.SoldOrder sold) {
    recent.put(sold.order());
    replicator.wake(STORE);
    return PlaceOrderResponse.newBuilder()
        .setNumber(sold.order().number())
        .setReplayed(sold.replayed())
        .setVersion(sold.version())
        .build();
  }

  @Override
  public void getOrder(GetOrderRequest request, StreamObserver<GetOrderResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            find(request.getNumber())
                .thenApply(order -> GetOrderResponse.newBuilder().setOrder(order(order)).build()));
  }

  /// Looks in the recent orders, then in the book, then in the catalog. The catalog has every order
  /// number that was ever returned to a client, so such an order is always found.
  private CompletionStage<Order> find(long number) {
    Order known = recent.find(number);
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    return readers
        .read(connection -> OrderBookStore.find(connection, number))
        .thenComposeAsync(
            found ->
                found
                    .<CompletionStage<Order>>map(CompletableFuture::completedFuture)
                    .orElseGet(() -> catalog.find(number)),
            currentCall())
        .thenApply(order -> {
          recent.put(order);
          return order;
        });
  }

  @Override
  public void listOrders(
      ListOrdersRequest request, StreamObserver<ListOrdersResponse> responseObserver) {
    UnaryResponses.send(responseObserver, () -> list(request));
  }

  private CompletionStage<ListOrdersResponse> list(ListOrdersRequest request) {
    long after = request.hasAfter() ? request.getAfter() : -1;
    int limit = request.getLimit() == 0 ? DEFAULT_LIMIT : request.getLimit();
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "limit must be from 1 to %d, got %d", MAX_LIMIT, limit));
    }
    if (after < -1) {
      throw new IllegalArgumentException("after must be at least -1, got " + after);
    }
    if (after == Long.MAX_VALUE) {
      return CompletableFuture.completedFuture(ListOrdersResponse.getDefaultInstance());
    }
    long from = after + 1;
    return readers
        .read(connection -> OrderBookStore.page(connection, STORE, from, limit + 1))
        .thenComposeAsync(page -> fillFromCatalog(page, from, limit + 1), currentCall())
        .thenApply(page -> response(page, limit));
  }

  /// Adds sales that are in the catalog but not yet in the book. If book and catalog do not match,
  /// nothing is added.
  private CompletionStage<List<Order>> fillFromCatalog(List<Order> page, long from, int limit) {
    if (page.size() == limit) {
      return CompletableFuture.completedFuture(page);
    }
    Checkpoint end = page.isEmpty() ? new Checkpoint(from, "") : Checkpoint.after(page.getLast());
    return catalog
        .sales(STORE, end, limit - page.size())
        .thenCompose(rest ->
            switch (rest) {
              case SalesClient.SalesPage.Sales sales when sales.orders().isEmpty() ->
                  CompletableFuture.completedFuture(page);
              case SalesClient.SalesPage.Sales sales ->
                  fillFromCatalog(concat(page, sales.orders()), from, limit);
              case SalesClient.SalesPage.Mismatch _ -> CompletableFuture.completedFuture(page);
            });
  }

  private static List<Order> concat(List<Order> page, List<Order> rest) {
    List<Order> concat = new ArrayList<>(page);
    concat.addAll(rest);
    return concat;
  }

  private static ListOrdersResponse response(List<Order> page, int limit) {
    var response = ListOrdersResponse.newBuilder();
    page.stream().limit(limit).forEach(order -> response.addOrders(order(order)));
    if (page.size() > limit) {
      response.setNext(page.get(limit - 1).number());
    }
    return response.build();
  }

  private static toystore.order.v1.Order order(Order order) {
    var message =
        toystore.order.v1.Order.newBuilder()
            .setNumber(order.number())
            .setKind(
                switch (order.kind()) {
                  case ORDER -> SaleKind.SALE_KIND_ORDER;
                  case BUY -> SaleKind.SALE_KIND_BUY;
                  case SELL -> SaleKind.SALE_KIND_SELL;
                  case RETURN -> SaleKind.SALE_KIND_RETURN;
                })
            .setAsList(order.asList())
            .setPlacedAt(Timestamps.fromMillis(order.placedAt().toEpochMilli()));
    for (Order.Line line : order.lines()) {
      message.addLines(
          OrderLine.newBuilder()
              .setProductId(line.productId())
              .setName(line.name())
              .setQuantity(line.quantity())
              .setPriceCents(line.priceCents()));
    }
    return message.build();
  }

  /// Continues in the gRPC context of the current call, and so with its deadline and trace.
  private static Executor currentCall() {
    return Context.current().fixedContextExecutor(Runnable::run);
  }
}
