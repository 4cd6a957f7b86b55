package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.Series;
import toystore.common.v1.AuditCheck;
import toystore.platform.storage.ReadPool;

/// Tests a catalog service on a real file. Whether it sells depends on its comparison with an order
/// book.
@Timeout(60)
class OrderBookTest {
  @TempDir Path folder;

  @Test
  void catalogThatWasNeverComparedSellsImmediately() {
    try (var catalog = new RunningCatalog(folder)) {
      assertThat(catalog.trade()).isZero();
    }
    try (var catalog = new RunningCatalog(folder)) {
      assertThat(catalog.trade()).isEqualTo(1);
    }
  }

  @Test
  void listFromUnknownPositionChangesNothing() {
    try (var catalog = new RunningCatalog(folder)) {
      catalog.trade();
      assertRefused(Code.FAILED_PRECONDITION, () -> catalog.list(1, "nobody's"));
      assertThat(catalog.trade()).isEqualTo(1);

      assertRefused(Code.FAILED_PRECONDITION, () -> catalog.compare(1, "nobody's"));
      catalog.list(1, catalog.keyOf(0));
      assertThat(assertRefused(Code.FAILED_PRECONDITION, catalog::trade))
          .as("the keys are not the caller's")
          .hasMessageEndingWith(
              "order book and catalog do not match; nothing is sold until an operator resolves this");
    }
  }

  @Test
  void restartedCatalogSellsOnlyAfterComparison() {
    String key;
    try (var catalog = new RunningCatalog(folder)) {
      catalog.compare(0, "");
      assertThat(catalog.trade()).isZero();
      key = catalog.keyOf(0);
    }
    try (var catalog = new RunningCatalog(folder)) {
      assertRefused(Code.UNAVAILABLE, catalog::trade);
      assertRefused(Code.UNAVAILABLE, catalog::sell);
      catalog.list(1, key);
      assertRefused(Code.UNAVAILABLE, catalog::trade);

      catalog.compare(1, key);
      assertThat(catalog.trade()).isEqualTo(1);
      assertThat(catalog.sell().getSale().getNumber()).isEqualTo(2);
    }
  }

  @Test
  void catalogBehindOrderBookSellsNothingUntilComparedWithItsOwnBook() {
    try (var catalog = new RunningCatalog(folder)) {
      catalog.compare(0, "");
      catalog.trade();
    }
    try (var catalog = new RunningCatalog(folder)) {
      var refusal = assertRefused(Code.FAILED_PRECONDITION, () -> catalog.compare(3, "of sale 2"));
      assertRefused(Code.FAILED_PRECONDITION, catalog::trade);
      assertThat(refusal)
          .hasMessageContaining("the order book ends with sale 2, key \"of sale 2\"")
          .hasMessageContaining("the catalog ends with sale 0, key ");
      assertRefused(Code.FAILED_PRECONDITION, catalog::sell);

      catalog.compare(1, catalog.keyOf(0));
      assertThat(catalog.trade()).isEqualTo(1);
    }
  }

  @Test
  void purchasesNeedTheirOwnComparison() {
    String key;
    try (var catalog = new RunningCatalog(folder)) {
      catalog.compare(0, "");
      catalog.compare(Series.SERIES_PURCHASES, 0, "");
      long item = catalog.addItem(1, "Tux", 3, 1, "toy").getItemId();
      key = catalog.buy("k", item, 1).getKey();
    }
    try (var catalog = new RunningCatalog(folder)) {
      catalog.compare(0, "");
      assertThat(catalog.trade()).isZero();
      assertRefused(Code.UNAVAILABLE, () -> catalog.buy("l", 200, 1));
      assertRefused(Code.UNAVAILABLE, () -> catalog.giveBack("r", 0));
      assertRefused(
          Code.FAILED_PRECONDITION, () -> catalog.compare(Series.SERIES_PURCHASES, 1, "nobody's"));
      assertRefused(Code.FAILED_PRECONDITION, () -> catalog.giveBack("r", 0));

      catalog.compare(Series.SERIES_PURCHASES, 1, key);
      assertThat(catalog.giveBack("r", 0).getNumber()).isEqualTo(1);
    }
  }

  @Test
  void customersReadsDelayNeitherReplicationNorAudit() {
    var blocked = new CompletableFuture<Long>();
    try (var catalog = new RunningCatalog(folder)) {
      catalog.trade();
      String key = catalog.keyOf(0);
      var readers = catalog.service.getBean("readPool", ReadPool.class);
      for (int i = 0; i < 10; i++) {
        readers.read(_ -> blocked.join());
      }
      try {
        catalog.compare(1, key);
        catalog.list(1, key);
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
      assertRefused(Code.PERMISSION_DENIED, () -> catalog.compareAs("Bearer another", 9, "no"));
      assertRefused(Code.UNAUTHENTICATED, () -> catalog.compareAs(RunningCatalog.TOKEN, 9, "no"));
      for (MethodDescriptor<?, ?> method :
          CatalogAdminServiceGrpc.getServiceDescriptor().getMethods()) {
        assertRefused(Code.UNAUTHENTICATED, () -> catalog.call(method));
      }
      for (MethodDescriptor<?, ?> method : ItemServiceGrpc.getServiceDescriptor().getMethods()) {
        assertRefused(Code.UNAUTHENTICATED, () -> catalog.call(method));
      }
      assertThat(catalog.trade()).isZero();
    }
  }

  private static StatusRuntimeException assertRefused(Code code, ThrowingCallable call) {
    var refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.getStatus().getCode()).as(refusal.getMessage()).isEqualTo(code);
    return refusal;
  }
}
