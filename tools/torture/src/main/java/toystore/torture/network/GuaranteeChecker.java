package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import toystore.torture.network.Attempt.Outcome;
import toystore.torture.network.NetworkFaults.Order;

/// Checks a history and the final state of the store against each guarantee. This does not prove
/// that the history is linearizable; [PorcupineChecker] does. But it needs only a JDK and names the
/// violated guarantee.
final class GuaranteeChecker {
  private final List<ProductGroup> groups;
  private final List<Operation> buys;
  private final List<Operation> restocks;
  private final List<Operation> queries;
  private final List<Order> orders;
  private final List<Effect> effects = new ArrayList<>();

  /// A change of a product's stock that took effect once, at an unknown time between two times.
  private record Effect(String product, long units, long from, long until) {}

  /// @param orders all orders of the store
  GuaranteeChecker(History history, List<Order> orders) {
    this.groups = history.groups();
    List<Attempt> attempts = history.attempts();
    this.buys = operations(attempts, RecordedRequest.Buy.class);
    this.restocks = operations(attempts, RecordedRequest.Restock.class);
    this.queries = operations(attempts, RecordedRequest.Query.class);
    this.orders = orders;
  }

  private static List<Operation> operations(
      List<Attempt> attempts, Class<? extends RecordedRequest> kind) {
    return Operation.of(attempts.stream().filter(it -> kind.isInstance(it.request())).toList());
  }

  /// @param stock the final stock of each product
  /// @throws AssertionError with the violated guarantee and the requests
  void check(Map<String, Long> stock) {
    buys.forEach(GuaranteeChecker::checkAnswers);
    restocks.forEach(GuaranteeChecker::checkAnswers);
    assertThat(restocks).as("every restock is answered eventually").noneMatch(Operation::isOpen);
    checkOrders();
    checkNumbersFollowTime();
    restocks.forEach(it ->
        it.decided()
            .ifPresent(answered -> {
              var restock = (RecordedRequest.Restock) answered.request();
              note(restock.product(), restock.quantity(), it.from(restock), it.until());
            }));
    checkConservation(stock);
    checkAllReportedStock();
  }

  /// One key has one decided body and one response; at most one response is not marked as a replay;
  /// every response has the key of its request.
  private static void checkAnswers(Operation operation) {
    List<Attempt> decided =
        operation.attempts().stream().filter(it -> it.outcome().isDecided()).toList();
    assertThat(decided.stream().map(Attempt::request).distinct().count())
        .as("a different body with the key of a decided request gets 422%s", operation)
        .isLessThanOrEqualTo(1);
    assertThat(
            decided.stream()
                .map(it -> it.answered().status() + " " + it.answered().body())
                .distinct()
                .count())
        .as("all retries get the identical response%s", operation)
        .isLessThanOrEqualTo(1);
    assertThat(decided.stream().filter(it -> !it.answered().replayed()).count())
        .as(
            "a key is decided once; all other responses are marked Idempotency-Replayed%s",
            operation)
        .isLessThanOrEqualTo(1);
    for (Attempt attempt : operation.attempts()) {
      assertThat(
              attempt.outcome() == Outcome.KEY_CONFLICT
                  && (decided.stream().anyMatch(it -> it.request().equals(attempt.request()))
                      || operation.attempts().stream()
                          .allMatch(it -> it.request().equals(attempt.request()))))
          .as("422 only if the key was used with a different body%s", operation)
          .isFalse();
      assertThat(attempt.answer() == null || attempt.answer().key().equals(attempt.key()))
          .as("a response has the Idempotency-Key of its request%s", operation)
          .isTrue();
    }
  }

  /// Numbers are unique and have no gap; every acknowledged order has the requested lines; every
  /// order belongs to a request.
  private void checkOrders() {
    assertThat(orders.stream().map(Order::number))
        .as("order numbers start at 0 and have no gap")
        .containsExactlyElementsOf(LongStream.range(0, orders.size()).boxed().toList());
    Map<Long, Operation> sold = new HashMap<>();
    for (Operation operation : buys) {
      operation
          .decidedAs(Outcome.SOLD)
          .ifPresent(it -> {
            long number = it.answered().number();
            assertThat(sold.put(number, operation))
                .as("number %d is assigned to one key only; a second one is%s", number, operation)
                .isNull();
            assertThat(orders.size())
                .as("an acknowledged order exists:%s", operation)
                .isGreaterThan((int) number);
            Order order = orders.get((int) number);
            assertThat(order.lines())
                .as("order %d has the requested lines%s", number, operation)
                .isEqualTo(((RecordedRequest.Buy) it.request()).lines());
            order
                .lines()
                .forEach(line ->
                    note(
                        line.product(),
                        -line.quantity(),
                        operation.from(it.request()),
                        operation.until()));
          });
    }
    List<Operation> open = new ArrayList<>(buys.stream().filter(Operation::isOpen).toList());
    for (Order order : orders) {
      if (!sold.containsKey(order.number())) {
        Operation asked =
            open.stream()
                .filter(it -> it.attempts().stream().anyMatch(one -> asks(one, order)))
                .findFirst()
                .orElseThrow(() ->
                    new AssertionError(
                        "every order belongs to one request; no request explains this one: "
                            + order));
        open.remove(asked);
        long from = asked.attempts().stream().mapToLong(Attempt::call).min().orElseThrow();
        order.lines().forEach(line -> note(line.product(), -line.quantity(), from, Long.MAX_VALUE));
      }
    }
  }

  private static boolean asks(Attempt attempt, Order order) {
    return attempt.request() instanceof RecordedRequest.Buy buy
        && buy.lines().equals(order.lines());
  }

  private void note(String product, long units, long from, long until) {
    effects.add(new Effect(product, units, from, until));
  }

  /// If one sale was answered before another was requested, it has the lower number.
  private void checkNumbersFollowTime() {
    List<Operation> sold =
        buys.stream()
            .filter(it -> it.decidedAs(Outcome.SOLD).isPresent())
            .sorted(Comparator.comparingLong(GuaranteeChecker::number))
            .toList();
    Operation latest = null;
    for (Operation operation : sold) {
      if (latest != null) {
        assertThat(operation.until())
            .as("an earlier sale has the lower number:%sand%s", latest, operation)
            .isGreaterThan(begin(latest));
      }
      latest = latest == null || begin(operation) > begin(latest) ? operation : latest;
    }
  }

  private static long number(Operation sold) {
    return sold.decided().orElseThrow().answered().number();
  }

  private static long begin(Operation sold) {
    return sold.from(sold.decided().orElseThrow().request());
  }

  private void checkConservation(Map<String, Long> stock) {
    for (ProductGroup group : groups) {
      for (String product : group.products()) {
        long changed =
            effects.stream()
                .filter(it -> it.product.equals(product))
                .mapToLong(Effect::units)
                .sum();
        assertThat(stock.get(product))
            .as("final stock of %s equals initial stock plus restocks minus sales", product)
            .isEqualTo(group.stock() + changed);
      }
    }
  }

  /// Every reported stock lies within the bounds given by the changes that had certainly and
  /// possibly happened by then.
  private void checkAllReportedStock() {
    Stream.of(queries, restocks, buys)
        .flatMap(List::stream)
        .forEach(
            operation -> operation.decided().ifPresent(it -> checkReportedStock(operation, it)));
  }

  private void checkReportedStock(Operation operation, Attempt decided) {
    RecordedResponse answer = decided.answered();
    switch (decided.request()) {
      case RecordedRequest.Query query ->
          checkReportedStock(query.product(), answer.quantity(), operation, query);
      case RecordedRequest.Restock restock ->
          checkReportedStock(restock.product(), answer.quantity(), operation, restock);
      case RecordedRequest.Buy buy when decided.outcome() == Outcome.REFUSED ->
          checkReportedStock(answer.shortOf(), answer.left(), operation, buy);
      case RecordedRequest.Buy _ -> {} // the response to a sale does not contain the stock
    }
  }

  private void checkReportedStock(
      String product, long seen, Operation operation, RecordedRequest request) {
    long from = operation.from(request);
    long until = operation.until();
    long least = request.group().stock();
    long most = least;
    for (Effect effect : effects) {
      if (effect.product.equals(product)) {
        boolean surely = effect.until < from;
        boolean possibly = effect.from <= until;
        least += surely || (possibly && effect.units < 0) ? effect.units : 0;
        most += surely || (possibly && effect.units > 0) ? effect.units : 0;
      }
    }
    assertThat(seen)
        .as("the reported stock of %s is possible at that time%s", product, operation)
        .isBetween(least, most);
  }
}
