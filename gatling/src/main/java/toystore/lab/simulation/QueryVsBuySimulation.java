package toystore.lab.simulation;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.FeederBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import toystore.lab.load.StartPlan;

/// Queries (`GET /products/NAME`) and buys (`POST /orders`) by 1 to 5 clients. Each client sends
/// its next request after the response to the previous one. Each kind and number of clients is a
/// scenario of its own; one follows the other:
///
/// 1. the published pass: each client makes 1,000 queries, or 100 buys,
/// 2. a warm-up with both kinds,
/// 3. the measured scenarios in random order, for a fixed time each.
public final class QueryVsBuySimulation extends Simulation {
  private final SimulationPlan simulation = SimulationPlan.read();
  private final StartPlan plan = simulation.plan();
  private final CallTimer timer = new CallTimer();

  private final FeederBuilder<Object> products =
      listFeeder(
              simulation.products().stream()
                  .map(it ->
                      Map.<String, Object>of(
                          "product",
                          it,
                          "path",
                          URLEncoder.encode(it, StandardCharsets.UTF_8).replace("+", "%20")))
                  .toList())
          .random();

  private final ChainBuilder query =
      feed(products)
          .exec(
              timer
                  .timed(http("query").get("/products/#{path}"))
                  .check(
                      status().is(200),
                      jsonPath("$.data.name").isEL("#{product}"),
                      jsonPath("$.data.price").exists(),
                      jsonPath("$.data.quantity").exists()));

  private final ChainBuilder buy =
      feed(products)
          .exec(
              timer
                  .timed(http("buy").post("/orders"))
                  .body(StringBody("{\"name\":\"#{product}\",\"quantity\":1}"))
                  .asJson()
                  .check(status().is(200), jsonPath("$.data.order_number").exists()));

  public QueryVsBuySimulation() {
    var scenarios = new ArrayList<PopulationBuilder>();
    plan.coldPass().forEach(it -> scenarios.add(publishedPass(it)));
    scenarios.add(warmUp());
    plan.cells().forEach(it -> scenarios.add(measured(it)));
    setUp(oneAfterTheOther(scenarios))
        .protocols(
            http.baseUrl(plan.url().toString())
                .acceptHeader("application/json")
                .userAgentHeader("toystore-gatling")
                .disableCaching()
                .disableWarmUp())
        .assertions(global().failedRequests().count().is(0L));
  }

  private ChainBuilder call(String kind) {
    return switch (kind) {
      case "query" -> query;
      case "buy" -> buy;
      default -> throw new IllegalArgumentException("expected query or buy, got " + kind);
    };
  }

  private PopulationBuilder publishedPass(StartPlan.ColdCell cell) {
    var measuring = simulation.cell("cold", cell.kind(), cell.clients(), 0, timer);
    return scenario("published pass: %s, %d clients".formatted(cell.kind(), cell.clients()))
        .exec(CallTimer::addTo)
        .exec(measuring::enter)
        .rendezVous(cell.clients())
        .exec(measuring::begin)
        .exec(repeat(cell.calls()).on(call(cell.kind())))
        .exec(measuring::leave)
        .injectOpen(atOnceUsers(cell.clients()));
  }

  private PopulationBuilder warmUp() {
    return scenario("warm-up")
        .exec(CallTimer::addTo)
        .exec(during(Duration.ofMillis((long) (plan.warmUpSeconds() * 1e3))).on(exec(query, buy)))
        .injectOpen(atOnceUsers(plan.warmUpClients()));
  }

  private PopulationBuilder measured(StartPlan.PlannedCell cell) {
    var measuring =
        simulation.cell("closed", cell.kind(), cell.clients(), cell.repetition(), timer);
    ChainBuilder call = call(cell.kind());
    return scenario(
            "%s, %d clients, repetition %d"
                .formatted(cell.kind(), cell.clients(), cell.repetition()))
        .exec(CallTimer::addTo)
        .exec(measuring::enter)
        .exec(during(Duration.ofMillis(plan.settlingMillis())).on(call))
        .rendezVous(cell.clients())
        .exec(measuring::begin)
        .exec(during(Duration.ofMillis(plan.measuringMillis())).on(call))
        .exec(measuring::leave)
        .injectOpen(atOnceUsers(cell.clients()));
  }

  private static PopulationBuilder oneAfterTheOther(List<PopulationBuilder> scenarios) {
    PopulationBuilder chain = scenarios.getLast();
    for (PopulationBuilder earlier : scenarios.reversed().subList(1, scenarios.size())) {
      chain = earlier.andThen(chain);
    }
    return chain;
  }
}
