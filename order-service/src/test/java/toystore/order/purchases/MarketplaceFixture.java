package toystore.order.purchases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;
import toystore.common.v1.Card;
import toystore.order.OrderApplication;
import toystore.order.domain.Purchase;
import toystore.order.storage.OrderBatches;
import toystore.order.storage.PurchaseStore;
import toystore.order.v1.AddToCartRequest;
import toystore.order.v1.AddToCartResponse;
import toystore.order.v1.Buyer;
import toystore.order.v1.Cart;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.ClearCartRequest;
import toystore.order.v1.GetCartRequest;
import toystore.order.v1.ListPurchasesRequest;
import toystore.order.v1.PurchaseRequest;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.order.v1.RemoveFromCartRequest;
import toystore.order.v1.SaveCartRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.EnvelopeInterceptor;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.CallLimits;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.ReadPool;

/// The order service with fakes of its three peers behind real stubs.
final class MarketplaceFixture implements AutoCloseable {
  private static final String TOKEN = "token-of-the-test";

  final FakeItemCatalog items = new FakeItemCatalog();
  final FakePaymentProvider payments = new FakePaymentProvider();
  final FakeSessions sessions = new FakeSessions();

  private final String orderName = InProcessServerBuilder.generateName();
  private static final CallLimits WITHOUT_CIRCUIT_BREAKER =
      new CallLimits(500, 10_000, 100, Duration.ofSeconds(1), 3, Duration.ofMillis(20));

  private final String peersName = InProcessServerBuilder.generateName();
  private final Server peers =
      InProcessServerBuilder.forName(peersName)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .addService(items)
          .addService(payments)
          .addService(payments.new LedgerAudit())
          .addService(sessions)
          .intercept(new EnvelopeInterceptor())
          .build();
  private final Path folder;
  final ManagedChannel channel = InProcessChannelBuilder.forName(orderName).build();
  final CartServiceGrpc.CartServiceBlockingStub carts =
      CartServiceGrpc.newBlockingStub(channel).withInterceptors(token());
  final PurchaseServiceGrpc.PurchaseServiceBlockingStub purchases =
      PurchaseServiceGrpc.newBlockingStub(channel).withInterceptors(token());

  MarketplaceFixture(Path folder) {
    this.folder = folder;
    try {
      peers.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ConfigurableApplicationContext start(String... settings) {
    return start(OrderApplication.class, settings);
  }

  ConfigurableApplicationContext start(Class<?> application, String... settings) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--toystore.data=" + folder,
                "--toystore.admin-token=" + TOKEN,
                "--toystore.order.port=0",
                "--toystore.order.catalog-target=in-process:" + peersName,
                "--toystore.order.account-target=in-process:" + peersName,
                "--toystore.order.payment-target=in-process:" + peersName,
                "--spring.grpc.server.inprocess.name=" + orderName));
    for (String setting : settings) {
      String key = setting.substring(0, setting.indexOf('=') + 1);
      all.removeIf(it -> it.startsWith(key)); // Spring would join both values
      all.add(setting);
    }
    ConfigurableApplicationContext service =
        ServiceProcess.startBeside(
            application,
            OrderApplication.NAME,
            OrderApplication.SETTINGS,
            all,
            context ->
                context.getBeanFactory().registerSingleton("testLimits", WITHOUT_CIRCUIT_BREAKER));
    if (!items.unavailable && items.listsSales) {
      var recovery = service.getBean(PurchaseRecovery.class);
      await(() ->
          Optional.ofNullable(recovery.refusal())
              .filter(it -> it.reason() == ErrorReason.NOT_DONE)
              .isEmpty());
    }
    return service;
  }

  static ClientInterceptor token() {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + TOKEN);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  static Buyer buyer(long buyerId, long sessionId) {
    return Buyer.newBuilder().setBuyerId(buyerId).setSessionId(sessionId).build();
  }

  static RequestKey key(long buyerId, String value) {
    return new RequestKey("POST /api buyer:" + buyerId, value, true);
  }

  static CallEnvelope envelope(Buyer buyer, String key) {
    return new CallEnvelope(key(buyer.getBuyerId(), key), null);
  }

  AddToCartResponse add(Buyer buyer, String key, long itemId, long quantity) {
    return add(envelope(buyer, key), buyer, itemId, quantity);
  }

  AddToCartResponse add(CallEnvelope envelope, Buyer buyer, long itemId, long quantity) {
    return carts
        .withInterceptors(envelope)
        .addToCart(
            AddToCartRequest.newBuilder()
                .setBuyer(buyer)
                .setItemId(itemId)
                .setQuantity(quantity)
                .build());
  }

  List<String> remove(Buyer buyer, long itemId, long quantity) {
    return lines(
        carts
            .removeFromCart(
                RemoveFromCartRequest.newBuilder()
                    .setBuyer(buyer)
                    .setItemId(itemId)
                    .setQuantity(quantity)
                    .build())
            .getCart());
  }

  List<String> clear(Buyer buyer) {
    return lines(carts.clearCart(ClearCartRequest.newBuilder().setBuyer(buyer).build()).getCart());
  }

  List<String> save(Buyer buyer, String key) {
    return lines(
        carts
            .withInterceptors(envelope(buyer, key))
            .saveCart(SaveCartRequest.newBuilder().setBuyer(buyer).build())
            .getCart());
  }

  List<String> cart(Buyer buyer) {
    return lines(carts.getCart(GetCartRequest.newBuilder().setBuyer(buyer).build()).getCart());
  }

  /// `quantity × item at price`, with `(saved)` for a line that the saved cart has, too.
  static List<String> lines(Cart cart) {
    return cart.getLinesList().stream()
        .map(it ->
            format(
                "%d × %s at %d%s",
                it.getQuantity(),
                it.getName(),
                it.getPriceCents(),
                it.getSaved() ? " (saved)" : ""))
        .toList();
  }

  /// @param replayed whether it is the stored answer
  record Bought(long units, long number, boolean replayed) {}

  Bought buy(Buyer buyer, String key) {
    return buy(buyer, key, FakePaymentProvider.GOOD);
  }

  Bought buy(Buyer buyer, String key, String cardNumber) {
    return buy(key(buyer.getBuyerId(), key), request(buyer, cardNumber));
  }

  Bought buy(RequestKey key, PurchaseRequest request) {
    var envelope = new CallEnvelope(key, null);
    var response = purchases.withInterceptors(envelope).purchase(request);
    return new Bought(response.getUnits(), response.getNumber(), envelope.replayed());
  }

  static PurchaseRequest request(Buyer buyer, String cardNumber) {
    return PurchaseRequest.newBuilder().setBuyer(buyer).setCard(card(cardNumber)).build();
  }

  static Card card(String number) {
    return Card.newBuilder()
        .setHolderName("Anna Holder")
        .setNumber(number)
        .setExpirationDate("09/39")
        .setSecurityCode("0739")
        .build();
  }

  /// As in [#lines].
  List<String> purchased(long buyerId) {
    return purchases
        .listPurchases(ListPurchasesRequest.newBuilder().setBuyerId(buyerId).setLimit(200).build())
        .getLinesList()
        .stream()
        .map(it ->
            format(
                "%d × %s at %d%s",
                it.getQuantity(),
                it.getName(),
                it.getPriceCents(),
                it.getReturned() ? " returned" : ""))
        .toList();
  }

  /// No purchase is open, and the purchases have all sales.
  void awaitFinished(ConfigurableApplicationContext service) {
    var driver = service.getBean(PurchaseDriver.class);
    var readers = service.getBean("readPool", ReadPool.class);
    await(() ->
        Stream.of(Purchase.State.values()).allMatch(it -> driver.open(it) == 0)
            && readers
                .read(connection -> PurchaseStore.open(connection, 1))
                .toCompletableFuture()
                .join()
                .isEmpty());
    await(() -> service.getBean(OrderBatches.class).lastNumber() == items.purchases.size() - 1);
  }

  /// `purchases` and `payments` of a full audit.
  List<AuditCheck> audit() {
    return audit(true);
  }

  List<AuditCheck> audit(boolean full) {
    return AuditServiceGrpc.newBlockingStub(channel)
        .audit(AuditRequest.newBuilder().setFull(full).build())
        .getChecksList();
  }

  void assertAuditIsOk() {
    assertThat(audit(false)).hasSize(2).allMatch(AuditCheck::getOk);
    assertThat(audit(true)).as("full audit").allMatch(AuditCheck::getOk);
  }

  static RpcError error(ThrowingCallable call) {
    var refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refusal).as("refusal").isNotNull();
    return RpcError.of(refusal);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    peers.shutdownNow();
  }
}
