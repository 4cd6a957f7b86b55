package toystore.lab.simulation;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.FeederBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The calls of a client of the store: a query and a buy, each of a product chosen at random, with
/// a check of the response; and the protocol.
final class StoreCalls {
  final CallTimer timer = new CallTimer();
  final ChainBuilder query;
  final ChainBuilder buy;
  final HttpProtocolBuilder protocol;

  StoreCalls(SimulationPlan simulation) {
    FeederBuilder<Object> products =
        listFeeder(simulation.products().stream().map(StoreCalls::entry).toList()).random();
    query =
        feed(products)
            .exec(
                timer
                    .timed("query", http("query").get("/products/#{path}"))
                    .check(
                        status().is(200),
                        jsonPath("$.data.name").isEL("#{product}"),
                        jsonPath("$.data.price").exists(),
                        jsonPath("$.data.quantity").exists()));
    buy =
        feed(products)
            .exec(
                timer
                    .timed("buy", http("buy").post("/orders"))
                    .body(StringBody("{\"name\":\"#{product}\",\"quantity\":1}"))
                    .asJson()
                    .check(status().is(200), jsonPath("$.data.order_number").exists()));
    protocol =
        http.baseUrl(simulation.plan().url().toString())
            .acceptHeader("application/json")
            .userAgentHeader("toystore-gatling")
            .disableCaching()
            .disableWarmUp();
  }

  private static Map<String, Object> entry(String product) {
    String path = URLEncoder.encode(product, StandardCharsets.UTF_8).replace("+", "%20");
    return Map.of("product", product, "path", path);
  }

  /// A call of a server that does nothing.
  ChainBuilder nothing(URI nullServer) {
    return exec(
        timer.timed("null", http("null").get(nullServer.toString())).check(status().is(200)));
  }
}
