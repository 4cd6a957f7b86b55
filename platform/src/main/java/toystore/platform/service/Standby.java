package toystore.platform.service;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.StoreIdentity;
import toystore.platform.storage.UnusableFileException;

/// What a process of a service is while another one uses the service's schema in PostgreSQL: its
/// ports are open, liveness is up, readiness is down, and the health of gRPC is NOT_SERVING.
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Standby {
  private static final Logger log = LoggerFactory.getLogger(Standby.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /// How long a start waits for a server: about as long as a failover takes.
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

  /// The schema of which this process is the writer.
  record ElectedSchema(PostgresSchema schema) {}

  /// Without a service Boot starts no server, and health could not be asked.
  @Bean
  BindableService standbyService() {
    return () -> ServerServiceDefinition.builder("toystore.Standby").build();
  }

  /// Waits until this process is the writer, if the service's settings name a PostgreSQL server.
  ///
  /// @param settings names of all settings
  /// @param open starts the standby's ports
  /// @return null: the service has an SQLite file
  static @Nullable ElectedSchema elect(
      StoreServiceDescriptor service, Set<String> settings, Environment environment, Opener open) {
    String url = environment.getProperty(DatabaseSettings.URL);
    if (!service.database() || url == null) {
      return null;
    }
    PostgresServer server =
        DatabaseCredentials.server("setting " + DatabaseSettings.URL, url, environment);
    OwnPorts.requireFree(service, settings, environment);
    StoreIdentity store = StoreIdSetting.identity(environment);
    return StorageStartup.open(() -> {
      PostgresSchema schema =
          whenReachable(() -> PostgresSchema.of(server, service.name(), store), PATIENCE);
      if (!schema.tryBecomeWriter()) {
        log.info("not active: {}: {}", schema, schema.notReady());
        try (ConfigurableApplicationContext ports = open.standby(schema)) {
          while (!schema.tryBecomeWriter()) {
            pause(POLL);
          }
        }
        log.info("active: this process uses {}", schema);
      }
      return new ElectedSchema(schema);
    });
  }

  /// Tries again while the server is away, and says once that it waits.
  ///
  /// @throws StartupException if it stays away
  /// @throws UnusableFileException if it refuses
  static <T> T whenReachable(Supplier<T> resource, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    boolean said = false;
    while (true) {
      try {
        return resource.get();
      } catch (UnusableFileException e) {
        if (!e.mayPass()) {
          throw e;
        }
        if (System.nanoTime() > end) {
          throw new StartupException(String.valueOf(e.getMessage()));
        }
        if (!said) {
          log.warn("waiting up to {} s: {}", patience.toSeconds(), e.getMessage());
          System.err.println( // for the launcher, see SupervisedProcess
              "waiting up to " + patience.toSeconds() + " s: " + e.getMessage());
          said = true;
        }
      }
      pause(RETRY_INTERVAL);
    }
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new StartupException("interrupted while waiting for the database", e);
    }
  }

  /// Starts the ports of a standby.
  @FunctionalInterface
  interface Opener {
    ConfigurableApplicationContext standby(PostgresSchema schema);
  }
}
