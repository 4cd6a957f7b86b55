package toystore.platform.service;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import toystore.platform.storage.SqliteFile;

/// Readiness: the files of the database have not been moved, so that the service can write. Any
/// thread.
final class StorageHealth implements HealthIndicator {
  private final SqliteFile file;

  StorageHealth(SqliteFile file) {
    this.file = file;
  }

  @Override
  public Health health() {
    return file.moved()
        .map(reason -> Health.outOfService().withDetail("moved", reason).build())
        .orElseGet(() -> Health.up().build());
  }
}
