package toystore.frontend.audit;

import java.util.Map;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.JsonResponse;

/// `GET /health` on the public port: whether store and marketplace are ready, without details.
@Controller
final class HealthController {
  private final HealthEndpoint health;

  HealthController(HealthEndpoint health) {
    this.health = health;
  }

  @GetMapping("/health")
  JsonResponse health() {
    HealthDescriptor readiness = health.healthForPath("marketplace");
    if (readiness != null && readiness.getStatus().equals(Status.UP)) {
      return JsonResponse.plain(200, Map.of("status", "UP"));
    }
    throw ApiException.of(
        ApiErrorReason.NOT_DONE, "the store or the marketplace is not ready; retry later");
  }
}
