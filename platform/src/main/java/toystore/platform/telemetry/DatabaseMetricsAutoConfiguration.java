package toystore.platform.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.storage.Database;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;

/// Metrics of the writer, the database and the readers of a service with a database.
@AutoConfiguration
@ConditionalOnBean(SingleWriter.class)
class DatabaseMetricsAutoConfiguration {
  @Bean
  DatabaseMetrics writerMetrics(MeterRegistry registry, StoreServiceDescriptor service) {
    return new DatabaseMetrics(registry, service.name());
  }

  @Bean
  SmartInitializingSingleton bindDatabaseMetrics(
      DatabaseMetrics metrics, SingleWriter<?> writer, Database database, ReadPool readers) {
    return () -> {
      metrics.bind(writer, database);
      metrics.bind(readers);
    };
  }
}
