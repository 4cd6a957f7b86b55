package toystore.catalog.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.stereotype.Component;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.storage.ProductWords;
import toystore.catalog.storage.SaleStore;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.GetProductResponse;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.GetSaleResponse;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.ListProductsResponse;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.ListSalesResponse;
import toystore.catalog.v1.ListStockTradesRequest;
import toystore.catalog.v1.ListStockTradesResponse;
import toystore.catalog.v1.SearchProductsRequest;
import toystore.catalog.v1.SearchProductsResponse;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.WatchRequest;
import toystore.catalog.v1.WatchResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.Limits;

/// `toystore.catalog.v1.CatalogService`. Runs on gRPC's I/O threads and never blocks: queries come
/// from memory, sales go to the writer, reads from disk to the readers.
@Component
final class CatalogRpc extends CatalogServiceGrpc.CatalogServiceImplBase {
  private static final int MAX_SKIP = 1_000_000;
  private static final int MAX_SALES_BYTES = 1 << 20;
  private static final int MAX_QUERY_LENGTH = 200;
  private static final int MAX_QUERY_WORDS = 10;

  private final Catalog catalog;
  private final SingleWriter<CatalogUnitOfWork> writer;
  private final ReadPool readers;
  private final CatalogWatchesRpc watches;

  CatalogRpc(
      Catalog catalog,
      SingleWriter<CatalogUnitOfWork> writer,
      ReadPool readers,
      CatalogWatchesRpc watches) {
    this.catalog = catalog;
    this.writer = writer;
    this.readers = readers;
    this.watches = watches;
  }

  @Override
  public void getProduct(GetProductRequest request, StreamObserver<GetProductResponse> answer) {
    CatalogMessages.answer(
        answer,
        () -> {
          Product found = catalog.find(ProductRef.of(request.getName(), request.getProductId()));
          if (found == null) {
            throw productNotFound();
          }
          return GetProductResponse.newBuilder().setProduct(CatalogMessages.product(found)).build();
        });
  }

  private static RuntimeException productNotFound() {
    return new RpcError(ErrorReason.PRODUCT_NOT_FOUND, "product not found").toException();
  }

  @Override
  public void listProducts(
      ListProductsRequest request, StreamObserver<ListProductsResponse> answer) {
    CatalogMessages.answer(
        answer,
        () -> {
          int limit = CatalogMessages.limit(request.getLimit());
          Limits.check("skip", request.getSkip(), 0, MAX_SKIP);
          String category = catalog.categoryOf(request.getCategory());
          List<Product> page =
              request.getStocksOnly()
                  ? catalog.stocks(request.getAfter(), limit + 1)
                  : catalog.page(category, request.getAfter(), request.getSkip(), limit + 1);
          var response = ListProductsResponse.newBuilder();
          page.stream()
              .limit(limit)
              .forEach(it -> response.addProducts(CatalogMessages.product(it)));
          if (page.size() > limit) {
            response.setNext(page.get(limit - 1).name());
          }
          if (request.getWithTotal()) {
            response.setTotal(catalog.count(category));
          }
          return response.build();
        });
  }

  @Override
  public void searchProducts(
      SearchProductsRequest request, StreamObserver<SearchProductsResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          int limit = CatalogMessages.limit(request.getLimit());
          Limits.check("skip", request.getSkip(), 0, MAX_SKIP);
          String query = request.getQuery();
          checkAtMost(MAX_QUERY_LENGTH, "characters", query.codePointCount(0, query.length()));
          checkAtMost(MAX_QUERY_WORDS, "words", ProductWords.words(query).size());
          return readers.read(connection -> search(connection, request, limit));
        });
  }

  /// Each word costs time: SQLite reads all entries of the index that begin with it.
  private static void checkAtMost(int max, String what, int count) {
    if (count > max) {
      throw Limits.invalid("query must have at most %d %s, got %d", max, what, count);
    }
  }

  private SearchProductsResponse search(
      Connection connection, SearchProductsRequest request, int limit) throws SQLException {
    String query = IdentifierText.normalized(request.getQuery());
    String category = catalog.categoryOf(request.getCategory());
    List<String> names =
        ProductWords.search(
            connection, query, category, request.getAfter(), request.getSkip(), limit + 1);
    var response = SearchProductsResponse.newBuilder();
    if (request.getWithTotal()) {
      response.setTotal(ProductWords.count(connection, query, category));
    }
    for (String name : names.subList(0, Math.min(limit, names.size()))) {
      Product product = catalog.find(name);
      if (product != null) { // removed since it was found
        response.addProducts(CatalogMessages.product(product));
      }
    }
    if (names.size() > limit) {
      response.setNext(names.get(limit - 1));
    }
    return response.build();
  }

  @Override
  public void sell(SellRequest request, StreamObserver<SellResponse> answer) {
    CatalogMessages.changeOnce(
        answer,
        writer,
        () ->
            new CatalogCommand.Sell(
                storeSeries(request.getSeries()),
                kind(request.getKind()),
                request.getAsList(),
                request.getLinesList().stream().map(CatalogMessages::line).toList()),
        sold -> SellResponse.newBuilder().setSale(CatalogMessages.sale(sold)).build());
  }

  @Override
  public void watch(WatchRequest request, StreamObserver<WatchResponse> answer) {
    watches.begin((ServerCallStreamObserver<WatchResponse>) answer);
  }

  @Override
  public void getSale(GetSaleRequest request, StreamObserver<GetSaleResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          SaleSeries series = storeSeries(request.getSeries());
          Sale recent = catalog.recentSale(request.getNumber());
          CompletionStage<Optional<Sale>> found =
              recent == null
                  ? readers.read(
                      connection -> SaleStore.find(connection, series, request.getNumber()))
                  : CompletableFuture.completedFuture(Optional.of(recent));
          return found.thenApply(sale ->
              GetSaleResponse.newBuilder()
                  .setSale(CatalogMessages.sale(sale.orElseThrow(CatalogRpc::orderNotFound)))
                  .build());
        });
  }

  private static RuntimeException orderNotFound() {
    return new RpcError(ErrorReason.ORDER_NOT_FOUND, "order not found").toException();
  }

  @Override
  public void listSales(ListSalesRequest request, StreamObserver<ListSalesResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          SaleSeries series = storeSeries(request.getSeries());
          CatalogMessages.checkSalesPage(request.getFrom(), request.getLimit());
          return readers.read(
              connection -> sales(connection, series, request.getFrom(), request.getLimit()));
        });
  }

  static ListSalesResponse sales(Connection connection, SaleSeries series, long from, int limit)
      throws SQLException {
    var response = ListSalesResponse.newBuilder();
    int bytes = 0;
    List<Sale> page = SaleStore.page(connection, series, from, limit);
    for (Sale sale : page) {
      var message = CatalogMessages.sale(sale);
      bytes += message.getSerializedSize();
      response.addSales(message);
      if (bytes > MAX_SALES_BYTES) {
        break;
      }
    }
    boolean isLastPage = !page.isEmpty() && page.size() < limit;
    return response
        .setNextNumber(
            isLastPage ? page.getLast().number() + 1 : SaleStore.nextNumber(connection, series))
        .build();
  }

  @Override
  public void listStockTrades(
      ListStockTradesRequest request, StreamObserver<ListStockTradesResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          int limit = CatalogMessages.limit(request.getLimit());
          Product found = catalog.find(ProductRef.of(request.getName(), 0));
          if (found == null) {
            throw productNotFound();
          }
          return readers.read(connection -> stockTrades(connection, found.id(), limit));
        });
  }

  private static ListStockTradesResponse stockTrades(Connection connection, long stock, int limit)
      throws SQLException {
    var response = ListStockTradesResponse.newBuilder();
    for (Sale sale : SaleStore.tradesOf(connection, stock, limit)) {
      for (Sale.SaleLine line : sale.lines()) {
        if (line.productId() == stock) {
          response.addTrades(CatalogMessages.stockTrade(sale, line));
        }
      }
    }
    return response.build();
  }

  private static SaleKind kind(toystore.common.v1.SaleKind kind) {
    return switch (kind) {
      case SALE_KIND_ORDER -> SaleKind.ORDER;
      case SALE_KIND_BUY -> SaleKind.BUY;
      case SALE_KIND_SELL -> SaleKind.SELL;
      case SALE_KIND_RETURN, SALE_KIND_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException(
              "kind must be SALE_KIND_ORDER, SALE_KIND_BUY or SALE_KIND_SELL, got " + kind);
    };
  }

  private static SaleSeries storeSeries(toystore.catalog.v1.Series series) {
    if (series != toystore.catalog.v1.Series.SERIES_STORE) {
      throw new IllegalArgumentException("series must be SERIES_STORE, got " + series);
    }
    return SaleSeries.STORE;
  }
}
