package toystore.platform.service;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.boot.context.properties.bind.Binder;
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
  HealthIndicator storageHealthIndicator() {
    return () -> Health.outOfService().withDetail("reason", "standby").build();
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
    PostgresServer server = server(service, url, environment);
    return StorageStartup.open(() -> {
      PostgresSchema schema = PostgresSchema.of(server, service.name());
      if (!schema.elected()) {
        log.info("standby: another process uses {}", schema);
        try (ConfigurableApplicationContext ports = open.standby()) {
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
    ConfigurableApplicationContext standby();
  }

  private static PostgresServer server(
      StoreServiceDescriptor service, String url, Environment environment) {
    String setting = service.prefix() + ".database";
    if (!url.startsWith("jdbc:postgresql://")) {
      throw new StartupException(
          String.format(
              Locale.ROOT,
              "setting %s must be jdbc:postgresql://HOST:PORT/DATABASE, got \"%s\"",
              setting,
              url));
    }
    if (url.matches(".*[?&](user|password)=.*")) {
      throw new StartupException(
          "setting "
              + setting
              + " must not have a user or password; set TOYSTORE_DATABASE_USER and TOYSTORE_DATABASE_PASSWORD, or the variables with _FILE to files");
    }
    var login = Binder.get(environment).bindOrCreate("toystore", DatabaseCredentials.class);
    return new PostgresServer(
        url,
        secret("user", login.databaseUser(), login.databaseUserFile()),
        secret("password", login.databasePassword(), login.databasePasswordFile()));
  }

  private static String secret(String name, @Nullable String value, @Nullable Path file) {
    if (file == null) {
      return value == null ? "" : value;
    }
    try {
      return Files.readString(file).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new StartupException(
          "setting toystore.database-" + name + "-file: file " + file + " cannot be read: " + e, e);
    }
  }
}
