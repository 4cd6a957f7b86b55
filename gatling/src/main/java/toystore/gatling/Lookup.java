package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;

/// `GET /stocks/{name}`. Checks the name, that the price has a decimal point, and that the quantity
/// is an integer.
record Lookup() implements CallKind {
  @Override
  public String label() {
    return "lookup";
  }

  @Override
  public boolean takesStock() {
    return false;
  }

  @Override
  public ChainBuilder call(MeasuredStore store, String name, Stopwatch timed) {
    return exec(session -> SimulatedClient.withProduct(session, store.stock()))
        .exec(
            timed
                .around(
                    http(name)
                        .get(session ->
                            store.url() + "/stocks/" + SimulatedClient.of(session).product()))
                .check(
                    status().is(200),
                    jsonPath("$.data.name").is(session -> SimulatedClient.of(session).product()),
                    regex("\"price\"\\s*:\\s*\\d+\\.\\d+\\s*[,}]").exists(),
                    regex("\"quantity\"\\s*:\\s*\\d+\\s*[,}]").exists()));
  }
}
