package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.domain.RecentSales;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.SaleKind;
import toystore.platform.storage.MigrationDataSource;
import toystore.platform.storage.ReadPool;

/// Sales of a catalog service on a real file, as others read them.
@Timeout(60)
class SalesTest {
  @TempDir Path folder;

  @Test
  void saleIsReadAsSoonAsItIsAnsweredAndAfterARestart() {
    toystore.catalog.v1.Sale sold;
    try (var catalog = new RunningCatalog(folder)) {
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
  void saleOfAnotherSeriesIsNotAmongTheRecentOnes() {
    try (var catalog = new RunningCatalog(folder)) {
      long item = catalog.addItem(1, "Tux", 3, 1, "toy").getItemId();
      catalog.buy("k", item, 1);
      assertRefused(Code.NOT_FOUND, () -> catalog.sale(0));
      catalog.trade();
      assertThat(catalog.sale(0).getLines(0).getName()).isEqualTo("GameStart");
    }
  }

  /// The recent ones are replaced by later ones with the same place.
  @Test
  void onlyTheLastSalesAreRecent() {
    var recent = new RecentSales();
    for (long number = 0; number < 5_000; number++) {
      recent.publish(sale(number));
    }
    assertThat(recent.find(4_999)).isEqualTo(sale(4_999));
    assertThat(recent.find(5_000 - 4_096)).isEqualTo(sale(5_000 - 4_096));
    assertThat(recent.find(5_000 - 4_097)).isNull();
    assertThat(recent.find(5_000)).isNull();
    assertThat(recent.find(-1)).isNull();
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
  void catalogOfAVersionWithOrderBooksSellsAtOnce() throws Exception {
    Path path = folder.resolve("catalog/catalog.db");
    Files.createDirectories(path.getParent());
    Flyway.configure()
        .dataSource(new MigrationDataSource(path))
        .locations("classpath:db/file", "classpath:db/catalog")
        .target("6")
        .load()
        .migrate();
    try (var connection = new MigrationDataSource(path).getConnection();
        var statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO order_book VALUES (1, 7), (2, 7)");
    }
    try (var catalog = new RunningCatalog(folder)) {
      assertThat(catalog.trade()).isZero();
      assertThat(catalog.purchases().getNextNumber()).isZero();
      assertThat(catalog.audit().getChecksList()).allMatch(AuditCheck::getOk);
    }
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

  private static StatusRuntimeException assertRefused(Code code, ThrowingCallable call) {
    var refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.getStatus().getCode()).as(refusal.getMessage()).isEqualTo(code);
    return refusal;
  }
}
