package toystore.platform.service;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;

/// What a process of a service is while another one uses the service's schema in PostgreSQL: its
/// ports are open, liveness is up, readiness is down, and the health of gRPC is NOT_SERVING.
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Standby {
  private static final Logger log = LoggerFactory.getLogger(Standby.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /// The schema of which this process is the writer.
  record ElectedSchema(PostgresSchema schema) {}

  /// Not ready until this process is the writer.
  @Bean
  HealthIndicator storageHealthIndicator(PostgresSchema schema) {
    return new StorageHealth(schema);
  }

  /// Without a service Boot starts no server, and health could not be asked.
  @Bean
  BindableService standbyService() {
    return () -> ServerServiceDefinition.builder("toystore.Standby").build();
  }

  /// Waits until this process is the writer, if the service's settings name a PostgreSQL server.
  ///
  /// @param open starts the standby's ports
  /// @return null: the service has an SQLite file
  static @Nullable ElectedSchema elect(
      StoreServiceDescriptor service, Environment environment, Opener open) {
    String url = environment.getProperty(service.prefix() + ".database");
    if (!service.database() || url == null) {
      return null;
    }
    PostgresServer server =
        DatabaseCredentials.server("setting " + service.prefix() + ".database", url, environment);
    return StorageStartup.open(() -> {
      PostgresSchema schema = PostgresSchema.of(server, service.name());
      if (!schema.elected()) {
        log.info("not active: {}: {}", schema, schema.notReady());
        try (ConfigurableApplicationContext ports = open.standby(schema)) {
          while (!schema.elected()) {
            Thread.sleep(POLL);
          }
        } catch (InterruptedException e) {
          throw new StartupException("interrupted while waiting as a standby", e);
        }
        log.info("active: this process uses {}", schema);
      }
      return new ElectedSchema(schema);
    });
  }

  /// Starts the ports of a standby.
  @FunctionalInterface
  interface Opener {
    ConfigurableApplicationContext standby(PostgresSchema schema);
  }
}
