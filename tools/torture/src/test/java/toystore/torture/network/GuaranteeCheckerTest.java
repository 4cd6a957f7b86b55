package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static toystore.common.RootLocale.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import toystore.torture.network.RecordedRequest.Line;
import toystore.torture.network.RecordedRequest.RequestKind;

/// Tests the checker with short histories. The initial stock is five balls and five kites.
class GuaranteeCheckerTest {
  private final ProductGroup group = new ProductGroup("A", List.of("ball", "kite"), 5);
  private final History history = new History(List.of(group));
  private final List<List<Line>> orders = new ArrayList<>();

  @Test
  void acceptsAHistoryOfACorrectStore() {
    buy(1, 2, "a", 3, sold(0, false));
    order(3);
    buy(3, 4, "b", 3, refused(2, false));
    restock(5, 6, "r", 4, stock(6, false));
    buy(7, 8, "b", 3, refused(2, true));
    buy(9, 10, "a", 3, sold(0, true));
    buy(9, 10, "a", 4, answer(422, "", false));
    buy(11, 12, "c", 1, null);
    order(1);
    query(13, 14, 5);
    check();
  }

  @Test
  void rejectsTwoSalesForOneKey() {
    buy(1, 2, "a", 3, sold(0, false));
    order(3);
    order(3);
    rejects("every order belongs to one request; no request explains this one");
  }

  @Test
  void rejectsDifferentResponsesForOneKey() {
    buy(1, 2, "a", 1, sold(0, false));
    buy(3, 4, "a", 1, sold(1, true));
    rejects("all retries get the identical response");
  }

  @Test
  void rejectsASaleAfterARefusalOfTheSameKey() {
    buy(1, 2, "a", 6, refused(5, false));
    restock(3, 4, "r", 1, stock(6, false));
    buy(5, 6, "a", 6, sold(0, true));
    rejects("all retries get the identical response");
  }

  @Test
  void rejectsALostAcknowledgedOrder() {
    buy(1, 2, "a", 1, sold(0, false));
    rejects("an acknowledged order exists");
  }

  @Test
  void rejectsAnOrderWithOtherLines() {
    buy(1, 2, "a", 1, sold(0, false));
    order(2);
    rejects("order 0 has the requested lines");
  }

  @Test
  void rejectsANumberAssignedTwice() {
    buy(1, 2, "a", 1, sold(0, false));
    buy(3, 4, "b", 1, sold(0, false));
    order(1);
    rejects("number 0 is assigned to one key only");
  }

  @Test
  void rejectsAnOrderThatWasAnswered503() {
    buy(1, 2, "a", 1, answer(503, "", false));
    order(1);
    rejects("every order belongs to one request; no request explains this one");
  }

  @Test
  void rejectsAResponseWithAnotherKey() {
    history.add(
        new Attempt(1, 1, 2, balls(1), "a", true, new RecordedResponse(503, "", false, "b")));
    rejects("a response has the Idempotency-Key of its request");
  }

  private void rejects(String promise) {
    assertThatThrownBy(this::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(promise);
  }

  private void check() {
    GuaranteeChecker.check(history, orders);
  }

  private RecordedRequest balls(int units) {
    return new RecordedRequest(RequestKind.BUY, group, List.of(new Line("ball", units)));
  }

  private void buy(long call, long ret, String key, int units, @Nullable RecordedResponse answer) {
    history.add(
        new Attempt(
            1, call, ret, balls(units), key, true, answer == null ? null : withKey(key, answer)));
  }

  private void restock(long call, long ret, String key, int units, RecordedResponse answer) {
    history.add(
        new Attempt(
            0,
            call,
            ret,
            RecordedRequest.restock(group, "ball", units),
            key,
            true,
            withKey(key, answer)));
  }

  private void query(long call, long ret, int units) {
    history.add(
        new Attempt(
            1, call, ret, RecordedRequest.query(group, "ball"), "", true, stock(units, false)));
  }

  private void order(int units) {
    orders.add(List.of(new Line("ball", units)));
  }

  private static RecordedResponse sold(int number, boolean replayed) {
    return answer(200, format("{\"data\":{\"order_number\":%d}}", number), replayed);
  }

  private static RecordedResponse refused(int left, boolean replayed) {
    return answer(
        409, format("{\"error\":{\"message\":\"\\\"ball\\\" has %d left\"}}", left), replayed);
  }

  private static RecordedResponse stock(int units, boolean replayed) {
    return answer(200, format("{\"data\":{\"quantity\":%d}}", units), replayed);
  }

  private static RecordedResponse answer(int status, String body, boolean replayed) {
    return new RecordedResponse(status, body, replayed, "");
  }

  private static RecordedResponse withKey(String key, RecordedResponse answer) {
    return new RecordedResponse(answer.status(), answer.body(), answer.replayed(), key);
  }
}
