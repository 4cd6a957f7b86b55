package toystore.bazaarlab;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import toystore.gatling.environment.Subject;

/// The markets of an experiment, each with so many clients as it asks for. One thread.
final class Scenario {
  private final Loop.Ground ground;
  private final List<Long> sales;
  private final Set<Target> markets = new LinkedHashSet<>();
  private final List<Measurement> trials = new ArrayList<>();
  private final List<Loop.Step> warmUps = new ArrayList<>();

  Scenario(Loop.Ground ground) {
    this(ground, List.of());
  }

  /// @param sales numbers of sales to ask for
  Scenario(Loop.Ground ground, List<Long> sales) {
    this.ground = ground;
    this.sales = sales;
  }

  /// Asks a market for these, mixed at random where there are several.
  ///
  /// @param few clients that warm it up
  void add(Target market, int few, List<GrpcCall> asks) {
    String kind = asks.size() > 1 ? "mixed" : asks.getFirst().word();
    int calls = Objects.requireNonNull(ground.effort().calls().get(kind), kind);
    for (int clients : ground.effort().clients().each()) {
      trials.add(
          new ConcurrentClientsMeasurement(
              market, asks, clients, calls, sales, ground.loadClient()));
    }
    markets.add(market);
    int window = Math.min(calls, ground.effort().warmUp());
    warmUps.add(() -> market.warmUp(few, window, asks, sales));
  }

  Loop.Setup setup() {
    List<Subject> subjects = markets.stream().map(Target::subject).toList();
    return new Loop.Setup(subjects, trials, Map.of("waiting", "asked"), warmUps);
  }
}
