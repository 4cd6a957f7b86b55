package toystore.frontend.audit;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// A service the frontend cannot do without.
///
/// @param setting the setting that names its host
record Peer(PeerClient service, String setting, String target) implements HealthIndicator {
  @Override
  public Health health() {
    String status = service.status();
    Health.Builder health = status.equals("SERVING") ? Health.up() : Health.down();
    return health.withDetail("status", status).withDetail(setting, target).build();
  }
}
