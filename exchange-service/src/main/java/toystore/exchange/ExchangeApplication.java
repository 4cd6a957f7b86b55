package toystore.exchange;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import toystore.exchange.domain.MarketFeed;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.storage.CashAccountStore;
import toystore.exchange.storage.ExchangeAudit;
import toystore.exchange.storage.ExchangeBatches;
import toystore.exchange.storage.LimitOrderStore;
import toystore.exchange.storage.OrderAnswerStore;
import toystore.exchange.storage.SymbolStore;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.DatabaseSettings;
import toystore.platform.service.EndedSessionsClient;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.PeerChannels;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.SessionCacheClient;
import toystore.platform.service.SessionWatch;
import toystore.platform.storage.Database;
import toystore.platform.storage.ReadPool;

/// Beans are declared before those that use them.
@SpringBootApplication(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
@EnableConfigurationProperties(ExchangeSettings.class)
public class ExchangeApplication {
  public static final String NAME = "exchange-service";
  public static final Class<? extends Record> SETTINGS = ExchangeSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(ExchangeApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  SymbolStore symbolStore() {
    return new SymbolStore();
  }

  @Bean
  CashAccountStore cashAccountStore(SymbolStore symbols) {
    return new CashAccountStore(symbols);
  }

  @Bean
  LimitOrderStore limitOrderStore(SymbolStore symbols) {
    return new LimitOrderStore(symbols);
  }

  @Bean
  OrderAnswerStore orderAnswerStore(CashAccountStore accounts, LimitOrderStore orders) {
    return new OrderAnswerStore(accounts, orders);
  }

  /// Of the XML gateway, whose clients do not delay the reads of gRPC and REST.
  @Bean(defaultCandidate = false)
  ReadPool xmlReader(Database database) {
    return database.readers(1, DatabaseSettings.READ_QUEUE);
  }

  @Bean
  MarketFeed marketFeed(ExchangeSettings settings, MeterRegistry registry) {
    var feed = new MarketFeed(settings.watchers());
    Gauge.builder("toystore.exchange.watchers", feed, MarketFeed::subscriptions)
        .description("Readers of the feed")
        .register(registry);
    return feed;
  }

  @Bean
  ExchangeBatches exchangeBatches(
      Database database,
      CashAccountStore accounts,
      LimitOrderStore orders,
      MarketFeed feed,
      ExchangeSettings settings,
      MeterRegistry registry) {
    EngineBounds bounds = settings.bounds(Runtime.getRuntime().maxMemory());
    var batches =
        new ExchangeBatches(database, accounts, orders, feed, bounds, InstantSource.system());
    Gauge.builder("toystore.exchange.accounts", batches, ExchangeBatches::accounts)
        .description("Accounts of the exchange")
        .register(registry);
    Gauge.builder("toystore.exchange.open.orders", batches, ExchangeBatches::openOrders)
        .description("Open orders")
        .register(registry);
    Gauge.builder("toystore.exchange.open.orders.bound", bounds, EngineBounds::openOrders)
        .description("Maximum number of open orders")
        .register(registry);
    FunctionCounter.builder("toystore.exchange.orders", batches, ExchangeBatches::placed)
        .description("Orders since the start")
        .register(registry);
    FunctionCounter.builder("toystore.exchange.trades", batches, ExchangeBatches::traded)
        .description("Trades since the start")
        .register(registry);
    FunctionCounter.builder("toystore.exchange.rebuilds", batches, ExchangeBatches::rebuilds)
        .description("How often the engine was read again after a failed commit, since the start")
        .register(registry);
    return batches;
  }

  @Bean
  PeerChannel accountChannel(PeerChannels channels, ExchangeSettings settings) {
    return channels.to("account", settings.accountTarget());
  }

  @Bean
  SessionCacheClient sessionCacheClient(
      PeerChannel accountChannel, AdministratorToken token, MeterRegistry registry) {
    return new SessionCacheClient(accountChannel, token, registry);
  }

  @Bean
  SessionWatch sessionWatch(PeerChannel accountChannel, AdministratorToken token) {
    return new SessionWatch(new EndedSessionsClient(accountChannel, token));
  }

  @Bean
  ExchangeAudit exchangeAudit(
      @Qualifier("auditReader") ReadPool reader,
      CashAccountStore accounts,
      LimitOrderStore orders) {
    return new ExchangeAudit(reader, accounts, orders);
  }
}
