package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;

/// `POST /orders` for 1 unit. Checks that the response contains only an order number, one that was
/// not returned before.
record Buy() implements CallKind {
  private static final String ORDER_NUMBER =
      "^\\s*\\{\\s*\"data\"\\s*:\\s*\\{\\s*\"order_number\"\\s*:\\s*(\\d+)\\s*}\\s*}\\s*$";

  @Override
  public String label() {
    return "buy";
  }

  @Override
  public boolean takesStock() {
    return true;
  }

  @Override
  public ChainBuilder call(MeasuredStore store, String name, Stopwatch timed) {
    return exec(session -> SimulatedClient.withProduct(session, store.allocation().nextForBuy()))
        .exec(
            timed
                .around(http(name).post(store.url() + "/orders"))
                .header("Content-Type", "application/json")
                .body(StringBody(session -> SimulatedClient.of(session).order()))
                .check(
                    status().is(200),
                    regex(ORDER_NUMBER)
                        .transform(Long::parseLong)
                        .validate(
                            "an order number that the store has not returned before",
                            (number, _) -> store.givenOnce(number))));
  }
}
