package toystore.platform.service;

import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import toystore.platform.storage.LockedFolder;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SqliteFile;

/// What a gRPC service with a database of its own imports: its folder, its file, who reads, who
/// writes and who audits it. All that is told apart by the [ServiceDescriptor].
@Configuration(proxyBeanMethods = false)
public class DatabaseConfiguration {
  /// What must be well before the database is made: refused there, a start leaves none behind.
  @FunctionalInterface
  public interface FirstStart {
    void check();
  }

  @Bean
  LockedFolder dataFolder(StoreSettings store, ServiceDescriptor service) {
    return StorageStartup.open(() -> LockedFolder.lock(store.folder(service.name())));
  }

  @Bean
  SqliteFile sqliteFile(
      LockedFolder folder, ServiceDescriptor service, ObjectProvider<FirstStart> first) {
    Path path = folder.file(service.name() + ".db");
    if (Files.notExists(path)) {
      first.forEach(FirstStart::check);
    }
    return StorageStartup.open(() -> SqliteFile.open(path, "db/" + service.name()));
  }

  @Bean
  DatabaseSettings databaseSettings(ServiceDescriptor service, Environment environment) {
    return DatabaseSettings.of(service, environment);
  }

  @Bean
  ReadPool readPool(SqliteFile file, DatabaseSettings settings) {
    return file.readers(settings.readers(), settings.readQueue());
  }

  @Bean
  AuditRpc auditRpc(Audit audit) {
    return new AuditRpc(audit);
  }

  /// gRPC calls run where they arrive: they never block.
  @Bean
  GrpcServerExecutorProvider direct() {
    return () -> Runnable::run;
  }
}
