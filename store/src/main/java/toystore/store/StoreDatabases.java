package toystore.store;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import toystore.platform.service.DatabaseCredentials;
import toystore.platform.service.StartupException;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.StoreIdentity;
import toystore.platform.storage.TableCopy;

/// The databases of all services of a store that is stopped: the files of a data folder, which the
/// caller has locked, or the schemas of a PostgreSQL database. The schemas are used in one
/// transaction, so all of them are changed or none. One thread.
final class StoreDatabases implements AutoCloseable {
  private final Map<String, Database> databases = new LinkedHashMap<>();
  private final boolean isPostgres;

  /// Opens the databases and migrates them.
  ///
  /// @param place a folder or a URL
  /// @param create whether to create those that do not exist
  /// @param store the store that may use the schemas; null: any
  /// @throws StartupException if there is no store, or a service uses it
  StoreDatabases(
      String place, Environment environment, boolean create, @Nullable StoreIdentity store)
      throws SQLException {
    isPostgres = isPostgres(place);
    try {
      for (StoreServiceDescriptor service : StoreApplication.descriptors()) {
        if (service.database()) {
          if (isPostgres) {
            open(service.name(), server(place, environment), create, store);
          } else {
            open(service.name(), Path.of(place), create);
          }
        }
      }
      require(!databases.isEmpty(), place + " contains no store");
      for (String service : services()) {
        TableCopy.lock(connection(service));
      }
    } catch (SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  static boolean isPostgres(String place) {
    return place.startsWith("jdbc:");
  }

  static PostgresServer server(String url, Environment environment) {
    return DatabaseCredentials.server("database", url, environment);
  }

  private void open(
      String service, PostgresServer server, boolean create, @Nullable StoreIdentity store)
      throws SQLException {
    PostgresSchema schema = PostgresSchema.of(server, service, store);
    if (create || schema.exists()) {
      require(schema.tryBecomeWriter(), schema + " is used by a service; stop the store first");
      databases.put(service, schema);
    }
  }

  private void open(String service, Path data, boolean create) {
    Path file = data.resolve(service).resolve(service + ".db");
    if (create || Files.exists(file)) {
      databases.put(service, SqliteFile.open(file, "db/" + service));
    }
  }

  private static void require(boolean valid, String message) {
    if (!valid) {
      throw new StartupException(message);
    }
  }

  Set<String> services() {
    return databases.keySet();
  }

  Database database(String service) {
    return requireNonNull(databases.get(service));
  }

  /// The connection for a service's tables, until the next call.
  Connection connection(String service) throws SQLException {
    if (!isPostgres) {
      return database(service).writing();
    }
    Connection shared = first().writing();
    shared.setSchema(service);
    return shared;
  }

  /// Commits what was written.
  void commit() throws SQLException {
    if (isPostgres) {
      connection(services().iterator().next());
      first().commit();
    } else {
      for (Database database : databases.values()) {
        database.commit();
      }
    }
  }

  private Database first() {
    return databases.values().iterator().next();
  }

  /// Rolls back what was not committed.
  @Override
  public void close() throws SQLException {
    for (Database database : databases.values()) {
      database.rollback();
      database.close();
    }
  }
}
