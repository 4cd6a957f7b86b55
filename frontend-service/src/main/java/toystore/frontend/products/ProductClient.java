package toystore.frontend.products;

import com.google.protobuf.util.Timestamps;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc.CatalogServiceBlockingStub;
import toystore.catalog.v1.CatalogServiceGrpc.CatalogServiceStub;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.GetProductResponse;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ListChangesRequest;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.ListStockTradesRequest;
import toystore.catalog.v1.ProductChange;
import toystore.catalog.v1.ProductSpec;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.RestockRequest;
import toystore.catalog.v1.ResumeTradingRequest;
import toystore.catalog.v1.SearchProductsRequest;
import toystore.catalog.v1.UpdateProductRequest;
import toystore.common.v1.SaleKind;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.ProductNameValidator;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.http.request.ClientAddress;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.CallOrigin;
import toystore.platform.service.PeerChannel;

/// gRPC client of the catalog. Each call but an import has the channel's deadline. An invalid
/// product name is answered with 404 without a call. Any thread.
///
/// Single products come from the [ProductCache] if it has them; pages always come from the catalog.
@Component
public final class ProductClient {
  private static final Duration IMPORT_DEADLINE = Duration.ofSeconds(10);

  private final CatalogServiceBlockingStub catalog;
  private final CatalogServiceStub queries;
  private final CatalogAdminServiceBlockingStub admin;
  private final PeerCalls calls;
  private final ProductCache cache;

  ProductClient(PeerChannel catalogChannel, AdministratorToken token, ProductCache cache) {
    this.catalog = CatalogServiceGrpc.newBlockingStub(catalogChannel.channel());
    this.queries = CatalogServiceGrpc.newStub(catalogChannel.channel());
    this.admin =
        CatalogAdminServiceGrpc.newBlockingStub(catalogChannel.channel())
            .withInterceptors(token.clientInterceptor(), CallOrigin.named(ProductClient::origin));
    this.calls = new PeerCalls(catalogChannel);
    this.cache = cache;
  }

  public Optional<ProductView> find(String name) {
    return find(name, false);
  }

  /// Like [#find(String)], but also empty if the catalog is unavailable.
  public Optional<ProductView> findIfAvailable(String name) {
    try {
      return find(name);
    } catch (ApiException e) {
      return Optional.empty();
    }
  }

  /// @throws ApiException 404 if the product is unknown or not a stock
  public ProductView findStock(String name) {
    return findStock(name, false);
  }

  ProductView findStock(String name, boolean fresh) {
    return find(name, fresh)
        .filter(it -> it.maxVolume() != null)
        .orElseThrow(() -> ApiException.of(ErrorReason.STOCK_NOT_FOUND, "stock not found"));
  }

  /// @param fresh whether it must come from the catalog
  Optional<ProductView> find(String name, boolean fresh) {
    if (!ProductNameValidator.isValid(name)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          calls.read(() -> UnaryFutures.awaitCall(cache.find(name, fresh, () -> read(name)))));
    } catch (ApiException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private CompletionStage<ProductView> read(String name) {
    var request = GetProductRequest.newBuilder().setName(name).build();
    return UnaryFutures.<GetProductResponse>call(answer -> queries.getProduct(request, answer))
        .thenApply(it -> product(it.getProduct()));
  }

  /// A page of products.
  ///
  /// @param total number of products of all pages; 0 unless it was asked for
  public record FoundProducts(PagedResponse<ProductView> page, long total) {}

  /// Lists or searches products from the page after the product `after`.
  ///
  /// @param words search words; each must be a word, or the start of a word, of the name or
  ///   category; blank: all products
  public PagedResponse<ProductView> list(String words, String category, String after, int limit) {
    return find(words, category, after, 0, limit, false).page();
  }

  /// Like [#list], but skips the products on the pages before, and counts all.
  public FoundProducts find(String words, String category, int skip, int limit) {
    return find(words, category, "", skip, limit, true);
  }

  private FoundProducts find(
      String words, String category, String after, int skip, int limit, boolean withTotal) {
    if (words.isBlank()) {
      return list(
          ListProductsRequest.newBuilder()
              .setCategory(category)
              .setAfter(after)
              .setSkip(skip)
              .setLimit(limit)
              .setWithTotal(withTotal));
    }
    var request =
        SearchProductsRequest.newBuilder()
            .setQuery(words)
            .setCategory(category)
            .setAfter(after)
            .setSkip(skip)
            .setLimit(limit)
            .setWithTotal(withTotal)
            .build();
    var found = calls.read(() -> catalog.searchProducts(request));
    return found(found.getProductsList(), found.getNext(), found.getTotal());
  }

  public PagedResponse<ProductView> listStocks(String after, int limit) {
    return list(ListProductsRequest.newBuilder()
            .setStocksOnly(true)
            .setAfter(after)
            .setLimit(limit))
        .page();
  }

  /// A trade of a stock.
  ///
  /// @param type `bought` or `sold`
  /// @param price of one unit
  /// @param time in RFC 3339 format
  public record StockTradeView(
      long number, String type, long quantity, BigDecimal price, String time) {}

  /// Returns the latest trades of a stock, the latest first.
  public List<StockTradeView> stockTrades(String name, int limit) {
    var request =
        ListStockTradesRequest.newBuilder().setName(requireValid(name)).setLimit(limit).build();
    return calls.read(() -> catalog.listStockTrades(request)).getTradesList().stream()
        .map(it ->
            new StockTradeView(
                it.getNumber(),
                it.getKind() == SaleKind.SALE_KIND_BUY ? "bought" : "sold",
                it.getQuantity(),
                DecimalAmounts.ofCents(it.getPriceCents()),
                Timestamps.toString(it.getTradedAt())))
        .toList();
  }

  private FoundProducts list(ListProductsRequest.Builder request) {
    var found = calls.read(() -> catalog.listProducts(request.build()));
    return found(found.getProductsList(), found.getNext(), found.getTotal());
  }

  public ProductView add(IdempotencyKey key, NewProduct product) {
    var spec =
        ProductSpec.newBuilder()
            .setName(product.name())
            .setPriceCents(DecimalAmounts.toCents(product.price()))
            .setQuantity(product.quantity())
            .setCategory(product.category());
    var request = AddProductRequest.newBuilder().setProduct(spec).build();
    var added =
        change(
            product.name(),
            () -> calls.write(key.in("/products"), admin, it -> it.addProduct(request)));
    return product(added.getProduct());
  }

  /// Removes a product and returns its last state.
  public ProductView remove(String name) {
    var request = RemoveProductRequest.newBuilder().setName(requireValid(name)).build();
    var removed = change(name, () -> calls.write(admin, it -> it.removeProduct(request)));
    return product(removed.getProduct());
  }

  public ProductView reprice(String name, Repricing change) {
    var request =
        UpdateProductRequest.newBuilder().setName(requireValid(name)).setPriceCents(change.cents());
    if (change.expectedCents() != null) {
      request.setExpectedPriceCents(change.expectedCents());
    }
    var updated = change(name, () -> calls.write(admin, it -> it.updateProduct(request.build())));
    return product(updated.getProduct());
  }

  /// @param quantity units to add
  public ProductView restock(IdempotencyKey key, String name, int quantity) {
    var request =
        RestockRequest.newBuilder().setName(requireValid(name)).setQuantity(quantity).build();
    RequestKey scoped = key.in("/products/" + name + "/restock");
    var restocked = change(name, () -> calls.write(scoped, admin, it -> it.restock(request)));
    return product(restocked.getProduct());
  }

  /// Resumes suspended trading.
  ///
  /// @param maxVolume the new maximum volume; null: the maximum stays, and the volume is reset to 0
  /// @param expectedVolume volume at which the caller saw it suspended; null: not compared
  public ProductView resume(
      IdempotencyKey key, String name, @Nullable Long maxVolume, @Nullable Long expectedVolume) {
    var request = ResumeTradingRequest.newBuilder().setName(requireValid(name));
    if (maxVolume != null) {
      request.setMaxVolume(maxVolume);
    }
    if (expectedVolume != null) {
      request.setExpectedVolume(expectedVolume);
    }
    RequestKey scoped = key.in("/stocks/" + name + "/resume");
    var resumed =
        change(name, () -> calls.write(scoped, admin, it -> it.resumeTrading(request.build())));
    return product(resumed.getProduct());
  }

  /// @param differences in words, such as `price 12.00 → 13.00`
  public record ProductChangeView(String name, String differences) {}

  /// What an import would change.
  ///
  /// @param csv see `ImportProductsRequest`
  public List<ProductChangeView> previewImport(String csv) {
    return calls
        .readFirst(() ->
            admin
                .withDeadlineAfter(IMPORT_DEADLINE)
                .importProducts(
                    ImportProductsRequest.newBuilder().setCsv(csv).setDryRun(true).build()))
        .getChangesList()
        .stream()
        .map(ProductClient::change)
        .toList();
  }

  /// @param seen all differences that a preview has shown
  public void importProducts(String csv, List<ProductChangeView> seen) {
    var request = ImportProductsRequest.newBuilder().setCsv(csv);
    for (ProductChangeView it : seen) {
      request.addSeenBuilder().setName(it.name()).setDifferences(it.differences());
    }
    cache.change(
        seen.stream().map(ProductChangeView::name).toList(),
        () ->
            calls.write(
                admin.withDeadlineAfter(IMPORT_DEADLINE),
                it -> it.importProducts(request.build())));
  }

  /// A recorded change of a product, or automatic restocks that follow each other.
  ///
  /// @param time in RFC 3339 format
  /// @param by who made it, and from where
  /// @param restocks the number of restocks, of which this is the latest; 0: another change
  /// @param firstTime time of the first restock
  public record RecordedChangeView(
      long number,
      String time,
      String by,
      ProductChangeView change,
      int restocks,
      String firstTime) {}

  /// Returns the recorded changes of products, the newest first.
  ///
  /// @param before only changes before this number; 0: from the newest
  /// @param product part of the product's name; empty: all
  /// @param by part of who made the change; empty: all
  public PagedResponse<RecordedChangeView> changes(
      long before, String product, String by, int limit) {
    var request =
        ListChangesRequest.newBuilder()
            .setBefore(before)
            .setProduct(product)
            .setChangedBy(by)
            .setFoldRestocks(true)
            .setLimit(limit)
            .build();
    var page = calls.read(() -> admin.listChanges(request));
    return new PagedResponse<>(
        page.getChangesList().stream()
            .map(it ->
                new RecordedChangeView(
                    it.getNumber(),
                    Timestamps.toString(it.getChangedAt()),
                    it.getChangedBy(),
                    change(it.getChange()),
                    it.getRestocks(),
                    Timestamps.toString(it.getFirstChangedAt())))
            .toList(),
        page.getNext() == 0 ? null : page.getNext());
  }

  private static ProductChangeView change(ProductChange change) {
    var product = change.hasAfter() ? change.getAfter() : change.getBefore();
    return new ProductChangeView(product.getName(), change.getDifferences());
  }

  /// Names the client of the current request, for the list of changes.
  private static String origin() {
    var request =
        ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getRequest();
    String address = ClientAddress.of(request).value();
    if (!request.getServletPath().startsWith("/admin/")) {
      return "REST " + address;
    }
    String name = request.getRemoteUser(); // of the session
    return (name == null || name.isEmpty() ? "page " : name + ", page ") + address;
  }

  private <T> T change(String name, Supplier<T> call) {
    return cache.change(List.of(name), call);
  }

  private static String requireValid(String name) {
    if (!ProductNameValidator.isValid(name)) {
      throw ApiException.productNotFound();
    }
    return name;
  }

  private static FoundProducts found(
      List<toystore.catalog.v1.Product> products, String next, long total) {
    var views = products.stream().map(ProductClient::product).toList();
    return new FoundProducts(new PagedResponse<>(views, emptyToNull(next)), total);
  }

  private static ProductView product(toystore.catalog.v1.Product product) {
    boolean traded = product.hasMaxVolume() || product.getVolume() > 0 || product.getSuspended();
    return new ProductView(
        product.getName(),
        DecimalAmounts.ofCents(product.getPriceCents()),
        product.getQuantity(),
        emptyToNull(product.getCategory()),
        traded ? product.getVolume() : null,
        product.hasMaxVolume() ? (Long) product.getMaxVolume() : null,
        traded ? product.getSuspended() : null);
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
