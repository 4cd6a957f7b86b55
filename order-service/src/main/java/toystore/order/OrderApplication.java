package toystore.order;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochRandomGenerator;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import toystore.order.storage.OrderBatches;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.EndedSessionsClient;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.PeerChannels;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.Database;
import toystore.platform.storage.ReadPool;

/// Beans are declared before those that use them.
@SpringBootApplication(proxyBeanMethods = false)
@EnableScheduling
@Import(DatabaseConfiguration.class)
@EnableConfigurationProperties(OrderSettings.class)
public class OrderApplication {
  public static final String NAME = "order-service";
  public static final Class<? extends Record> SETTINGS = OrderSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(OrderApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  OrderBatches orderBatches(Database database) {
    return new OrderBatches(database, InstantSource.system());
  }

  /// Of its own, because the purchase driver waits for its reads.
  @Bean(defaultCandidate = false)
  ReadPool purchaseReader(Database database) {
    return database.readers(1, 1);
  }

  /// Random: an id is never used again, even after an old backup was restored.
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
  PeerChannel catalogChannel(PeerChannels channels, OrderSettings settings) {
    return channels.to("catalog", settings.catalogTarget());
  }

  @Bean
  PeerChannel accountChannel(PeerChannels channels, OrderSettings settings) {
    return channels.to("account", settings.accountTarget());
  }

  @Bean
  PeerChannel paymentChannel(PeerChannels channels, OrderSettings settings) {
    return channels.to("payment", settings.paymentTarget());
  }
}
