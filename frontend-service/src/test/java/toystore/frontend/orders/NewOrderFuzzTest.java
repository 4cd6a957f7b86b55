package toystore.frontend.orders;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import toystore.frontend.http.RequestBodies;
import toystore.frontend.http.error.ApiException;

/// Any body is parsed as an order or rejected.
class NewOrderFuzzTest {
  @FuzzTest
  void anyBodyIsAnOrderOrReturns4xx(byte[] body) {
    NewOrder order;
    try {
      order = RequestBodies.read(body, NewOrder.class);
    } catch (ApiException refusal) {
      assertThat(refusal.status()).as(refusal.getMessage()).isIn(400, 404);
      return;
    }
    assertThat(order.lines()).hasSizeBetween(1, order.asList() ? 50 : 1);
    assertThat(order.lines())
        .allMatch(line -> !line.name().isEmpty())
        .allMatch(line -> line.quantity() >= 1);
  }
}
