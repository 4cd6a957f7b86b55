package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;

/// `POST /orders` with a type. Buys and sells 1 unit alternately, so that no stock runs out. Checks
/// that the response contains only a transaction number, one that was not returned before.
record Trade() implements CallKind {
  private static final String TRANSACTION_NUMBER =
      "^\\s*\\{\\s*\"data\"\\s*:\\s*\\{\\s*\"transaction_number\"\\s*:\\s*(\\d+)\\s*}\\s*}\\s*$";

  @Override
  public String label() {
    return "trade";
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
                .around(http(name).post(store.url() + "/orders"))
                .header("Content-Type", "application/json")
                .body(StringBody(session -> SimulatedClient.of(session).trade()))
                .check(
                    status().is(200),
                    regex(TRANSACTION_NUMBER)
                        .transform(Long::parseLong)
                        .validate(
                            "a transaction number that the store has not returned before",
                            (number, _) -> store.givenOnce(number))));
  }
}
