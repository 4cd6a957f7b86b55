package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import toystore.clients.StoreProcesses;
import toystore.torture.crash.CrashPoint;
import toystore.torture.crash.CrashPoints;

/// Starts services that kill themselves at a crash point. One thread.
///
/// @param passages the maximum number of times that a service passes its crash point; it dies at a
///   random one of them
record CrashingServices(StoreProcesses store, Random random, int passages) {
  /// @param point the crash point; null: the service does not kill itself
  void start(String service, @Nullable CrashPoint point) throws IOException {
    if (point == null) {
      store.withBean(service, null);
    } else {
      store
          .withBean(service, CrashPoints.class)
          .with(service, CrashPoints.POINT, point.name())
          .with(service, CrashPoints.PASSAGE, Integer.toString(1 + random.nextInt(passages)));
    }
    store.start(service);
  }

  /// Whether the service has killed itself.
  boolean isDead(String service) {
    if (store.process(service).isAlive()) {
      return false;
    }
    assertThat(store.process(service).exitValue()).as(service).isEqualTo(CrashPoints.KILLED);
    return true;
  }
}
