package toystore.frontend;

import static toystore.common.RootLocale.format;

import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.GetProductResponse;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.ListProductsResponse;
import toystore.catalog.v1.ListStockTradesRequest;
import toystore.catalog.v1.ListStockTradesResponse;
import toystore.catalog.v1.Product;
import toystore.catalog.v1.SearchProductsRequest;
import toystore.catalog.v1.SearchProductsResponse;
import toystore.catalog.v1.StockTrade;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// A fake catalog with a few toys in a synchronized map.
public final class FakeCatalogRpc extends CatalogServiceGrpc.CatalogServiceImplBase {
  private final TreeMap<String, Product> products = new TreeMap<>();
  private final List<StockTrade> trades = new ArrayList<>();
  private volatile BeforeList beforeList = () -> {};
  private final Map<String, RpcError> errors = new ConcurrentSkipListMap<>();

  synchronized void reset() {
    beforeList = () -> {};
    products.clear();
    errors.clear();
    trades.clear();
    put("Tux", 2599, 80, "");
    put("Whale", 1200, 94, "Sea");
    put("Elephant", 2950, 87, "Land");
    put("Schneemann ☃ Ж", 100, 5, "Winter");
    put("back\\slash;x", 1, 1, "");
  }

  public synchronized void put(String name, long priceCents, long quantity, String category) {
    products.put(
        name,
        Product.newBuilder()
            .setName(name)
            .setPriceCents(priceCents)
            .setQuantity(quantity)
            .setCategory(category)
            .build());
  }

  /// Makes a product a stock.
  public synchronized void makeStock(String name, long volume, long maxVolume, boolean suspended) {
    products.put(
        name,
        require(name).toBuilder()
            .setVolume(volume)
            .setMaxVolume(maxVolume)
            .setSuspended(suspended)
            .build());
  }

  public synchronized void putStock(String name, long priceCents, long quantity, long maxVolume) {
    put(name, priceCents, quantity, "Stocks");
    makeStock(name, 0, maxVolume, false);
  }

  /// What a call of `ListProducts` does before it answers.
  public interface BeforeList {
    void run() throws InterruptedException;
  }

  public void onList(BeforeList action) {
    beforeList = action;
  }

  /// Makes every call with this product name fail. The empty name stands for lists and order
  /// queries.
  public void failFor(String name, ErrorReason reason, String message) {
    errors.put(name, new RpcError(reason, message));
  }

  public void clearErrors() {
    errors.clear();
  }

  void throwIfFailing(String name) {
    RpcError error = errors.get(name);
    if (error != null) {
      throw error.toException();
    }
  }

  synchronized Product require(String name) {
    throwIfFailing(name);
    Product product = products.get(name);
    if (product == null) {
      throw new RpcError(ErrorReason.PRODUCT_NOT_FOUND, "product not found").toException();
    }
    return product;
  }

  /// @param cents 0: any
  synchronized void requirePrice(String name, long cents, ErrorReason otherwise) {
    long now = require(name).getPriceCents();
    if (cents != 0 && cents != now) {
      throw new RpcError(otherwise, format("\"%s\" costs %d cents, expected %d", name, now, cents))
          .toException();
    }
  }

  synchronized void requireSuspended(String name, long volume) {
    Product product = require(name);
    if (!product.getSuspended() || product.getVolume() != volume) {
      throw new RpcError(ErrorReason.PRODUCT_CHANGED, name + " is traded").toException();
    }
  }

  /// @param maxVolume 0: unchanged
  public synchronized Product resume(String name, long maxVolume) {
    var product = require(name).toBuilder().setSuspended(false);
    Product after =
        (maxVolume == 0 ? product.setVolume(0) : product.setMaxVolume(maxVolume)).build();
    products.put(name, after);
    return after;
  }

  synchronized boolean has(String name) {
    return products.containsKey(name);
  }

  synchronized Product add(String name, long units) {
    Product product = require(name);
    long quantity = product.getQuantity() + units;
    if (quantity < 0) {
      throw new RpcError(
              ErrorReason.OUT_OF_STOCK,
              format("%s: %d wanted, %d in stock", name, -units, product.getQuantity()))
          .toException();
    }
    Product changed = product.toBuilder().setQuantity(quantity).build();
    products.put(name, changed);
    return changed;
  }

  /// @param trade of the only stock that a test trades
  synchronized void addTrade(StockTrade trade) {
    trades.add(trade);
  }

  @Override
  public synchronized void listStockTrades(
      ListStockTradesRequest request, StreamObserver<ListStockTradesResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          throwIfFailing("trades");
          require(request.getName());
          return ListStockTradesResponse.newBuilder()
              .addAllTrades(trades.reversed().stream().limit(request.getLimit()).toList())
              .build();
        });
  }

  synchronized Product reprice(String name, long priceCents) {
    Product changed = require(name).toBuilder().setPriceCents(priceCents).build();
    products.put(name, changed);
    return changed;
  }

  synchronized Product remove(String name) {
    Product product = require(name);
    products.remove(name);
    return product;
  }

  @Override
  public void getProduct(
      GetProductRequest request, StreamObserver<GetProductResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> GetProductResponse.newBuilder().setProduct(require(request.getName())).build());
  }

  @Override
  public void listProducts(
      ListProductsRequest request, StreamObserver<ListProductsResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          waitBeforeList();
          List<Product> all =
              page(request.getAfter(), request.getCategory(), "").stream()
                  .filter(product -> !request.getStocksOnly() || product.hasMaxVolume())
                  .toList();
          var page = all.stream().skip(request.getSkip()).toList();
          var limited = page.subList(0, Math.min(page.size(), request.getLimit()));
          return ListProductsResponse.newBuilder()
              .addAllProducts(limited)
              .setNext(limited.size() < page.size() ? limited.getLast().getName() : "")
              .setTotal(request.getWithTotal() ? all.size() : 0)
              .build();
        });
  }

  @Override
  public void searchProducts(
      SearchProductsRequest request, StreamObserver<SearchProductsResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          var found = page(request.getAfter(), request.getCategory(), request.getQuery());
          return SearchProductsResponse.newBuilder()
              .addAllProducts(found.stream().skip(request.getSkip()).toList())
              .setTotal(request.getWithTotal() ? found.size() : 0)
              .build();
        });
  }

  private void waitBeforeList() {
    try {
      beforeList.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized List<Product> page(String after, String category, String words) {
    throwIfFailing("");
    return products.tailMap(after, after.isEmpty()).values().stream()
        .filter(product -> category.isEmpty() || product.getCategory().equals(category))
        .filter(product -> product.getName().startsWith(words))
        .toList();
  }
}
