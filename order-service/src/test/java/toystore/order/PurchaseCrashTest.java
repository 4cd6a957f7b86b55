package toystore.order;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.order.MarketplaceFixture.buyer;
import static toystore.testkit.Conditions.await;

import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import toystore.order.v1.Buyer;
import toystore.payment.v1.PaymentState;
import toystore.platform.storage.BatchStore;

/// The order service ends just before or just after the commit of each state of a purchase. Nothing
/// is committed after that point, and no peer answers. A restart from the database must finish the
/// purchase: sold and charged once, or not sold, not charged and the cart as before.
@Timeout(60)
class PurchaseCrashTest {
  private static final Buyer ANNA = buyer(1, 11);

  @TempDir Path folder;

  /// What the peers answer, and the states that such a purchase passes.
  private enum Course {
    GOOD("AUTHORISING", "AUTHORISED", "SOLD", "CAPTURED"),
    DECLINED("AUTHORISING", "DECLINED"),
    SOLD_OUT("AUTHORISED", "VOIDING", "VOIDED"),
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
  void restartFinishesThePurchase(CrashPoint point) {
    try (var market = new MarketplaceFixture(folder)) {
      market.items.put(1, 250, 10);
      market.items.put(2, 399, 5);
      List<String> cart;
      try (var service =
          market.start(
              HaltingOrder.class,
              "--halt.state=" + point.state,
              "--halt.committed=" + point.committed)) {
        var halt = service.getBean(HaltingBatchStore.class);
        halt.onHalt =
            () -> {
              market.payments.unavailable = true;
              market.items.unavailable = true;
            };
        market.add(ANNA, "a", 1, 3);
        market.save(ANNA, "s");
        market.add(ANNA, "b", 2, 2);
        cart = market.cart(ANNA);
        if (point.course == Course.SOLD_OUT) {
          market.items.put(2, 399, 1);
        }
        var _ = CompletableFuture.runAsync(() -> buy(market, point));
        await(() -> halt.halted);
      }
      market.payments.unavailable = false;
      market.items.unavailable = false;
      try (var service = market.start()) {
        await(() -> service.getBean(SalesReplicator.class).isCompared());
        market.awaitFinished(service);
        boolean begun = !point.state.equals("AUTHORISING") || point.committed;
        boolean sold =
            (point.course == Course.GOOD || point.course == Course.NO_CAPTURE)
                && begun
                && (point.committed
                    ? !point.state.equals("AUTHORISING")
                    : !point.state.equals("AUTHORISED"));
        assertOutcome(market, point, sold, cart);
        if (!sold && point.course != Course.SOLD_OUT) {
          assertThat(buy(market, point))
              .isEqualTo(point.course == Course.DECLINED ? "402" : "sold");
        } else {
          assertThat(buy(market, point)).isEqualTo(sold ? "repeated" : "409");
        }
        market.awaitFinished(service);
        market.assertAuditIsOk();
      }
    }
  }

  private static void assertOutcome(
      MarketplaceFixture market, CrashPoint point, boolean sold, List<String> cart) {
    boolean kept = sold && point.course == Course.GOOD;
    assertThat(market.items.stock(1)).isEqualTo(kept ? 7 : 10);
    assertThat(market.payments.capturedCents()).isEqualTo(kept ? 3 * 250 + 2 * 399 : 0);
    assertThat(market.payments.count(PaymentState.PAYMENT_STATE_AUTHORISED)).isZero();
    assertThat(market.cart(ANNA)).isEqualTo(sold ? List.of() : cart);
    assertThat(market.purchased(1))
        .isEqualTo(
            !sold
                ? List.of()
                : kept
                    ? List.of("3 × item 1 at 250", "2 × item 2 at 399")
                    : List.of("3 × item 1 at 250 returned", "2 × item 2 at 399 returned"));
    market.assertAuditIsOk();
  }

  private static String buy(MarketplaceFixture market, CrashPoint point) {
    String card =
        switch (point.course) {
          case GOOD, SOLD_OUT -> FakePaymentProvider.GOOD;
          case DECLINED -> FakePaymentProvider.DECLINED;
          case NO_CAPTURE -> FakePaymentProvider.NO_CAPTURE;
        };
    try {
      return market.buy(ANNA, "p", card).getReplayed() ? "repeated" : "sold";
    } catch (StatusRuntimeException e) {
      return Integer.toString(toystore.platform.rpc.RpcError.of(e).reason().httpStatus());
    }
  }

  @Import(OrderApplication.class)
  static class HaltingOrder {
    @Bean
    @Primary
    HaltingBatchStore haltingBatchStore(OrderBatchStore batchStore, Environment settings) {
      return new HaltingBatchStore(
          batchStore,
          Purchase.State.valueOf(settings.getRequiredProperty("halt.state")),
          settings.getRequiredProperty("halt.committed", Boolean.class));
    }
  }

  /// Commits nothing more after a purchase reached a state.
  static final class HaltingBatchStore implements BatchStore<OrderCommand, OrderResult> {
    private final OrderBatchStore batchStore;
    private final Purchase.State state;
    private final boolean committed;
    volatile Runnable onHalt = () -> {};
    volatile boolean halted;

    HaltingBatchStore(OrderBatchStore batchStore, Purchase.State state, boolean committed) {
      this.batchStore = batchStore;
      this.state = state;
      this.committed = committed;
    }

    @Override
    public Batch<OrderCommand, OrderResult> open() {
      return new HaltingBatch(batchStore.open());
    }

    @Override
    public void tidy() throws SQLException {
      batchStore.tidy();
    }

    @Override
    public void probe() throws SQLException {
      batchStore.probe();
    }

    private final class HaltingBatch implements Batch<OrderCommand, OrderResult> {
      private final Batch<OrderCommand, OrderResult> batch;
      private boolean reached;

      HaltingBatch(Batch<OrderCommand, OrderResult> batch) {
        this.batch = batch;
      }

      @Override
      public OrderResult decide(OrderCommand command) throws SQLException {
        OrderResult result = batch.decide(command);
        reached |=
            result instanceof OrderResult.Recorded(Purchase purchase) && purchase.state() == state;
        return result;
      }

      @Override
      public void write() throws SQLException {
        batch.write();
      }

      @Override
      public void commit() throws SQLException {
        if (halted) {
          throw new IllegalStateException("planned: the process has ended");
        }
        if (reached && committed) {
          batch.commit();
        }
        if (reached) {
          onHalt.run();
          halted = true;
          if (!committed) {
            throw new IllegalStateException("planned: the process ends before the commit");
          }
        } else {
          batch.commit();
        }
      }

      @Override
      public void rollback() {
        batch.rollback();
      }

      @Override
      public void publish() {
        batch.publish();
      }
    }
  }
}
