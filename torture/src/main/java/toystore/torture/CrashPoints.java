package toystore.torture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import toystore.catalog.CrashingCatalog;
import toystore.order.CrashingOrder;
import toystore.testkit.Conditions;
import toystore.testkit.HttpBuyers;
import toystore.testkit.StoreProcesses;
import toystore.torture.crash.CrashPoint;
import toystore.torture.crash.CrashingFrontend;

/// Each service is killed (SIGKILL, by its own hand) exactly at each point of a buy where it could
/// leave something half done, while customers buy.
final class CrashPoints implements Trial {
  private static final int PASSAGES = 30;
  private static final int QUICK_PASSAGES = 8;
  private static final int KILLED = 128 + 9;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final Map<String, List<CrashPoint>> POINTS =
      Map.of(
          "catalog",
          List.of(CrashPoint.BEFORE_COMMIT, CrashPoint.BEFORE_PUBLISHING, CrashPoint.BEFORE_ANSWER),
          "order",
          List.of(
              CrashPoint.BEFORE_ENTERING,
              CrashPoint.AFTER_ENTERING,
              CrashPoint.BEFORE_COMMIT,
              CrashPoint.BEFORE_PUBLISHING),
          "frontend",
          List.of(CrashPoint.BEFORE_ANSWER));

  private static final Map<String, Class<?>> MAINS =
      Map.of(
          "catalog", CrashingCatalog.class,
          "order", CrashingOrder.class,
          "frontend", CrashingFrontend.class);

  private static int count() {
    return POINTS.values().stream().mapToInt(List::size).sum();
  }

  @Override
  public String name() {
    return "crash-points";
  }

  @Override
  public String unit() {
    return "deaths at a point";
  }

  @Override
  public long wanted() {
    return 12L * count();
  }

  @Override
  public long round(Round round) throws Exception {
    var random = new Random(round.seed());
    int passages = round.quick() ? QUICK_PASSAGES : PASSAGES;
    Map<String, Deque<CrashPoint>> left = new TreeMap<>();
    POINTS.forEach((service, points) -> {
      List<CrashPoint> order = new ArrayList<>(points);
      Collections.shuffle(order, random);
      left.put(service, new ArrayDeque<>(order));
    });
    try (var store = new StoreProcesses(round.folder());
        var buyers = new HttpBuyers(round.folder(), 0, store.http("frontend")).buying(8)) {
      for (String service : left.keySet()) {
        startNext(store, service, left, random, passages);
      }
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      Set<String> dying = new TreeSet<>(left.keySet());
      while (!dying.isEmpty()) {
        assertThat(System.nanoTime()).as("still to die: %s, then %s", dying, left).isLessThan(end);
        LockSupport.parkNanos(LOOK_NANOS);
        for (String service : List.copyOf(dying)) {
          if (store.process(service).isAlive()) {
            continue;
          }
          assertThat(store.process(service).exitValue()).as(service).isEqualTo(KILLED);
          if (!startNext(store, service, left, random, passages)) {
            dying.remove(service);
          }
        }
      }
      Conditions.await(store.http("frontend")::isReady);
      buyers.stop();
      buyers.checkAgainst(store.http("frontend"));
      round
          .out()
          .printf(
              "%d buys acknowledged, died at %d points, nothing lost%n", buyers.bought(), count());
    }
    return count();
  }

  /// Starts a service so that it dies at the next of its points, or, after the last, as it is.
  ///
  /// @param passages it dies at one of the first so many times it is there
  /// @return whether it is to die again
  private static boolean startNext(
      StoreProcesses store,
      String service,
      Map<String, Deque<CrashPoint>> left,
      Random random,
      int passages)
      throws IOException {
    CrashPoint point = requireNonNull(left.get(service)).poll();
    if (point == null) {
      store.withMain(service, null).withJvm(service);
    } else {
      store
          .withMain(service, requireNonNull(MAINS.get(service)))
          .withJvm(service, point.option(1 + random.nextInt(passages)));
    }
    store.start(service);
    return point != null;
  }
}
