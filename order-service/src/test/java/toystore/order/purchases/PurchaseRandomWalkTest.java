package toystore.order.purchases;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.Cart;
import toystore.order.domain.CartChange;
import toystore.order.domain.CartLine;
import toystore.order.domain.CartOwner;
import toystore.order.domain.Purchase;
import toystore.payment.v1.PaymentState;
import toystore.platform.journal.Answer;
import toystore.platform.service.AuditCheckResult;
import toystore.testkit.TestDatabase.Engine;

/// Carts and purchases against a naive model. Cards are declined, captures refused, answers lost,
/// peers unavailable, items sold out, prices change, and the service restarts from a killed
/// process's files.
///
/// `-Dwalk.seeds=N` sets the number of seeds.
@Tag("walk")
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // set before each test
class PurchaseRandomWalkTest {
  private static final int STEPS = 60;
  private static final List<CartOwner> OWNERS =
      List.of(
          new CartOwner(1, 11), new CartOwner(1, 12), new CartOwner(2, 21), new CartOwner(3, 31));

  @Parameter Engine engine;
  @TempDir Path folder;

  /// Quantities by item.
  private final Map<Long, Map<Long, Long>> saved = new HashMap<>();

  private final Map<CartOwner, Map<Long, Long>> sessions = new HashMap<>();
  private final Map<Long, List<String>> bought = new HashMap<>();
  private final Map<Long, Long> stock = new TreeMap<>();
  private long revenue;
  private int keys;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("walk.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void cartsAndPurchasesEqualAModel(long seed) throws Exception {
    var random = new Random(seed);
    try (var machine = new PurchaseMachine(folder, engine)) {
      machine.restart();
      for (long item = 1; item <= 4; item++) {
        put(machine, item, 40);
      }
      for (int step = 0; step < STEPS; step++) {
        CartOwner owner = OWNERS.get(random.nextInt(OWNERS.size()));
        step(machine, random, owner);
        for (CartOwner each : OWNERS) {
          assertThat(quantities(machine.cart(each).view()))
              .as("seed %d, step %d, cart of %s", seed, step, each)
              .isEqualTo(view(each));
          assertThat(quantities(machine.cart(each).saved())).isEqualTo(saved(each));
        }
      }
      machine.awaitFinished();
      for (CartOwner each : OWNERS) {
        assertThat(machine.purchased(each.buyerId()).stream().map(PurchaseRandomWalkTest::line))
            .isEqualTo(bought.getOrDefault(each.buyerId(), List.of()));
      }
      stock.forEach((item, units) -> assertThat(machine.items.stock(item)).isEqualTo(units));
      assertThat(machine.payments.capturedCents()).isEqualTo(revenue);
      assertThat(machine.audit()).allMatch(AuditCheckResult::ok);
    }
  }

  private void step(PurchaseMachine machine, Random random, CartOwner owner) throws Exception {
    long item = 1 + random.nextInt(4);
    long quantity = 1 + random.nextInt(3);
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> {
        boolean enough = view(owner).getOrDefault(item, 0L) + quantity <= units(item);
        assertThat(machine.add(owner, nextKey(), item, quantity))
            .isInstanceOf(enough ? Answer.Done.class : Answer.Refusal.class);
        if (enough) {
          own(owner).merge(item, quantity, Long::sum);
        }
      }
      case 4 -> {
        long before = view(owner).getOrDefault(item, 0L);
        machine.change(owner, new CartChange.Remove(item, quantity), null);
        if (before >= quantity) {
          subtract(own(owner), item, quantity);
        }
      }
      case 5 -> {
        machine.change(owner, new CartChange.Save(), nextKey());
        saved.put(owner.buyerId(), new LinkedHashMap<>(view(owner)));
        sessions.remove(owner);
      }
      case 6 -> {
        machine.change(owner, new CartChange.Clear(), null);
        own(owner).clear();
      }
      case 7 -> {
        machine.endSession(owner);
        sessions.remove(owner);
      }
      case 8 -> {
        machine.awaitFinished();
        machine.restart();
      }
      default -> buy(machine, random, owner);
    }
  }

  private void buy(PurchaseMachine machine, Random random, CartOwner owner) throws Exception {
    Map<Long, Long> cart = new LinkedHashMap<>(view(owner));
    List<CartLine> lines = machine.cart(owner).view().lines();
    long voided = machine.payments.count(PaymentState.PAYMENT_STATE_VOIDED);
    String key = nextKey();
    String card = FakePaymentProvider.GOOD;
    boolean unavailable = false;
    long repriced = 0;
    switch (random.nextInt(10)) {
      case 0 -> card = FakePaymentProvider.DECLINED;
      case 1 -> card = FakePaymentProvider.NO_CAPTURE;
      case 2 -> machine.payments.lostAnswers.set(1 + random.nextInt(2));
      case 3 -> machine.items.lostAnswers.set(1);
      case 4 -> unavailable = true;
      case 5 -> put(machine, 1 + random.nextInt(4), random.nextInt(3));
      case 6 -> {
        cart.forEach((item, quantity) -> put(machine, item, Math.max(units(item), quantity)));
        repriced = cart.isEmpty() ? 1 : List.copyOf(cart.keySet()).get(random.nextInt(cart.size()));
        machine.items.put(repriced, price(repriced) + 1, units(repriced));
      }
      default -> {}
    }
    machine.payments.unavailable = unavailable;
    Answer<Sold> result = machine.buy(owner, key, card).join();
    machine.payments.unavailable = false;
    String expected = expectedResult(cart, unavailable, card, repriced != 0);
    assertThat(describe(result)).isEqualTo(expected);
    if (expected.equals("sold")) {
      boolean returned = card.equals(FakePaymentProvider.NO_CAPTURE);
      record(owner, cart, returned);
      if (random.nextBoolean()) { // before or after the capture
        machine.restart();
      }
      if (returned) {
        machine.awaitFinished();
      }
      Answer<Sold> repeated = machine.buy(owner, key, FakePaymentProvider.GOOD).join();
      assertThat(describe(repeated)).isEqualTo(returned ? "PURCHASE_RETURNED" : "sold");
      if (!returned) {
        assertThat(repeated).isEqualTo(result.again());
        assertThat(((Answer.Done<Sold>) result).value().units())
            .isEqualTo(cart.values().stream().mapToLong(it -> it).sum());
      }
    }
    machine.awaitFinished();
    if (expected.equals("PRICE_CHANGED")) {
      assertThat(machine.cart(owner).view().lines()).containsExactlyInAnyOrderElementsOf(lines);
      assertThat(machine.payments.count(PaymentState.PAYMENT_STATE_VOIDED)).isEqualTo(voided + 1);
    }
    machine.payments.lostAnswers.set(0);
    machine.items.lostAnswers.set(0);
    for (long item = 1; item <= 4; item++) {
      put(machine, item, Math.max(units(item), 10));
    }
  }

  private String expectedResult(
      Map<Long, Long> cart, boolean unavailable, String card, boolean repriced) {
    if (cart.isEmpty()) {
      return "CART_EMPTY";
    }
    if (unavailable) {
      return "NOT_DONE";
    }
    if (card.equals(FakePaymentProvider.DECLINED)) {
      return "CARD_DECLINED";
    }
    if (repriced) {
      return "PRICE_CHANGED";
    }
    boolean enough = cart.entrySet().stream().allMatch(it -> it.getValue() <= units(it.getKey()));
    return enough ? "sold" : "OUT_OF_STOCK";
  }

  private void record(CartOwner owner, Map<Long, Long> cart, boolean returned) {
    cart.forEach((item, units) -> {
      subtract(saved(owner), item, units);
      bought
          .computeIfAbsent(owner.buyerId(), _ -> new ArrayList<>())
          .add(units + " of " + item + (returned ? " returned" : ""));
      if (!returned) {
        stock.merge(item, -units, Long::sum);
        revenue += units * price(item);
      }
    });
    if (sessions.containsKey(owner)) {
      sessions.put(owner, new LinkedHashMap<>());
    }
  }

  private void put(PurchaseMachine machine, long item, long units) {
    machine.items.put(item, price(item), units);
    stock.put(item, units);
  }

  private long units(long item) {
    return stock.getOrDefault(item, 0L);
  }

  private static long price(long item) {
    return 100 * item;
  }

  private Map<Long, Long> saved(CartOwner owner) {
    return saved.computeIfAbsent(owner.buyerId(), _ -> new LinkedHashMap<>());
  }

  private Map<Long, Long> view(CartOwner owner) {
    Map<Long, Long> own = sessions.get(owner);
    return own == null ? saved(owner) : own;
  }

  /// Begins as a copy of the saved one.
  private Map<Long, Long> own(CartOwner owner) {
    return sessions.computeIfAbsent(owner, _ -> new LinkedHashMap<>(saved(owner)));
  }

  private static void subtract(Map<Long, Long> cart, long item, long units) {
    cart.computeIfPresent(item, (_, before) -> before <= units ? null : (Long) (before - units));
  }

  private static Map<Long, Long> quantities(Cart cart) {
    Map<Long, Long> quantities = new LinkedHashMap<>();
    cart.lines().forEach(it -> quantities.put(it.itemId(), it.quantity()));
    return quantities;
  }

  private static String line(Purchase.PurchasedLine it) {
    return it.line().quantity() + " of " + it.line().itemId() + (it.returned() ? " returned" : "");
  }

  private static String describe(@Nullable Answer<Sold> answer) {
    return switch (answer) {
      case Answer.Done<Sold> _ -> "sold";
      case Answer.Refusal<Sold> refusal -> refusal.reason().name();
      case null, default -> String.valueOf(answer);
    };
  }

  private String nextKey() {
    return "key-" + keys++;
  }
}
