package toystore.order.purchases;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.order.purchases.PurchaseMachine.ANNA;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.Cart;
import toystore.order.domain.CartChange;
import toystore.order.domain.CartContents;
import toystore.order.domain.Purchase;
import toystore.payment.v1.PaymentState;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.Database;
import toystore.platform.storage.Transactions;
import toystore.testkit.TestDatabase.Engine;

/// The order service ends just before or just after the commit of each state of a purchase. Nothing
/// is committed after that point, and no peer answers. A restart from the database must finish the
/// purchase: sold and charged once, or not sold, not charged and the cart as before.
@ParameterizedClass
@MethodSource("toystore.testkit.TestDatabase#engines")
@Tag("engines")
@SuppressWarnings("NullAway.Init") // set before each test
class PurchaseCrashTest {
  @Parameter Engine engine;
  @TempDir Path folder;

  /// What the peers answer, and the states that such a purchase passes.
  private enum Course {
    GOOD("AUTHORISING", "SOLD", "CAPTURED"),
    DECLINED("AUTHORISING", "DECLINED"),
    SOLD_OUT("VOIDING", "VOIDED"),
    NO_CAPTURE("SOLD", "RETURNING", "RETURNED");

    final List<String> states;

    Course(String... states) {
      this.states = List.of(states);
    }
  }

  /// @param committed whether the commit of the state still happens
  record CrashPoint(Course course, String state, boolean committed) {}

  static Stream<CrashPoint> crashPoints() {
    return Stream.of(Course.values())
        .flatMap(course ->
            course.states.stream()
                .flatMap(state ->
                    Stream.of(
                        new CrashPoint(course, state, false),
                        new CrashPoint(course, state, true))));
  }

  @ParameterizedTest
  @MethodSource("crashPoints")
  void restartFinishesThePurchase(CrashPoint point) throws Exception {
    try (var machine = new PurchaseMachine(folder, engine)) {
      machine.items.put(1, 250, 10);
      machine.items.put(2, 399, 5);
      CartContents cart = buyAndRestart(machine, point);
      machine.awaitFinished();

      boolean sold = isSold(point);
      assertOutcome(machine, point, sold, cart);
      Answer<Sold> repeated = machine.buy(ANNA, "p", card(point)).join();
      assertThat(describe(repeated))
          .isEqualTo(
              switch (point.course) {
                case GOOD -> sold ? "sold, replayed" : "sold";
                case NO_CAPTURE -> sold ? "PURCHASE_RETURNED" : "sold";
                case DECLINED -> "CARD_DECLINED";
                case SOLD_OUT -> "OUT_OF_STOCK";
              });
      machine.awaitFinished();
      assertThat(machine.audit()).allMatch(AuditCheckResult::ok);
    }
  }

  /// @return the cart before
  private static CartContents buyAndRestart(PurchaseMachine machine, CrashPoint point)
      throws Exception {
    var halted = new CompletableFuture<Void>();
    machine.restart(database ->
        new HaltingTransactions(
            database,
            Purchase.State.valueOf(point.state),
            point.committed,
            () -> {
              machine.payments.unavailable = true;
              machine.items.unavailable = true;
              halted.complete(null);
            }));
    machine.add(ANNA, "a", 1, 3);
    machine.change(ANNA, new CartChange.Save(), "s");
    machine.add(ANNA, "b", 2, 2);
    CartContents cart = machine.cart(ANNA);
    if (point.course == Course.SOLD_OUT) {
      machine.items.put(2, 399, 1);
    }
    machine.buy(ANNA, "p", card(point));
    halted.join();
    machine.restart(database -> { // the process has ended, so it does not see them return
      machine.payments.unavailable = false;
      machine.items.unavailable = false;
      return database;
    });
    return cart;
  }

  /// Whether the catalog has sold it before the crash.
  private static boolean isSold(CrashPoint point) {
    return switch (point.course) {
      case GOOD, NO_CAPTURE -> !point.state.equals("AUTHORISING");
      case DECLINED, SOLD_OUT -> false;
    };
  }

  @Test
  void purchaseThatWasAuthorisedAndNotSoldIsCancelledAlsoIfItsSaleArrivesLate() throws Exception {
    try (var machine = new PurchaseMachine(folder, engine)) {
      machine.items.put(1, 250, 10);
      machine.restart();
      machine.add(ANNA, "a", 1, 3);
      CartContents cart = machine.cart(ANNA);
      var late = new CountDownLatch(1);
      machine.items.open = late;
      machine.buy(ANNA, "p", FakePaymentProvider.GOOD);
      await(() -> machine.items.arrived.get() == 1);
      machine.restart();
      machine.awaitFinished();
      late.countDown();
      await(() -> machine.items.sold.get() == 2);

      assertThat(machine.items.purchases).isEmpty();
      assertThat(machine.payments.count(PaymentState.PAYMENT_STATE_VOIDED)).isEqualTo(1);
      assertThat(machine.cart(ANNA)).isEqualTo(cart);
      assertThat(describe(machine.buy(ANNA, "p", FakePaymentProvider.GOOD).join()))
          .isEqualTo("sold");
      machine.awaitFinished();
      assertThat(machine.audit()).allMatch(AuditCheckResult::ok);
    }
  }

  private static void assertOutcome(
      PurchaseMachine machine, CrashPoint point, boolean sold, CartContents cart) {
    boolean kept = sold && point.course == Course.GOOD;
    assertThat(machine.items.stock(1)).isEqualTo(kept ? 7 : 10);
    assertThat(machine.payments.capturedCents()).isEqualTo(kept ? 3 * 250 + 2 * 399 : 0);
    assertThat(machine.payments.count(PaymentState.PAYMENT_STATE_AUTHORISED)).isZero();
    assertThat(machine.cart(ANNA))
        .isEqualTo(sold ? new CartContents(Cart.EMPTY, Cart.EMPTY) : cart);
    assertThat(machine.purchased(1)).hasSize(sold ? 2 : 0).allMatch(it -> it.returned() != kept);
    assertThat(machine.audit()).allMatch(AuditCheckResult::ok);
  }

  private static String card(CrashPoint point) {
    return switch (point.course) {
      case GOOD, SOLD_OUT -> FakePaymentProvider.GOOD;
      case DECLINED -> FakePaymentProvider.DECLINED;
      case NO_CAPTURE -> FakePaymentProvider.NO_CAPTURE;
    };
  }

  private static String describe(Answer<Sold> answer) {
    return switch (answer) {
      case Answer.Done(_, boolean replayed) -> replayed ? "sold, replayed" : "sold";
      case Answer.Refusal(ErrorReason reason, _, _) -> reason.name();
      case Answer.NotDecided(Answer.Cause cause) -> cause.name();
    };
  }

  /// Commits nothing more after the purchase reached a state.
  private static final class HaltingTransactions implements Transactions {
    private final Database database;
    private final Purchase.State state;
    private final boolean committed;
    private final Runnable onHalt;
    private boolean halted;

    HaltingTransactions(
        Database database, Purchase.State state, boolean committed, Runnable onHalt) {
      this.database = database;
      this.state = state;
      this.committed = committed;
      this.onHalt = onHalt;
    }

    @Override
    public void commit() throws SQLException {
      if (halted) {
        throw new IllegalStateException("planned: the process has ended");
      }
      if (!isReached()) {
        database.commit();
        return;
      }
      if (committed) {
        database.commit();
      }
      halted = true;
      onHalt.run();
      if (!committed) {
        throw new IllegalStateException("planned: the process ends before the commit");
      }
    }

    private boolean isReached() throws SQLException {
      try (var statement = database.queryConnection().createStatement();
          var row =
              statement.executeQuery("SELECT id FROM purchase WHERE state = '" + state + "'")) {
        return row.next();
      }
    }

    @Override
    public void rollback() {
      database.rollback();
    }

    @Override
    public void probe() throws SQLException {
      database.probe();
    }

    @Override
    public void tidy() throws SQLException {
      database.tidy();
    }

    @Override
    public boolean tryReconnect(Exception failure) throws SQLException {
      return database.tryReconnect(failure);
    }
  }
}
