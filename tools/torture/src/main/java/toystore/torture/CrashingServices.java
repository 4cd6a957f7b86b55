package toystore.torture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import toystore.order.CrashingOrder;
import toystore.testkit.StoreProcesses;
import toystore.torture.crash.CrashPoint;
import toystore.torture.crash.CrashingCatalog;
import toystore.torture.crash.CrashingFrontend;

/// Starts services that kill themselves at a crash point. One thread.
///
/// @param passages the maximum number of times that a service passes its crash point; it dies at a
///   random one of them
record CrashingServices(StoreProcesses store, Random random, int passages) {
  private static final int KILLED = 128 + 9;
  private static final Map<String, Class<?>> MAINS =
      Map.of(
          "catalog", CrashingCatalog.class,
          "order", CrashingOrder.class,
          "frontend", CrashingFrontend.class);

  /// @param point the crash point; null: the service does not kill itself
  void start(String service, @Nullable CrashPoint point) throws IOException {
    if (point == null) {
      store.withMain(service, null).withJvm(service);
    } else {
      store
          .withMain(service, requireNonNull(MAINS.get(service)))
          .withJvm(service, point.option(1 + random.nextInt(passages)));
    }
    store.start(service);
  }

  /// Whether the service has killed itself.
  boolean isDead(String service) {
    if (store.process(service).isAlive()) {
      return false;
    }
    assertThat(store.process(service).exitValue()).as(service).isEqualTo(KILLED);
    return true;
  }
}
