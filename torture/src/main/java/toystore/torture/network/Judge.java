package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import toystore.torture.network.Attempt.Said;

/// What follows from the store's promises directly, for all that clients were answered and the
/// store has in the end. It is no proof that the history is linearizable: for that there is
/// [Porcupine]; but it needs nothing but a JDK, and says which promise was broken.
final class Judge {
  private final List<Shelf> shelves;
  private final List<Errand> buys;
  private final List<Errand> restocks;
  private final List<Attempt> looks;
  private final List<Order> orders;
  private final List<Effect> effects = new ArrayList<>();

  /// An order as the store lists it.
  record Order(long number, List<Wish.Line> lines) {}

  /// Something that changed the stock of a toy once, at some moment between two.
  private record Effect(String toy, long units, long from, long until) {}

  /// @param orders all that the store has
  Judge(List<Shelf> shelves, History history, List<Order> orders) {
    this.shelves = shelves;
    List<Attempt> attempts = history.attempts();
    this.buys = errands(attempts, Wish.Buy.class);
    this.restocks = errands(attempts, Wish.Restock.class);
    this.looks =
        attempts.stream()
            .filter(it -> it.wish() instanceof Wish.Look && it.said() == Said.HAS)
            .toList();
    this.orders = orders;
  }

  private static List<Errand> errands(List<Attempt> attempts, Class<? extends Wish> kind) {
    return Errand.of(attempts.stream().filter(it -> kind.isInstance(it.wish())).toList());
  }

  /// @param stock of each toy in the end
  /// @throws AssertionError that names the promise and the requests
  void check(Map<String, Long> stock) {
    buys.forEach(Judge::checkAnswers);
    restocks.forEach(Judge::checkAnswers);
    assertThat(restocks).as("each restock was answered in the end").noneMatch(Errand::isOpen);
    checkOrders();
    checkNumbersFollowTime();
    restocks.forEach(it ->
        it.decided()
            .ifPresent(answered -> {
              var restock = (Wish.Restock) answered.wish();
              note(restock.toy(), restock.quantity(), it.from(restock), it.until());
            }));
    checkConservation(stock);
    checkWhatWasSeen();
  }

  /// One key: one body, one answer, at most once as if it were new, under the key that was sent.
  private static void checkAnswers(Errand errand) {
    List<Attempt> decided = errand.attempts().stream().filter(it -> it.said().isDecided()).toList();
    assertThat(decided.stream().map(Attempt::wish).distinct().count())
        .as("another body with the key of one that was decided gets 422%s", errand)
        .isLessThanOrEqualTo(1);
    assertThat(
            decided.stream()
                .map(it -> it.answered().status() + " " + it.answered().body())
                .distinct()
                .count())
        .as("all repeats get the identical answer%s", errand)
        .isLessThanOrEqualTo(1);
    assertThat(decided.stream().filter(it -> !it.answered().replayed()).count())
        .as("a key is decided once, all other answers are marked as repeats%s", errand)
        .isLessThanOrEqualTo(1);
    for (Attempt attempt : errand.attempts()) {
      assertThat(
              attempt.said() == Said.OTHER
                  && (decided.stream().anyMatch(it -> it.wish().equals(attempt.wish()))
                      || errand.attempts().stream()
                          .allMatch(it -> it.wish().equals(attempt.wish()))))
          .as("422 only where the key was used for another body%s", errand)
          .isFalse();
      assertThat(attempt.answer() == null || attempt.answer().key().equals(attempt.key()))
          .as("an answer bears the key of its request%s", errand)
          .isTrue();
    }
  }

  /// Each number once, without a gap; each acknowledged one with what was asked; and no order that
  /// nobody asked for.
  private void checkOrders() {
    assertThat(orders.stream().map(Order::number))
        .as("numbers run from 0 without a gap")
        .containsExactlyElementsOf(LongStream.range(0, orders.size()).boxed().toList());
    Map<Long, Errand> sold = new HashMap<>();
    for (Errand errand : buys) {
      errand
          .decided()
          .filter(it -> it.said() == Said.SOLD)
          .ifPresent(it -> {
            long number = it.answered().number();
            assertThat(sold.put(number, errand))
                .as("number %d was given to one key only, also to%s", number, errand)
                .isNull();
            assertThat(orders.size()).as("the order exists:%s", errand).isGreaterThan((int) number);
            Order order = orders.get((int) number);
            assertThat(order.lines())
                .as("order %d is what was asked%s", number, errand)
                .isEqualTo(((Wish.Buy) it.wish()).lines());
            order
                .lines()
                .forEach(line ->
                    note(line.toy(), -line.quantity(), errand.from(it.wish()), errand.until()));
          });
    }
    List<Errand> open = new ArrayList<>(buys.stream().filter(Errand::isOpen).toList());
    for (Order order : orders) {
      if (!sold.containsKey(order.number())) {
        Errand asked =
            open.stream()
                .filter(it -> it.attempts().stream().anyMatch(one -> asks(one, order)))
                .findFirst()
                .orElseThrow(() ->
                    new AssertionError("one sale a key, and none that nobody asked for: " + order));
        open.remove(asked);
        long from = asked.attempts().stream().mapToLong(Attempt::call).min().orElseThrow();
        order.lines().forEach(line -> note(line.toy(), -line.quantity(), from, Long.MAX_VALUE));
      }
    }
  }

  private static boolean asks(Attempt attempt, Order order) {
    return attempt.wish() instanceof Wish.Buy buy && buy.lines().equals(order.lines());
  }

  private void note(String toy, long units, long from, long until) {
    effects.add(new Effect(toy, units, from, until));
  }

  /// What was answered before another was asked has the lower number.
  private void checkNumbersFollowTime() {
    List<Errand> sold =
        buys.stream()
            .filter(it -> it.decided().filter(one -> one.said() == Said.SOLD).isPresent())
            .sorted(Comparator.comparingLong(Judge::number))
            .toList();
    Errand latest = null;
    for (Errand errand : sold) {
      if (latest != null) {
        assertThat(errand.until())
            .as("what was sold first has the lower number:%sand%s", latest, errand)
            .isGreaterThan(begin(latest));
      }
      latest = latest == null || begin(errand) > begin(latest) ? errand : latest;
    }
  }

  private static long number(Errand sold) {
    return sold.decided().orElseThrow().answered().number();
  }

  private static long begin(Errand sold) {
    return sold.from(sold.decided().orElseThrow().wish());
  }

  private void checkConservation(Map<String, Long> stock) {
    for (Shelf shelf : shelves) {
      for (String toy : shelf.toys()) {
        long changed =
            effects.stream().filter(it -> it.toy.equals(toy)).mapToLong(Effect::units).sum();
        assertThat(stock.get(toy))
            .as("%s: what there was at first and what came, without what was sold", toy)
            .isEqualTo(shelf.stock() + changed);
      }
    }
  }

  /// Whatever was said of a toy's stock lies between what surely and what possibly had happened.
  private void checkWhatWasSeen() {
    looks.forEach(it ->
        checkSeen(
            ((Wish.Look) it.wish()).toy(),
            it.answered().quantity(),
            it.call(),
            it.ret(),
            new Errand(List.of(it))));
    restocks.forEach(it ->
        it.decided()
            .ifPresent(one ->
                checkSeen(
                    ((Wish.Restock) one.wish()).toy(),
                    one.answered().quantity(),
                    it.from(one.wish()),
                    it.until(),
                    it)));
    buys.forEach(it ->
        it.decided()
            .filter(one -> one.said() == Said.REFUSED)
            .ifPresent(one ->
                checkSeen(
                    one.answered().shortOf(),
                    one.answered().left(),
                    it.from(one.wish()),
                    it.until(),
                    it)));
  }

  private void checkSeen(String toy, long seen, long from, long until, Errand errand) {
    long least = initial(errand);
    long most = least;
    for (Effect effect : effects) {
      if (effect.toy.equals(toy)) {
        boolean surely = effect.until < from;
        boolean possibly = effect.from <= until;
        least += surely || (possibly && effect.units < 0) ? effect.units : 0;
        most += surely || (possibly && effect.units > 0) ? effect.units : 0;
      }
    }
    assertThat(seen)
        .as("the stock of %s that was told is one that there was%s", toy, errand)
        .isBetween(least, most);
  }

  private static long initial(Errand errand) {
    return errand.attempts().getFirst().wish().shelf().stock();
  }
}
