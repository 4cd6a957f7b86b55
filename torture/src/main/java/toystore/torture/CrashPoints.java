package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import toystore.catalog.CrashingCatalog;
import toystore.order.CrashingOrder;
import toystore.torture.crash.CrashPoint;
import toystore.torture.crash.CrashingFrontend;

/// Each service is killed (SIGKILL, by its own hand) exactly at each point of a buy where it could
/// leave something half done, while customers buy.
final class CrashPoints implements Trial {
  private static final int PASSAGES = 30;
  private static final int KILLED = 128 + 9;

  private static final List<Place> ALL =
      List.of(
          new Place("catalog", CrashingCatalog.class, CrashPoint.BEFORE_COMMIT),
          new Place("catalog", CrashingCatalog.class, CrashPoint.BEFORE_PUBLISHING),
          new Place("catalog", CrashingCatalog.class, CrashPoint.BEFORE_ANSWER),
          new Place("order", CrashingOrder.class, CrashPoint.BEFORE_ENTERING),
          new Place("order", CrashingOrder.class, CrashPoint.AFTER_ENTERING),
          new Place("order", CrashingOrder.class, CrashPoint.BEFORE_COMMIT),
          new Place("order", CrashingOrder.class, CrashPoint.BEFORE_PUBLISHING),
          new Place("frontend", CrashingFrontend.class, CrashPoint.BEFORE_ANSWER));

  private record Place(String service, Class<?> main, CrashPoint point) {}

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
    return 10L * ALL.size();
  }

  @Override
  public long round(Round round) throws Exception {
    var random = new Random(round.seed());
    List<Place> places = new ArrayList<>(ALL);
    Collections.shuffle(places, random);
    try (var store = StoreProcesses.start(round.folder(), "catalog", "order", "frontend");
        var shoppers = new Shoppers(round.folder(), 0, store.http("frontend")).buying(8)) {
      for (Place place : places) {
        die(store, place, 1 + random.nextInt(PASSAGES));
      }
      StoreProcesses.await(store.http("frontend")::isReady);
      shoppers.leave();
      shoppers.checkAgainst(store.http("frontend"));
      round
          .out()
          .printf(
              "%d buys acknowledged, died at %d points, nothing lost%n",
              shoppers.bought(), places.size());
    }
    return places.size();
  }

  /// Starts a service so that it dies at a point, waits until it has, and starts it as it is.
  private static void die(StoreProcesses store, Place place, int passage) throws Exception {
    String service = place.service();
    store.kill(service);
    store.withMain(service, place.main()).withJvm(service, place.point().option(passage));
    store.start(service);
    Process process = store.process(service);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s passes %s", service, place).isTrue();
    assertThat(process.exitValue()).as("%s at %s", service, place).isEqualTo(KILLED);
    store.withOwnMain(service).withJvm(service);
    store.start(service);
  }
}
