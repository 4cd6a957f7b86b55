package toystore.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static toystore.order.Order.Series.PURCHASES;
import static toystore.order.Order.Series.STORE;
import static toystore.testkit.Conditions.await;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.catalog.v1.Series;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.ListOrdersResponse;
import toystore.order.v1.Order;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.ReadPool;

/// Tests the real order service on a real database file, with a fake catalog behind a real stub.
@Timeout(60)
class OrderServiceTest {
  private final String catalogName = InProcessServerBuilder.generateName();
  private final String orderName = InProcessServerBuilder.generateName();
  private final FakeSalesRpc catalog = new FakeSalesRpc();
  private final ManagedChannel channel = InProcessChannelBuilder.forName(orderName).build();
  private final OrderServiceGrpc.OrderServiceBlockingStub orders =
      OrderServiceGrpc.newBlockingStub(channel);
  private final Server server =
      InProcessServerBuilder.forName(catalogName)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .addService(catalog)
          .addService(catalog.new Purchases())
          .addService(catalog.new Admin())
          .build();

  @TempDir Path folder;

  @BeforeEach
  void startCatalog() throws IOException {
    server.start();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void bookCatchesUpWithSalesMadeWhileTheServiceWasDown() {
    sell(1_234);
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      assertThat(service.getBean(BookBatchStore.class).position(STORE))
          .isEqualTo(new Checkpoint(1_234, "key-1233"));
      sell(10);
    }
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      assertThat(service.getBean(BookBatchStore.class).position(STORE))
          .isEqualTo(new Checkpoint(1_244, "key-1243"));
      assertThat(audit()).isEqualTo(check(true, "equals the catalog's sales up to 1244"));
    }
  }

  @Test
  void getOrderFindsAnOrderThatIsNotYetInTheBook() {
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      sell(1);
      assertThatCode(() -> get(0))
          .as("order number returned to a client is found")
          .doesNotThrowAnyException();
      assertThat(get(0).getLines(0).getName()).isEqualTo("Tux");
      assertThat(error(() -> get(1)))
          .isEqualTo(new RpcError(FakeSalesRpc.ORDER_NOT_FOUND, "order not found"));
      assertThat(error(() -> get(-1)).reason()).isEqualTo(FakeSalesRpc.ORDER_NOT_FOUND);
    }
  }

  @Test
  void listOrdersIncludesOrdersThatAreNotYetInTheBook() {
    sell(150);
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      sell(150);
      assertThat(numbers(list(100, 200))).containsExactlyElementsOf(range(101, 300));
      assertThat(list(100, 198).getNext()).isEqualTo(298);
      assertThat(list(100, 199).hasNext()).isFalse();
      assertThat(list(Long.MAX_VALUE, 10).getOrdersCount()).isZero();
      assertThat(error(() -> list(0, 201)).reason()).isEqualTo(ErrorReason.INVALID);
    }
  }

  @Test
  void placedOrderIsFoundAtOnceAndIsReplicatedToTheBook() {
    try (var service = start()) {
      await(() -> replicator(service).isCompared());
      assertThat(orders.placeOrder(order("a", "Tux")).getNumber()).isZero();
      assertThat(get(0).getLines(0).getQuantity()).isEqualTo(1);
      await(() ->
          service.getBean(BookBatchStore.class).position(STORE).equals(new Checkpoint(1, "a")));
    }
  }

  @Test
  void placeOrderReturnsTheRefusalOfTheCatalogUnchanged() {
    try (var service = start()) {
      await(() -> replicator(service).isCompared());
      assertThat(error(() -> orders.placeOrder(order("a", "Yeti"))))
          .isEqualTo(new RpcError(FakeSalesRpc.OUT_OF_STOCK, "no Yeti left", true));
      assertThat(error(() -> orders.placeOrder(PlaceOrderRequest.getDefaultInstance())).reason())
          .isEqualTo(ErrorReason.INVALID);
    }
  }

  /// A refusal is not stored for a key that the frontend generated, so a retry might be sold.
  @Test
  void placeOrderRetriesOnlyRequestsWithAClientMadeKey() {
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      catalog.failsSales = true;
      PlaceOrderRequest made = order("a", "Tux");
      assertThat(error(() -> orders.placeOrder(made)).reason())
          .isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
      assertThat(catalog.sellCalls).as("sent for a key that the frontend made").hasValue(1);

      var own = made.toBuilder();
      own.getKeyBuilder().setClientMade(true);
      assertThat(error(() -> orders.placeOrder(own.build())).reason())
          .isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
      assertThat(catalog.sellCalls).hasValueGreaterThan(2);
    }
  }

  @Test
  void placeOrderIsRefusedWhileBookAndCatalogDoNotMatch() {
    sell(3);
    try (var service = start()) {
      await(() -> replicator(service).isReady());
    }
    catalog.sales.set(2, FakeSalesRpc.sale(2, "another", "Tux", 1));
    try (var service = start()) {
      await(() -> replicator(service).mismatch() != null);
      assertThat(error(() -> orders.placeOrder(order("a", "Tux"))))
          .isEqualTo(
              new RpcError(
                  SalesClient.BOOK_MISMATCH,
                  "order book and catalog do not match; nothing is sold until an operator resolves this"));
      assertThat(replicator(service).isReady()).isFalse();
      assertThat(catalog.sales).hasSize(3);
      assertThat(get(1).getLines(0).getName()).isEqualTo("Tux");
      assertThat(numbers(list(0, 10))).containsExactly(1L, 2L);
    }
  }

  @Test
  void placeOrderIsRefusedUntilTheBookIsComparedWithTheCatalog() {
    catalog.replicationAvailable = false;
    try (var service = start()) {
      assertThat(error(() -> orders.placeOrder(order("a", "Tux")))).isEqualTo(notYetCompared());
      assertThat(catalog.sales).isEmpty();
      catalog.replicationAvailable = true;
      await(() -> replicator(service).isCompared());
      assertThat(orders.placeOrder(order("a", "Tux")).getNumber()).isZero();
    }
  }

  @Test
  void placeOrderIsRefusedUntilAReturnedCatalogIsComparedAgain() {
    sell(3);
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      catalog.replicationAvailable = false;
      await(() -> !replicator(service).isCompared());
      assertThat(error(() -> orders.placeOrder(order("a", "Tux")))).isEqualTo(notYetCompared());
      catalog.sales.subList(1, 3).clear();
      catalog.replicationAvailable = true;
      await(() -> replicator(service).isCompared());
      assertThat(error(() -> orders.placeOrder(order("a", "Tux"))).reason())
          .isEqualTo(SalesClient.BOOK_MISMATCH);
      assertThat(catalog.sales).hasSize(1);
    }
  }

  private static RpcError notYetCompared() {
    return new RpcError(
        ErrorReason.NOT_DONE,
        "the order service is still comparing its book with the catalog; the order was not placed; retry later");
  }

  @Test
  void purchasesHaveTheirOwnNumbersAndAreNotListedAsOrders() {
    sell(2);
    catalog.purchases.add(
        FakeSalesRpc.sale(0, "bought", "Tux", 1).toBuilder()
            .setSeries(Series.SERIES_PURCHASES)
            .build());
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      var book = service.getBean(BookBatchStore.class);
      assertThat(book.position(STORE)).isEqualTo(new Checkpoint(2, "key-1"));
      assertThat(book.position(PURCHASES)).isEqualTo(new Checkpoint(1, "bought"));
      assertThat(numbers(list(-1, 10))).containsExactly(0L, 1L);
      assertThat(get(0).getLines(0).getProductId()).isEqualTo(7);
      assertThat(audit())
          .isEqualTo(
              check(true, "equals the catalog's sales up to 2 and 1 of the series PURCHASES"));
      catalog.purchases.set(0, FakeSalesRpc.sale(0, "bought", "Tux", 2));
      assertThat(audit())
          .isEqualTo(
              check(false, "order 0 of the series PURCHASES differs from the catalog's sale"));
    }
  }

  @Test
  void auditNamesTheFirstOrderThatDiffersFromTheCatalog() {
    sell(250);
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      assertThat(audit()).isEqualTo(check(true, "equals the catalog's sales up to 250"));
      catalog.sales.set(120, FakeSalesRpc.sale(120, "key-120", "Tux", 2));
      assertThat(audit()).isEqualTo(check(false, "order 120 differs from the catalog's sale"));
    }
  }

  @Test
  void customersReadsDoNotDelayTheAudit() {
    sell(3);
    var blocked = new CompletableFuture<Long>();
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      var readers = service.getBean("readPool", ReadPool.class);
      for (int i = 0; i < 10; i++) {
        readers.read(_ -> blocked.join());
      }
      try {
        assertThat(audit()).isEqualTo(check(true, "equals the catalog's sales up to 3"));
        assertThat(readers.waiting()).isPositive();
      } finally {
        blocked.complete(0L);
      }
    }
  }

  @Test
  void auditReportsWhyItCouldNotRunWhileTheCatalogIsDown() {
    sell(1);
    try (var service = start()) {
      await(() -> replicator(service).isReady());
      server.shutdownNow();
      await(() -> !audit().hasOk());
      assertThat(audit().getName()).isEqualTo("order book");
      assertThat(audit().getDetail()).isNotBlank();
    }
  }

  private void sell(int count) {
    for (int i = 0; i < count; i++) {
      catalog.addSale("key-" + catalog.sales.size(), "Tux", 1);
    }
  }

  private ConfigurableApplicationContext start() {
    return ServiceProcess.startBeside(
        OrderApplication.class,
        OrderApplication.NAME,
        OrderApplication.SETTINGS,
        List.of(
            "--toystore.data=" + folder,
            "--toystore.order.port=0",
            "--toystore.order.catalog-target=in-process:" + catalogName,
            "--spring.grpc.server.inprocess.name=" + orderName),
        false);
  }

  private static SalesReplicator replicator(ConfigurableApplicationContext service) {
    return service.getBean(SalesReplicator.class);
  }

  private Order get(long number) {
    return orders.getOrder(GetOrderRequest.newBuilder().setNumber(number).build()).getOrder();
  }

  private ListOrdersResponse list(long after, int limit) {
    return orders.listOrders(
        ListOrdersRequest.newBuilder().setAfter(after).setLimit(limit).build());
  }

  private AuditCheck audit() {
    return AuditServiceGrpc.newBlockingStub(channel)
        .audit(AuditRequest.newBuilder().setFull(true).build())
        .getChecks(0);
  }

  private static AuditCheck check(boolean ok, String detail) {
    return AuditCheck.newBuilder().setName("order book").setOk(ok).setDetail(detail).build();
  }

  private static PlaceOrderRequest order(String key, String name) {
    return PlaceOrderRequest.newBuilder()
        .setKey(IdempotencyKey.newBuilder().setScope("s").setValue(key))
        .setKind(SaleKind.SALE_KIND_ORDER)
        .addLines(Line.newBuilder().setName(name).setQuantity(1))
        .build();
  }

  private static List<Long> numbers(ListOrdersResponse page) {
    return page.getOrdersList().stream().map(Order::getNumber).toList();
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  private static RpcError error(ThrowingCallable call) {
    var refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refusal).as("refusal").isNotNull();
    return RpcError.of(refusal);
  }
}
