package toystore.frontend.audit;

import java.util.Map;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.error.ApiException;
import toystore.platform.error.ErrorReason;

/// `GET /health` on the public port: whether store and marketplace are ready, without details.
@RestController
final class HealthController {
  private final HealthEndpoint health;

  HealthController(HealthEndpoint health) {
    this.health = health;
  }

  @GetMapping("/health")
  Map<String, String> health() {
    HealthDescriptor readiness = health.healthForPath("marketplace");
    if (readiness != null && readiness.getStatus().equals(Status.UP)) {
      return Map.of("status", "UP");
    }
    throw ApiException.of(
        ErrorReason.NOT_DONE, "the store or the marketplace is not ready; retry later");
  }
}
