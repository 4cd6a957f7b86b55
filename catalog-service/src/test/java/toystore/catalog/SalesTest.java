package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ListStockTradesRequest;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.Series;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.storage.ReadPool;

/// Sales of a catalog service on a real file, as others read them.
class SalesTest {
  @TempDir Path folder;

  @Test
  void saleIsReadAsSoonAsItIsAnsweredAndAfterARestart() {
    toystore.catalog.v1.Sale sold;
    try (var catalog = new RunningCatalog(folder)) {
      long item = catalog.addItem(1, "Tux", 3, 1, "toy").getItemId();
      catalog.buy("purchase", item, 1);
      assertRefused(Code.NOT_FOUND, () -> catalog.sale(0)); // it is of another series
      catalog.trade();
      sold = catalog.sell().getSale();
      assertThat(catalog.sale(1)).isEqualTo(sold);
      assertRefused(Code.NOT_FOUND, () -> catalog.sale(2));
      assertRefused(Code.NOT_FOUND, () -> catalog.sale(-1));
    }
    try (var catalog = new RunningCatalog(folder)) {
      assertThat(catalog.sale(1)).isEqualTo(sold);
      assertThat(catalog.trade()).isEqualTo(2);
      assertThat(catalog.sale(0).getKind()).isEqualTo(SaleKind.SALE_KIND_BUY);
    }
  }

  @Test
  void adminCallsRequireToken() {
    try (var catalog = new RunningCatalog(folder)) {
      var remove = RemoveProductRequest.newBuilder().setName("Tux").build();
      assertRefused(
          Code.PERMISSION_DENIED, () -> catalog.adminAs("Bearer another").removeProduct(remove));
      assertRefused(
          Code.UNAUTHENTICATED, () -> catalog.adminAs(RunningCatalog.TOKEN).removeProduct(remove));
      for (MethodDescriptor<?, ?> method :
          CatalogAdminServiceGrpc.getServiceDescriptor().getMethods()) {
        assertRefused(Code.UNAUTHENTICATED, () -> catalog.call(method));
      }
      for (MethodDescriptor<?, ?> method : ItemServiceGrpc.getServiceDescriptor().getMethods()) {
        assertRefused(Code.UNAUTHENTICATED, () -> catalog.call(method));
      }
      assertThat(catalog.sell().getSale().getNumber()).isZero();
    }
  }

  @Test
  void latestTradesOfAStockAreFoundAfterARestart() {
    try (var catalog = new RunningCatalog(folder)) {
      catalog.trade();
      catalog.sell();
      catalog
          .store("two stocks")
          .sell(
              SellRequest.newBuilder()
                  .setSeries(Series.SERIES_STORE)
                  .setKind(SaleKind.SALE_KIND_SELL)
                  .setAsList(true)
                  .addLines(Line.newBuilder().setName("FishCo").setQuantity(2))
                  .addLines(Line.newBuilder().setName("GameStart").setQuantity(3))
                  .addLines(Line.newBuilder().setName("GameStart").setQuantity(4))
                  .build());
      assertThat(trades(catalog, "FishCo", 9)).containsExactly("2 SALE_KIND_SELL 2");
    }
    try (var catalog = new RunningCatalog(folder)) {
      catalog.trade();
      var latest = catalog.store().listStockTrades(request("GameStart", 1)).getTrades(0);
      assertThat(latest.getPriceCents()).isEqualTo(catalog.sale(3).getLines(0).getPriceCents());
      assertThat(latest.getTradedAt()).isEqualTo(catalog.sale(3).getSoldAt());
      assertThat(trades(catalog, "GameStart", 9))
          .containsExactly(
              "3 SALE_KIND_BUY 1", "2 SALE_KIND_SELL 3", "2 SALE_KIND_SELL 4", "0 SALE_KIND_BUY 1");
      assertThat(trades(catalog, "GameStart", 1)).containsExactly("3 SALE_KIND_BUY 1");
      assertThat(trades(catalog, "Tux", 9)).isEmpty();
      assertRefused(Code.NOT_FOUND, () -> trades(catalog, "Dodo", 9));
      assertRefused(Code.INVALID_ARGUMENT, () -> trades(catalog, "Tux", 201));
    }
  }

  private static List<String> trades(RunningCatalog catalog, String stock, int limit) {
    return catalog.store().listStockTrades(request(stock, limit)).getTradesList().stream()
        .map(it -> it.getNumber() + " " + it.getKind() + " " + it.getQuantity())
        .toList();
  }

  private static ListStockTradesRequest request(String stock, int limit) {
    return ListStockTradesRequest.newBuilder().setName(stock).setLimit(limit).build();
  }

  /// What is damaged is left out. The recent ones are replaced by later ones with the same place.
  @Test
  void onlyTheLastSalesAreRecent() {
    var published = new Catalog();
    for (long number = 0; number < 5_000; number++) {
      published.publish(sale(number));
    }
    assertThat(published.recentSale(4_999)).isEqualTo(sale(4_999));
    assertThat(published.recentSale(5_000 - 4_096)).isEqualTo(sale(5_000 - 4_096));
    assertThat(published.recentSale(5_000 - 4_097)).isNull();
    assertThat(published.recentSale(5_000)).isNull();
    assertThat(published.recentSale(-1)).isNull();
  }

  private static Sale sale(long number) {
    return new Sale(
        SaleSeries.STORE,
        number,
        "k",
        toystore.catalog.domain.SaleKind.ORDER,
        false,
        List.of(),
        Instant.ofEpochMilli(number));
  }

  @Test
  void customersReadsDelayNeitherTheListOfPurchasesNorTheAudit() {
    var blocked = new CompletableFuture<Long>();
    try (var catalog = new RunningCatalog(folder)) {
      var readers = catalog.service.getBean("readPool", ReadPool.class);
      for (int i = 0; i < 10; i++) {
        readers.read(_ -> blocked.join());
      }
      try {
        assertThat(catalog.purchases().getSalesCount()).isZero();
        assertThat(catalog.audit().getChecksList()).isNotEmpty().allMatch(AuditCheck::getOk);
        assertThat(readers.waiting()).isPositive();
      } finally {
        blocked.complete(0L);
      }
    }
  }

  private static StatusRuntimeException assertRefused(Code code, ThrowingCallable call) {
    var refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.getStatus().getCode()).as(refusal.getMessage()).isEqualTo(code);
    return refusal;
  }
}
