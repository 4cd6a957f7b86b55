package toystore.order.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static toystore.clients.Conditions.await;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.catalog.v1.Sale;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.order.OrderApplication;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.ListOrdersResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.EnvelopeInterceptor;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.ServiceProcess;

/// With a fake catalog behind a real stub.
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
          .intercept(new EnvelopeInterceptor())
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
  void orderIsReadFromTheCatalogWithoutItsKey() {
    sell(2);
    try (var _ = start()) {
      Sale order = get(1);
      assertThat(order.getNumber()).isEqualTo(1);
      assertThat(order.getKind()).isEqualTo(SaleKind.SALE_KIND_ORDER);
      assertThat(order.getSoldAt().getSeconds()).isEqualTo(1);
      assertThat(order.getLines(0).getName()).isEqualTo("Tux");
      assertThat(order.getLines(0).getProductId()).isEqualTo(7);
      assertThat(order.getLines(0).getPriceCents()).isEqualTo(100);
      assertThat(order.toString()).doesNotContain("key-");
      assertThat(error(() -> get(2)))
          .isEqualTo(new RpcError(FakeSalesRpc.ORDER_NOT_FOUND, "order not found"));
      assertThat(error(() -> get(-1)).reason()).isEqualTo(FakeSalesRpc.ORDER_NOT_FOUND);
    }
  }

  @Test
  void ordersAreListedInPagesAlsoIfTheCatalogsPageIsShorter() {
    sell(300);
    try (var _ = start()) {
      assertThat(numbers(list(-1, 2))).containsExactly(0L, 1L);
      assertThat(list(-1, 2).getNext()).isEqualTo(1);
      assertThat(numbers(list(100, 200))).containsExactlyElementsOf(range(101, 201));
      assertThat(list(100, 200).getNext()).isEqualTo(200);
      assertThat(numbers(list(200, 99))).containsExactlyElementsOf(range(201, 300));
      assertThat(list(200, 99).hasNext()).isFalse();
      assertThat(list(Long.MAX_VALUE, 10).getOrdersCount()).isZero();
      assertThat(error(() -> list(0, 201)).reason()).isEqualTo(ErrorReason.INVALID);
      assertThat(error(() -> list(-2, 10)).reason()).isEqualTo(ErrorReason.INVALID);
    }
  }

  @Test
  void placedOrderHasTheNumberOfItsSale() {
    try (var _ = start()) {
      assertThat(place("a", false, "Tux")).isZero();
      assertThat(get(0).getLines(0).getQuantity()).isEqualTo(1);
    }
  }

  @Test
  void orderCannotBeReadWhileTheCatalogIsDown() {
    sell(1);
    try (var _ = start()) {
      assertThat(get(0).getNumber()).isZero();
      server.shutdownNow();
      await(() -> channelIsDown(() -> get(0)) && channelIsDown(() -> list(-1, 1)));
    }
  }

  private static boolean channelIsDown(ThrowingCallable call) {
    var refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    return refusal != null && RpcError.of(refusal).reason() == ErrorReason.NOT_DONE;
  }

  @Test
  void placeOrderReturnsTheRefusalOfTheCatalogUnchanged() {
    try (var _ = start()) {
      assertThat(error(() -> place("a", false, "Yeti")))
          .isEqualTo(new RpcError(FakeSalesRpc.OUT_OF_STOCK, "no Yeti left", true));
    }
  }

  /// A refusal is not stored for a key that the frontend generated, so a retry might be sold.
  @Test
  void placeOrderRetriesOnlyRequestsWithAClientMadeKey() {
    try (var _ = start()) {
      catalog.failsSales = true;
      assertThat(error(() -> place("a", false, "Tux")).reason())
          .isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
      assertThat(catalog.sellCalls).as("sent for a key that the frontend made").hasValue(1);

      assertThat(error(() -> place("a", true, "Tux")).reason())
          .isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
      assertThat(catalog.sellCalls).hasValueGreaterThan(2);
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
            "--spring.grpc.server.inprocess.name=" + orderName));
  }

  private Sale get(long number) {
    return orders.getOrder(GetOrderRequest.newBuilder().setNumber(number).build()).getOrder();
  }

  private ListOrdersResponse list(long after, int limit) {
    return orders.listOrders(
        ListOrdersRequest.newBuilder().setAfter(after).setLimit(limit).build());
  }

  private long place(String key, boolean clientMade, String name) {
    var order =
        PlaceOrderRequest.newBuilder()
            .setKind(SaleKind.SALE_KIND_ORDER)
            .addLines(Line.newBuilder().setName(name).setQuantity(1))
            .build();
    return orders
        .withInterceptors(new CallEnvelope(new RequestKey("s", key, clientMade), null))
        .placeOrder(order)
        .getNumber();
  }

  private static List<Long> numbers(ListOrdersResponse page) {
    return page.getOrdersList().stream().map(Sale::getNumber).toList();
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
