package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import toystore.torture.network.Attempt.Outcome;
import toystore.torture.network.RecordedRequest.Line;

/// Compares a history with the list of orders, and the responses to each key with each other.
/// [PorcupineChecker] checks all else: whether the responses of the history are possible.
final class GuaranteeChecker {
  private GuaranteeChecker() {}

  /// @param orders the lines of all orders of the store, by number
  /// @throws AssertionError with the violated guarantee and the requests
  static void check(History history, List<List<Line>> orders) {
    List<Operation> operations = Operation.of(history.attempts());
    operations.forEach(GuaranteeChecker::checkAnswers);
    checkOrders(operations, orders);
  }

  private static void checkAnswers(Operation operation) {
    assertThat(
            operation.attempts().stream()
                .filter(it -> it.outcome().isDecided())
                .map(it -> it.answered().status() + " " + it.answered().body())
                .distinct()
                .count())
        .as("all retries get the identical response%s", operation)
        .isLessThanOrEqualTo(1);
    assertThat(operation.attempts())
        .as("a response has the Idempotency-Key of its request%s", operation)
        .allMatch(it -> it.answer() == null || it.answer().key().equals(it.key()));
  }

  /// Numbers are unique; every acknowledged order has the requested lines; every order belongs to a
  /// request.
  private static void checkOrders(List<Operation> operations, List<List<Line>> orders) {
    Map<Long, Operation> sold = new HashMap<>();
    List<Operation> open = new ArrayList<>(operations.stream().filter(Operation::isOpen).toList());
    for (Operation operation : operations) {
      Attempt decided = operation.decided().orElse(null);
      if (decided != null && decided.outcome() == Outcome.SOLD) {
        long number = decided.answered().number();
        assertThat(sold.put(number, operation))
            .as("number %d is assigned to one key only; a second one is%s", number, operation)
            .isNull();
        assertThat(number)
            .as("an acknowledged order exists:%s", operation)
            .isLessThan(orders.size());
        assertThat(asks(decided, orders.get((int) number)))
            .as("order %d has the requested lines%s", number, operation)
            .isTrue();
      }
    }
    for (int number = 0; number < orders.size(); number++) {
      List<Line> order = orders.get(number);
      if (!sold.containsKey((long) number)) {
        Operation asked =
            open.stream()
                .filter(it -> it.attempts().stream().anyMatch(one -> asks(one, order)))
                .findFirst()
                .orElseThrow(() ->
                    new AssertionError(
                        "every order belongs to one request; no request explains this one: "
                            + order));
        open.remove(asked);
      }
    }
  }

  private static boolean asks(Attempt attempt, List<Line> order) {
    return attempt.request().isBuy() && attempt.request().lines().equals(order);
  }
}
