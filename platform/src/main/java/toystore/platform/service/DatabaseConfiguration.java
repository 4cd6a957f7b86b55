package toystore.platform.service;

import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import toystore.platform.rpc.RequestBytesLimiter;
import toystore.platform.storage.Batches;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.UnitOfWork;

/// Beans of a gRPC service with its own database: data folder, database file, readers and audit.
/// The [StoreServiceDescriptor] provides all names.
@Configuration(proxyBeanMethods = false)
@Import({StateLoader.class, AuditRpc.class, StatusRpc.class})
public class DatabaseConfiguration {
  /// Two imports of the maximum size and many small requests.
  private static final long MAX_REQUEST_BYTES = 40L << 20;

  private static final int MAX_CALLS_PER_CONNECTION = 5_000;

  /// Maximum number of reads that wait for a reader of background work.
  public static final int BACKGROUND_QUEUE = 10;

  /// A check before a database file is created. If it fails, startup is aborted and no file
  /// remains.
  @FunctionalInterface
  public interface FirstStartCheck {
    void check();
  }

  /// A schema of PostgreSQL if the settings name a server, else a file in the data folder.
  @Bean
  Database database(
      DatabaseSettings settings,
      SharedSettings store,
      StoreServiceDescriptor service,
      Environment environment,
      ObjectProvider<FirstStartCheck> checks) {
    String url = settings.database();
    if (url == null) {
      return new SqliteFile(
          store.folder(service.name()).resolve(service.name() + ".db"),
          "db/" + service.name(),
          () -> checks.forEach(FirstStartCheck::check));
    }
    return new PostgresSchema(
        DatabaseCredentials.server("setting " + DatabaseSettings.URL, url, environment),
        service.name(),
        StoreIdSetting.identity(environment, store.data()));
  }

  @Bean
  <U extends UnitOfWork> SingleWriter<U> writer(
      Database database,
      Batches<U> batches,
      DatabaseSettings settings,
      StoreServiceDescriptor service,
      DatabaseMetrics metrics) {
    var writer =
        new SingleWriter<>(
            service.name(),
            database,
            batches,
            settings.queue(),
            settings.batch(),
            ServiceProcess::exitAfterFatalError,
            metrics);
    metrics.bind(writer, database);
    return writer;
  }

  @Bean
  DatabaseMetrics databaseMetrics(MeterRegistry registry, StoreServiceDescriptor service) {
    return new DatabaseMetrics(registry, service.name());
  }

  /// Readiness: the database can be used.
  @Bean
  HealthIndicator storageHealthIndicator(Database database) {
    return () -> {
      String reason = database.notReady();
      return reason == null
          ? Health.up().build()
          : Health.outOfService().withDetail("reason", reason).build();
    };
  }

  /// Refuses calls while another process may have taken over the database.
  @Bean
  @GlobalServerInterceptor
  ServerInterceptor refuseWhileNotReady(Database database) {
    return new ReadyInterceptor(database::notServing);
  }

  @Bean
  ServingMonitor servingMonitor(Database database, ApplicationEventPublisher events) {
    return new ServingMonitor(database::notServing, events);
  }

  @Bean
  ReadPool readPool(Database database, DatabaseSettings settings, DatabaseMetrics metrics) {
    ReadPool readers = database.readers(settings.readers(), DatabaseSettings.READ_QUEUE);
    metrics.bind(readers);
    return readers;
  }

  /// The reader of the audit. Customers' reads do not delay it, and it does not delay them.
  @Bean(defaultCandidate = false)
  ReadPool auditReader(Database database) {
    return database.readers(1, BACKGROUND_QUEUE);
  }

  /// Bounds the memory for requests. The sum of the requests in progress has a limit, and so has
  /// the number of calls of one connection. Compressed requests are refused, because the sum counts
  /// the bytes received.
  @Bean
  ServerBuilderCustomizer<NettyServerBuilder> requestLimits() {
    return server ->
        server
            .addStreamTracerFactory(new RequestBytesLimiter(MAX_REQUEST_BYTES))
            .decompressorRegistry(
                DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, true))
            .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION);
  }

  /// Runs gRPC calls on the I/O thread that received them, because they never block.
  @Bean
  GrpcServerExecutorProvider directExecutor() {
    return () -> Runnable::run;
  }
}
