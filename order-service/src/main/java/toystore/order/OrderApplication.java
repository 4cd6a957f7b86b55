package toystore.order;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochRandomGenerator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.platform.rpc.MultiplexRpc;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.EndedSessionsClient;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.PeerResilience;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.StorageStartup;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.storage.BatchStore;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.WriterListener;

/// The Spring application of the order service. Beans are declared before the beans that use them.
@SpringBootApplication(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
@EnableConfigurationProperties(OrderSettings.class)
public class OrderApplication {
  public static final String NAME = "order-service";
  public static final Class<? extends Record> SETTINGS = OrderSettings.class;

  /// Maximum number of waiting commands.
  private static final int QUEUE_BOUND = 10_000;

  private static final int BATCH_BOUND = 500;

  public static void main(String[] args) {
    ServiceProcess.run(OrderApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  OrderBatchStore orderBatchStore(SqliteFile file) {
    return StorageStartup.open(
        () -> file.load(() -> new OrderBatchStore(file, InstantSource.system())));
  }

  /// @param batchStore the [OrderBatchStore], or a wrapper from a test
  @Bean
  SingleWriter<OrderDecider> orderWriter(
      BatchStore<OrderDecider> batchStore,
      StoreServiceDescriptor service,
      WriterListener listener) {
    return new SingleWriter<>(
        service.name(),
        batchStore,
        QUEUE_BOUND,
        BATCH_BOUND,
        ServiceProcess::exitAfterDiskFailure,
        listener);
  }

  @Bean
  PurchaseRecovery purchaseRecovery(
      ItemSalesClient items,
      OrderBatchStore batchStore,
      ReadPool readPool,
      SingleWriter<OrderDecider> writer,
      MeterRegistry registry) {
    var recovery = new PurchaseRecovery(items, batchStore, readPool, writer);
    Gauge.builder("toystore.purchases.accepted", recovery, it -> it.refusal() == null ? 1 : 0)
        .description("1 while purchases are accepted: they are compared with the catalog's sales")
        .register(registry);
    return recovery;
  }

  /// Readiness: the service is ready once the purchases were compared with the catalog. If they do
  /// not match it, orders are still placed and read.
  @Bean
  HealthIndicator purchases(PurchaseRecovery recovery, OrderSettings settings) {
    return () -> {
      RpcError refusal = recovery.refusal();
      Health.Builder health =
          recovery.isCompared()
              ? Health.up()
              : Health.outOfService()
                  .withDetail(
                      "waiting",
                      "ready when the purchases are compared with the catalog at toystore.order.catalog-target="
                          + settings.catalogTarget());
      return refusal == null
          ? health.build()
          : health.withDetail("refused", refusal.message()).build();
    };
  }

  @Bean
  PurchaseDriver purchaseDriver(
      OrderBatchStore batchStore,
      SingleWriter<OrderDecider> writer,
      PaymentClient payments,
      ItemSalesClient items,
      PurchaseRecovery recovery,
      @Qualifier("purchaseReader") ReadPool reader,
      OrderSettings settings,
      MeterRegistry registry) {
    var driver =
        new PurchaseDriver(
            writer, payments, items, batchStore::lastNumber, settings.authoriseFor());
    for (Purchase.State state : Purchase.State.values()) {
      String tag = state.name().toLowerCase(Locale.ROOT);
      if (state.isOpen()) {
        Gauge.builder("toystore.purchases.open", driver, it -> it.open(state))
            .description("Purchases that are not finished, by state")
            .tag("state", tag)
            .register(registry);
      } else {
        FunctionCounter.builder("toystore.purchases.finished", driver, it -> it.finished(state))
            .description("Finished purchases, by outcome")
            .tag("outcome", tag)
            .register(registry);
      }
    }
    driver.resume(reader, batchStore::recovered, recovery.done());
    return driver;
  }

  /// The purchase driver waits for its reads, so it has a pool of its own.
  @Bean(defaultCandidate = false)
  ReadPool purchaseReader(SqliteFile file) {
    return file.readers(1, 1);
  }

  @Bean
  PaymentReconciliation paymentReconciliation(
      PaymentClient payments, ReadPool readPool, PurchaseRecovery recovery) {
    return new PaymentReconciliation(payments, readPool, InstantSource.system(), recovery.done());
  }

  /// Random, not counted: an id is never used again, even after an old backup was restored.
  @Bean
  Supplier<String> purchaseIds() {
    TimeBasedEpochRandomGenerator generator = Generators.timeBasedEpochRandomGenerator();
    return () -> generator.generate().toString();
  }

  @Bean
  EndedSessionsClient endedSessionsClient(PeerChannel accountChannel, AdministratorToken token) {
    return new EndedSessionsClient(accountChannel, token);
  }

  @Bean
  CartSweep cartSweep(
      ReadPool readPool,
      EndedSessionsClient accounts,
      SingleWriter<OrderDecider> writer,
      OrderSettings settings) {
    return new CartSweep(
        after -> readPool.read(connection -> CartStore.sessions(connection, after, CartSweep.PAGE)),
        accounts,
        writer,
        settings.cartSweepInterval());
  }

  @Bean
  PeerChannel catalogChannel(
      GrpcChannelFactory channels, OrderSettings settings, PeerResilience resilience) {
    return PeerChannel.open(
        channels,
        "catalog",
        settings.catalogTarget(),
        settings.deadline(),
        resilience,
        OrderRpc.SELL);
  }

  /// Frontends place orders over one stream each.
  @Bean
  MultiplexRpc multiplexRpc() {
    return new MultiplexRpc(OrderRpc.multiplexed());
  }

  @Bean
  PeerChannel accountChannel(
      GrpcChannelFactory channels, OrderSettings settings, PeerResilience resilience) {
    return PeerChannel.open(
        channels, "account", settings.accountTarget(), settings.deadline(), resilience);
  }

  @Bean
  PeerChannel paymentChannel(
      GrpcChannelFactory channels, OrderSettings settings, PeerResilience resilience) {
    return PeerChannel.open(
        channels, "payment", settings.paymentTarget(), settings.deadline(), resilience);
  }
}
