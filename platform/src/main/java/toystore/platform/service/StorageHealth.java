package toystore.platform.service;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import toystore.platform.storage.Database;

/// Readiness: the database can be used. Any thread.
final class StorageHealth implements HealthIndicator {
  private final Database database;

  StorageHealth(Database database) {
    this.database = database;
  }

  @Override
  public Health health() {
    String reason = database.notReady();
    return reason == null
        ? Health.up().build()
        : Health.outOfService().withDetail("reason", reason).build();
  }
}
