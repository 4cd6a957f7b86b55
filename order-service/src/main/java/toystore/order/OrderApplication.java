package toystore.order;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.PeerResilience;
import toystore.platform.service.ServiceManifest;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.StorageStartup;
import toystore.platform.storage.BatchStore;
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

  /// Capacity of the writer's queue. The replicator submits one page at a time.
  private static final int MAX_PAGES = 10;

  public static void main(String[] args) {
    ServiceProcess.run(OrderApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  BookBatchStore bookBatchStore(SqliteFile file) {
    return StorageStartup.open(() -> file.load(() -> new BookBatchStore(file)));
  }

  /// @param batchStore the [BookBatchStore], or a wrapper from a test
  @Bean
  SingleWriter<List<Order>, Checkpoint> bookWriter(
      BatchStore<List<Order>, Checkpoint> batchStore,
      ServiceManifest service,
      WriterListener listener) {
    return new SingleWriter<>(
        service.name(),
        batchStore,
        MAX_PAGES,
        MAX_PAGES,
        ServiceProcess::exitAfterDiskFailure,
        listener);
  }

  @Bean
  RecentOrders recentOrders(OrderSettings settings, MeterRegistry registry) {
    return new RecentOrders(settings.recent(), registry);
  }

  @Bean
  PeerChannel catalogChannel(
      GrpcChannelFactory channels, OrderSettings settings, PeerResilience resilience) {
    return PeerChannel.open(
        channels, "catalog", settings.catalogTarget(), settings.deadline(), resilience);
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
