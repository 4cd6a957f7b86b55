package toystore.platform.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import toystore.platform.service.ServiceDescriptor;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;

/// Measures a service's writer, its file and its readers, where it has a database.
@AutoConfiguration
@ConditionalOnBean(SqliteFile.class)
class DatabaseMetricsAutoConfiguration {
  @Bean
  WriterMetrics writerMeters(MeterRegistry registry, ServiceDescriptor service) {
    return new WriterMetrics(registry, service.name());
  }

  @Bean
  SmartInitializingSingleton showDatabase(
      WriterMetrics meters, SingleWriter<?, ?> writer, SqliteFile file, ReadPool readers) {
    return () -> {
      meters.show(writer, file);
      meters.show(readers);
    };
  }
}
