package toystore.torture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import toystore.testkit.Conditions;
import toystore.testkit.HttpBuyers;
import toystore.testkit.StoreProcesses;
import toystore.torture.crash.CrashPoint;

/// Each service kills itself (SIGKILL) at each point of a buy where a crash could leave the order
/// incomplete, while clients buy.
final class CrashPointKills implements Trial {
  private static final int PASSAGES = 30;
  private static final int QUICK_PASSAGES = 8;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final Map<String, List<CrashPoint>> POINTS =
      Map.of(
          "catalog",
          List.of(CrashPoint.BEFORE_COMMIT, CrashPoint.BEFORE_PUBLISHING, CrashPoint.BEFORE_ANSWER),
          "order",
          List.of(CrashPoint.BEFORE_ANSWER),
          "frontend",
          List.of(CrashPoint.BEFORE_ANSWER));

  private static int count() {
    return POINTS.values().stream().mapToInt(List::size).sum();
  }

  @Override
  public String name() {
    return "crash-points";
  }

  @Override
  public String unit() {
    return "kills at crash points";
  }

  @Override
  public long target() {
    return 12L * count();
  }

  @Override
  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    Map<String, Deque<CrashPoint>> left = new TreeMap<>();
    POINTS.forEach((service, points) -> {
      List<CrashPoint> order = new ArrayList<>(points);
      Collections.shuffle(order, random);
      left.put(service, new ArrayDeque<>(order));
    });
    try (var store = new StoreProcesses(round.folder());
        var buyers = new HttpBuyers(round.folder(), 0, store.http("frontend")).buying(8)) {
      var services = new CrashingServices(store, random, round.quick() ? QUICK_PASSAGES : PASSAGES);
      for (var entry : left.entrySet()) {
        services.start(entry.getKey(), entry.getValue().poll());
      }
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      while (!left.isEmpty()) {
        assertThat(System.nanoTime())
            .as(
                "every service dies at each of its points within 5 minutes; remaining points: %s",
                left)
            .isLessThan(end);
        LockSupport.parkNanos(POLL_NANOS);
        for (String service : List.copyOf(left.keySet())) {
          if (services.isDead(service)) {
            CrashPoint next = requireNonNull(left.get(service)).poll();
            services.start(service, next);
            if (next == null) {
              left.remove(service);
            }
          }
        }
      }
      Conditions.await(store.http("frontend")::isReady);
      buyers.stop();
      buyers.checkAgainst(store.http("frontend"));
      round
          .out()
          .printf(
              Locale.ROOT,
              "%d buys acknowledged, killed at %d crash points, no loss%n",
              buyers.bought(),
              count());
    }
    return count();
  }
}
