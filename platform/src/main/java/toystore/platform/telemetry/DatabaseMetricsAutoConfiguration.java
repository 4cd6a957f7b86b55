package toystore.platform.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;

/// Metrics of the writer, the database file and the readers of a service with a database.
@AutoConfiguration
@ConditionalOnBean(SqliteFile.class)
class DatabaseMetricsAutoConfiguration {
  @Bean
  DatabaseMetrics writerMetrics(MeterRegistry registry, StoreServiceDescriptor service) {
    return new DatabaseMetrics(registry, service.name());
  }

  @Bean
  SmartInitializingSingleton bindDatabaseMetrics(
      DatabaseMetrics metrics, SingleWriter<?> writer, SqliteFile file, ReadPool readers) {
    return () -> {
      metrics.bind(writer, file);
      metrics.bind(readers);
    };
  }
}
