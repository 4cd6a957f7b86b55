package toystore.order.purchases;

import static toystore.clients.Conditions.await;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.client.ChannelBuilderOptions;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.order.OrderSettings;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.CartChange;
import toystore.order.domain.CartContents;
import toystore.order.domain.CartOwner;
import toystore.order.domain.OrderCommand;
import toystore.order.domain.OrderUnitOfWork;
import toystore.order.domain.Purchase;
import toystore.order.storage.CartStore;
import toystore.order.storage.OrderBatches;
import toystore.order.storage.PurchaseStore;
import toystore.platform.journal.Answer;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.rpc.EnvelopeInterceptor;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.service.CallLimits;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.PeerResilience;
import toystore.platform.service.SharedSettings;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.Transactions;
import toystore.platform.text.CardFields;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// The purchases without Spring, on a real database, with fakes of catalog and payment service
/// behind real stubs. It restarts from what a killed process leaves.
final class PurchaseMachine implements AutoCloseable {
  static final CartOwner ANNA = new CartOwner(1, 11);

  final FakeItemCatalog items = new FakeItemCatalog();
  final FakePaymentProvider payments = new FakePaymentProvider();

  /// Added to the clock.
  volatile Duration clockOffset = Duration.ZERO;

  private final InstantSource clock = () -> Instant.now().plus(clockOffset);
  private final Path folder;
  private final String peersName = InProcessServerBuilder.generateName();
  private final Server peers;
  private final TestDatabase stored;
  private @Nullable Process process;

  private record Process(
      Database database,
      ReadPool readers,
      OrderBatches store,
      SingleWriter<OrderUnitOfWork> writer,
      PeerResilience resilience,
      PeerChannel channel,
      PaymentClient payments,
      ItemSalesClient items,
      PaymentReconciliation reconciliation,
      PurchaseDriver driver,
      ReadPool driverReaders,
      PurchaseRecovery recovery) {
    void end() throws SQLException {
      recovery.close();
      driver.close();
      driverReaders.close();
      channel.close();
      resilience.close();
      writer.close();
      readers.close();
      database.close();
    }
  }

  private record Channels() implements GrpcChannelFactory {
    @Override
    public boolean supports(String target) {
      return true;
    }

    @Override
    public ManagedChannel createChannel(String target, ChannelBuilderOptions options) {
      return InProcessChannelBuilder.forName(target).build();
    }
  }

  PurchaseMachine(Path folder, Engine engine) throws IOException, SQLException {
    this.folder = folder;
    this.stored = new TestDatabase(engine, folder, "order");
    this.peers =
        InProcessServerBuilder.forName(peersName)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .addService(items)
            .addService(payments)
            .intercept(new EnvelopeInterceptor())
            .build()
            .start();
  }

  /// Ends the process before, as a kill does.
  void restart() throws Exception {
    restart(it -> it);
  }

  /// @param transactions those of the writer
  void restart(Function<Database, Transactions> transactions) throws Exception {
    stored.kill();
    end();
    Database database =
        stored.open(
            file -> SqliteFile.open(file, "db/order"),
            url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "order"),
            PostgresSchema::tryBecomeWriter);
    var readers = database.readers(1, 10);
    var batches = new OrderBatches(database, clock);
    var writer =
        new SingleWriter<>("machine", transactions.apply(database), batches, 100, 100, _ -> {})
            .start();
    var resilience =
        new PeerResilience(
            "order",
            new CallLimits(500, 10_000, 100, Duration.ofSeconds(1), 3, Duration.ofMillis(20)),
            BulkheadConfig.ofDefaults(),
            new SimpleMeterRegistry());
    var channel =
        new PeerChannel(new Channels(), "peer", peersName, Duration.ofSeconds(10), resilience);
    var token =
        new AdministratorToken(
            new SharedSettings(folder, false, "token-of-the-test", null, Duration.ofSeconds(1)));
    var settings = new OrderSettings("in-process:catalog", "", "");
    var client = new PaymentClient(channel, token);
    var itemSales = new ItemSalesClient(channel, token);
    var reconciliation = new PaymentReconciliation(client, readers);
    var registry = new SimpleMeterRegistry();
    var driverReaders = database.readers(1, 1);
    var driver = new PurchaseDriver(writer, client, itemSales, batches, driverReaders, registry);
    var recovery =
        new PurchaseRecovery(
            itemSales, batches, readers, writer, driver, reconciliation, settings, registry);
    process =
        new Process(
            database,
            readers,
            batches,
            writer,
            resilience,
            channel,
            client,
            itemSales,
            reconciliation,
            driver,
            driverReaders,
            recovery);
    recovery.start();
    await(() -> recovery.refusal() == null);
  }

  Answer<CartContents> change(CartOwner owner, CartChange change, @Nullable String key) {
    return join(
        running()
            .writer
            .submit(
                new Submitted<>(
                    new OrderCommand.ChangeCart(owner, change),
                    key == null ? null : key(owner, key),
                    null,
                    () -> false)));
  }

  Answer<CartContents> add(CartOwner owner, String key, long itemId, long quantity) {
    return change(
        owner,
        new CartChange.Add(
            itemId,
            quantity,
            new CartChange.Offer("item " + itemId, items.priceCents(itemId), items.stock(itemId))),
        key);
  }

  void endSession(CartOwner owner) {
    join(
        running()
            .writer
            .submit(new Submitted<>(new OrderCommand.EndSessions(List.of(owner.sessionId())))));
  }

  CompletableFuture<Answer<Sold>> buy(CartOwner owner, String key, String cardNumber) {
    return running()
        .driver
        .purchase(
            new Submitted<>(
                new OrderCommand.BeginPurchase(UUID.randomUUID().toString(), owner, null),
                key(owner, key),
                null,
                () -> false),
            new CardFields("Anna Holder", cardNumber, "09/39", "0739"));
  }

  CartContents cart(CartOwner owner) {
    return join(running().readers.read(connection -> CartStore.find(connection, owner)));
  }

  Optional<Purchase.State> state(String purchaseId) {
    return join(running().readers.read(connection -> PurchaseStore.find(connection, purchaseId)))
        .map(Purchase::state);
  }

  List<Purchase.PurchasedLine> purchased(long buyerId) {
    return join(
        running()
            .readers
            .read(connection -> PurchaseStore.lines(connection, buyerId, 0, false, 10_000)));
  }

  void awaitFinished() {
    PurchaseDriver driver = running().driver;
    try {
      await(() ->
          Stream.of(Purchase.State.values()).allMatch(it -> driver.open(it) == 0)
              && join(running().readers.read(connection -> PurchaseStore.open(connection, 1)))
                  .isEmpty());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("a purchase stays open", e);
    }
  }

  List<AuditCheckResult> audit() {
    Process it = running();
    await(it.reconciliation::isDone);
    try (var audit =
        new PurchaseAudit(it.readers, it.store, it.items, it.payments, it.reconciliation)) {
      return join(audit.run(true)).stream().limit(2).toList();
    }
  }

  @Override
  public void close() throws Exception {
    end();
    peers.shutdownNow();
  }

  private void end() throws SQLException {
    if (process != null) {
      process.end();
      process = null;
    }
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("the machine must be started");
    }
    return process;
  }

  private static RequestKey key(CartOwner owner, String value) {
    return new RequestKey("POST /api buyer:" + owner.buyerId(), value, true);
  }

  private static <T> T join(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
