package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static toystore.common.RootLocale.format;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeType;
import toystore.bazaar.v1.UpdateRequest;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.RestockRequest;
import toystore.catalog.v1.ResumeTradingRequest;
import toystore.catalog.v1.SearchProductsRequest;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.Series;
import toystore.catalog.v1.UpdateProductRequest;
import toystore.clients.RawClient;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Tries a seller's item and a purchase at every call of the store: nothing is found, and nothing
/// changes.
@SuppressWarnings("NullAway.Init") // started before all tests
class StoreDoorsTest {
  private static final String NAME = "Zzyzx 9";

  @TempDir static Path folder;
  private static RunningCatalog catalog;
  private static toystore.catalog.v1.Item item;

  @BeforeAll
  static void buyOneOfThree() {
    catalog = new RunningCatalog(folder);
    item = catalog.addItem(1, NAME, 3, 7, "zzyzx");
    catalog.buy("purchase", item.getItemId(), 1);
    item = read();
  }

  @AfterAll
  static void stop() {
    catalog.close();
  }

  @AfterEach
  void nothingChanged() {
    assertThat(read()).isEqualTo(item);
    assertThat(catalog.audit().getChecksList()).isNotEmpty().allMatch(AuditCheck::getOk);
  }

  private static toystore.catalog.v1.Item read() {
    long id = item.getItemId();
    return catalog.items().getItem(GetItemRequest.newBuilder().setItemId(id).build()).getItem();
  }

  @Test
  void queryDoesNotFindItem() {
    assertUnknown(
        () -> catalog.store().getProduct(GetProductRequest.newBuilder().setName(NAME).build()));
    assertUnknown(() ->
        catalog
            .store()
            .getProduct(GetProductRequest.newBuilder().setProductId(item.getItemId()).build()));
  }

  @Test
  void listsDoNotHaveItem() {
    for (var list :
        List.of(
            ListProductsRequest.newBuilder().setAfter("Zz").setWithTotal(true),
            ListProductsRequest.newBuilder().setCategory("7").setWithTotal(true),
            ListProductsRequest.newBuilder().setAfter("Zz").setStocksOnly(true))) {
      assertThat(catalog.store().listProducts(list.build()).getProductsList()).isEmpty();
    }
    var all = ListProductsRequest.newBuilder().setLimit(200).setWithTotal(true).build();
    assertThat(catalog.store().listProducts(all))
        .satisfies(it -> assertThat(it.getTotal()).isEqualTo(it.getProductsCount()))
        .satisfies(
            it -> assertThat(it.getProductsList()).noneMatch(one -> one.getName().equals(NAME)));
  }

  @Test
  void searchDoesNotFindItemByItsWords() {
    for (String words : List.of("Zzyzx", "zzyz", NAME, "7")) {
      var search = SearchProductsRequest.newBuilder().setQuery(words).setWithTotal(true).build();
      assertThat(catalog.store().searchProducts(search).getProductsList())
          .noneMatch(it -> it.getName().equals(NAME));
    }
  }

  @Test
  void itemIsNeitherSoldNorBoughtBackNorTraded() {
    for (SaleKind kind :
        List.of(SaleKind.SALE_KIND_ORDER, SaleKind.SALE_KIND_BUY, SaleKind.SALE_KIND_SELL)) {
      for (Line.Builder line : lines()) {
        assertUnknown(() -> sell(Series.SERIES_STORE, kind, line));
      }
    }
  }

  @Test
  void storeMakesNoReturnAndNoPurchase() {
    for (Line.Builder line : lines()) {
      assertInvalid(() -> sell(Series.SERIES_STORE, SaleKind.SALE_KIND_RETURN, line));
      for (SaleKind kind : SaleKind.values()) {
        if (kind != SaleKind.UNRECOGNIZED) {
          assertInvalid(() -> sell(Series.SERIES_PURCHASES, kind, line));
        }
      }
    }
  }

  @Test
  void purchaseIsNeitherFoundNorListed() {
    for (Series series : List.of(Series.SERIES_PURCHASES, Series.SERIES_UNSPECIFIED)) {
      assertInvalid(
          () -> catalog.store().getSale(GetSaleRequest.newBuilder().setSeries(series).build()));
      assertInvalid(() ->
          catalog
              .store()
              .listSales(ListSalesRequest.newBuilder().setSeries(series).setLimit(10).build()));
    }
    assertReason(
        ErrorReason.ORDER_NOT_FOUND,
        () ->
            catalog
                .store()
                .getSale(GetSaleRequest.newBuilder().setSeries(Series.SERIES_STORE).build()));
    assertThat(
            catalog
                .store()
                .listSales(
                    ListSalesRequest.newBuilder()
                        .setSeries(Series.SERIES_STORE)
                        .setLimit(10)
                        .build())
                .getNextNumber())
        .isZero();
  }

  @Test
  void administratorChangesNoItem() {
    var admin = catalog.admin();
    long id = item.getItemId();
    assertUnknown(
        () -> admin.removeProduct(RemoveProductRequest.newBuilder().setProductId(id).build()));
    assertUnknown(
        () -> admin.removeProduct(RemoveProductRequest.newBuilder().setName(NAME).build()));
    assertUnknown(() ->
        admin.updateProduct(
            UpdateProductRequest.newBuilder().setProductId(id).setPriceCents(1).build()));
    assertUnknown(() ->
        admin.updateProduct(
            UpdateProductRequest.newBuilder().setName(NAME).setPriceCents(1).build()));
    assertUnknown(() ->
        catalog
            .admin("restock by id")
            .restock(RestockRequest.newBuilder().setProductId(id).setQuantity(1).build()));
    assertUnknown(() ->
        catalog
            .admin("restock by name")
            .restock(RestockRequest.newBuilder().setName(NAME).setQuantity(1).build()));
    assertUnknown(() ->
        catalog
            .admin("resume by id")
            .resumeTrading(ResumeTradingRequest.newBuilder().setProductId(id).build()));
    assertUnknown(() ->
        catalog
            .admin("resume by name")
            .resumeTrading(ResumeTradingRequest.newBuilder().setName(NAME).build()));
  }

  @Test
  void nameOfItemIsFreeForTheShop() {
    var spec =
        toystore.catalog.v1.ProductSpec.newBuilder()
            .setName(NAME)
            .setPriceCents(100)
            .setQuantity(1)
            .build();
    var added =
        catalog
            .admin("add")
            .addProduct(AddProductRequest.newBuilder().setProduct(spec).build())
            .getProduct();
    assertThat(added.getProductId()).isNotEqualTo(item.getItemId());
    var changes =
        catalog
            .admin()
            .importProducts(
                ImportProductsRequest.newBuilder()
                    .setCsv(format("name,price,quantity\n%s,9.99,5\n", NAME))
                    .build())
            .getChangesList();
    assertThat(changes)
        .extracting(it -> it.getBefore().getProductId())
        .containsExactly(added.getProductId());
    catalog.admin().removeProduct(RemoveProductRequest.newBuilder().setName(NAME).build());
  }

  @Test
  void bazaarDoesNotKnowItem() throws IOException {
    var bazaar = catalog.bazaar();
    assertThat(bazaar.lookup(LookupRequest.newBuilder().setName(NAME).build()).getPrice())
        .isEqualTo(-1);
    for (TradeType type : List.of(TradeType.BUY, TradeType.SELL)) {
      var trade = TradeRequest.newBuilder().setName(NAME).setQuantity(1).setType(type).build();
      assertThat(bazaar.trade(trade).getResult()).isEqualTo(-1);
    }
    assertThat(
            bazaar.update(UpdateRequest.newBuilder().setName(NAME).setPrice(1).build()).getResult())
        .isEqualTo(-1);
    String lookups =
        format("Lookup,%s\nLookup,%d\nLookup,/%d\n", NAME, item.getItemId(), item.getItemId());
    assertThat(RawClient.exchangeAll(catalog.linePort(), lookups).lines())
        .containsExactly("-1", "-1", "-1");
  }

  private static List<Line.Builder> lines() {
    return List.of(
        Line.newBuilder().setName(NAME), Line.newBuilder().setProductId(item.getItemId()));
  }

  private static void sell(Series series, SaleKind kind, Line.Builder line) {
    var request =
        SellRequest.newBuilder()
            .setSeries(series)
            .setKind(kind)
            .addLines(line.setQuantity(1))
            .build();
    String key = series + " " + kind + " " + line.getName();
    assertThat(catalog.store(key).sell(request)).isNull();
  }

  private static void assertUnknown(ThrowingCallable call) {
    assertReason(ErrorReason.PRODUCT_NOT_FOUND, call);
  }

  private static void assertInvalid(ThrowingCallable call) {
    assertReason(ErrorReason.INVALID, call);
  }

  private static void assertReason(ErrorReason reason, ThrowingCallable call) {
    var failure = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(failure).isNotNull();
    assertThat(RpcError.of(failure).reason()).isEqualTo(reason);
  }
}
