package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeType;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CompareOrderBookRequest;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.Series;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditResponse;
import toystore.common.v1.AuditServiceGrpc;
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.ReadPool;

/// Tests a catalog service on a real file. Whether it sells depends on its comparison with an order
/// book.
@Timeout(60)
class OrderBookTest {
  private static final Series STORE = Series.SERIES_STORE;
  private static final String TOKEN = "the-administrators";

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
      assertRefused(Code.UNAUTHENTICATED, () -> catalog.compareAs(TOKEN, 9, "no"));
      for (MethodDescriptor<?, ?> method :
          CatalogAdminServiceGrpc.getServiceDescriptor().getMethods()) {
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

  private static final class RunningCatalog implements AutoCloseable {
    private final String name = InProcessServerBuilder.generateName();
    private final ConfigurableApplicationContext service;
    private final ManagedChannel channel = InProcessChannelBuilder.forName(name).build();

    RunningCatalog(Path folder) {
      service =
          ServiceProcess.startBeside(
              CatalogApplication.class,
              CatalogApplication.NAME,
              CatalogApplication.SETTINGS,
              List.of(
                  "--toystore.data=" + folder,
                  "--toystore.admin-token=" + TOKEN,
                  "--toystore.catalog.port=0",
                  "--spring.grpc.server.inprocess.name=" + name),
              false);
    }

    /// @return the transaction's number
    long trade() {
      return StockBazaarGrpc.newBlockingStub(channel)
          .trade(
              TradeRequest.newBuilder()
                  .setName("GameStart")
                  .setQuantity(1)
                  .setType(TradeType.BUY)
                  .build())
          .getTransactionNumber();
    }

    SellResponse sell() {
      return CatalogServiceGrpc.newBlockingStub(channel)
          .sell(
              SellRequest.newBuilder()
                  .setKey(IdempotencyKey.newBuilder().setScope("s").setValue("k"))
                  .setSeries(STORE)
                  .setKind(SaleKind.SALE_KIND_ORDER)
                  .addLines(Line.newBuilder().setName("Tux").setQuantity(1))
                  .build());
    }

    void list(long from, String keyBefore) {
      CatalogServiceGrpc.newBlockingStub(channel)
          .listSales(
              ListSalesRequest.newBuilder()
                  .setSeries(STORE)
                  .setFrom(from)
                  .setKeyBefore(keyBefore)
                  .setLimit(10)
                  .build());
    }

    AuditResponse audit() {
      return AuditServiceGrpc.newBlockingStub(channel).audit(AuditRequest.getDefaultInstance());
    }

    void compare(long next, String lastKey) {
      compareAs("Bearer " + TOKEN, next, lastKey);
    }

    void compareAs(String authorization, long next, String lastKey) {
      var headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
      CatalogAdminServiceGrpc.newBlockingStub(channel)
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
          .compareOrderBook(
              CompareOrderBookRequest.newBuilder()
                  .setSeries(STORE)
                  .setNextNumber(next)
                  .setLastKey(lastKey)
                  .build());
    }

    /// Calls a method without a token and with an empty request.
    <Q, A> A call(MethodDescriptor<Q, A> method) {
      Q nothing = method.parseRequest(InputStream.nullInputStream());
      return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, nothing);
    }

    String keyOf(long number) {
      return CatalogServiceGrpc.newBlockingStub(channel)
          .getSale(GetSaleRequest.newBuilder().setSeries(STORE).setNumber(number).build())
          .getSale()
          .getKey();
    }

    @Override
    public void close() {
      channel.shutdownNow();
      service.close();
    }
  }
}
