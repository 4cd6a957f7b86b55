package toystore.order.purchases;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static toystore.clients.Conditions.await;
import static toystore.order.purchases.MarketplaceFixture.buyer;
import static toystore.order.purchases.MarketplaceFixture.error;
import static toystore.order.purchases.MarketplaceFixture.lines;

import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import toystore.order.storage.CartSweep;
import toystore.order.v1.AcceptPriceRequest;
import toystore.order.v1.AddToCartRequest;
import toystore.order.v1.AddToCartResponse;
import toystore.order.v1.Buyer;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.ClearCartRequest;
import toystore.order.v1.EndSessionRequest;
import toystore.order.v1.GetCartRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;

/// In the real order service on a real database file.
class CartServiceTest {
  private static final AtomicLong IDS = new AtomicLong();

  @TempDir static Path folder;
  private static @Nullable MarketplaceFixture shared;
  private static @Nullable ConfigurableApplicationContext running;

  /// Each test has its own buyers.
  private final long id = IDS.addAndGet(100);

  private final Buyer anna = buyer(id, id + 1);
  private final Buyer annaElsewhere = buyer(id, id + 2);
  private final Buyer bert = buyer(id + 50, id + 51);
  private final MarketplaceFixture market = requireNonNull(shared);
  private final ConfigurableApplicationContext service = requireNonNull(running);

  @BeforeAll
  static void start() {
    shared = new MarketplaceFixture(folder.resolve("shared"));
    running = shared.start();
  }

  @AfterAll
  static void stop() {
    requireNonNull(running).close();
    requireNonNull(shared).close();
  }

  @BeforeEach
  void putItems() {
    market.items.unavailable = false;
    market.items.put(1, 250, 10);
    market.items.put(2, 399, 5);
  }

  @Test
  void sessionsCartIsItsOwnUntilItIsSaved() {
    market.add(anna, "a", 1, 3);
    assertThat(market.cart(anna)).containsExactly("3 × item 1 at 250");
    assertThat(market.cart(annaElsewhere)).isEmpty();
    assertThat(market.save(anna, "s")).containsExactly("3 × item 1 at 250 (saved)");
    assertThat(market.cart(annaElsewhere)).containsExactly("3 × item 1 at 250 (saved)");
    assertThat(market.cart(bert)).isEmpty();
  }

  @Test
  void unsavedCartEndsWithItsSessionAndASavedOneStays() {
    market.add(anna, "a", 1, 3);
    market.save(anna, "s");
    market.add(anna, "b", 1, 1);
    market.carts.endSession(
        EndSessionRequest.newBuilder().setSessionId(anna.getSessionId()).build());
    assertThat(market.cart(anna)).containsExactly("3 × item 1 at 250 (saved)");
  }

  @Test
  void cartsOutliveARestartAndEndWithTheirSession() {
    try (var own = new MarketplaceFixture(folder.resolve("restarted"))) {
      own.items.put(1, 250, 10);
      try (var _ = own.start()) {
        own.add(anna, "a", 1, 3);
        own.save(anna, "s");
        own.add(anna, "b", 1, 1);
      }
      try (var service = own.start()) {
        assertThat(own.cart(anna)).containsExactly("4 × item 1 at 250");
        assertThat(own.cart(annaElsewhere)).containsExactly("3 × item 1 at 250 (saved)");
        own.sessions.ended.add(anna.getSessionId());
        service.getBean(CartSweep.class).sweep();
        await(() -> own.cart(anna).equals(List.of("3 × item 1 at 250 (saved)")));
      }
    }
  }

  @Test
  void lineKeepsItsPriceUntilTheBuyerAcceptsTheCurrentOne() {
    market.add(anna, "a", 1, 1);
    market.items.put(1, 300, 10);
    assertThat(market.cart(anna)).containsExactly("1 × item 1 at 250");
    assertThat(lines(market.add(anna, "b", 1, 1).getCart())).containsExactly("2 × item 1 at 250");

    RpcError other = error(() -> acceptPrice(1, 299));
    assertRefused("PRICE_CHANGED", other);
    assertThat(other.message()).isEqualTo("\"item 1\" costs 3.00, expected 2.99");
    assertRefused("NOT_IN_CART", error(() -> acceptPrice(2, 399)));
    assertRefused("ITEM_NOT_FOUND", error(() -> acceptPrice(9, 300)));
    assertThat(market.cart(anna)).containsExactly("2 × item 1 at 250");
    assertThat(acceptPrice(1, 300)).containsExactly("2 × item 1 at 300");
    assertThat(acceptPrice(1, 300)).as("a repeat").containsExactly("2 × item 1 at 300");
  }

  private List<String> acceptPrice(long itemId, long priceCents) {
    return lines(
        market
            .carts
            .acceptPrice(
                AcceptPriceRequest.newBuilder()
                    .setBuyer(anna)
                    .setItemId(itemId)
                    .setPriceCents(priceCents)
                    .build())
            .getCart());
  }

  @Test
  void cartHasAtMostWhatIsInStockAndFiftyLines() {
    market.add(anna, "a", 1, 6);
    assertRefused("NOT_ENOUGH", error(() -> market.add(anna, "b", 1, 5)));
    assertRefused("ITEM_NOT_FOUND", error(() -> market.add(anna, "c", 9, 1)));
    for (int id = 100; id < 149; id++) {
      market.items.put(id, 1, 1);
      market.add(anna, "n" + id, id, 1);
    }
    assertRefused("CART_FULL", error(() -> market.add(anna, "d", 2, 1)));
    assertThat(market.add(anna, "e", 1, 1).getCart().getLinesCount()).isEqualTo(50);
  }

  @Test
  void removingMoreThanTheCartHasChangesNothing() {
    market.add(anna, "a", 1, 2);
    assertRefused("NOT_IN_CART", error(() -> market.remove(anna, 1, 3)));
    assertRefused("NOT_IN_CART", error(() -> market.remove(anna, 2, 1)));
    assertThat(market.remove(anna, 1, 2)).isEmpty();
  }

  @Test
  void repeatedKeyGetsTheFirstAnswerEvenIfTheItemIsGone() {
    AddToCartResponse first = market.add(anna, "a", 1, 2);
    market.add(anna, "b", 1, 1);
    market.items.remove(1);
    CallEnvelope repeat = MarketplaceFixture.envelope(anna, "a");
    assertThat(market.add(repeat, anna, 1, 2)).isEqualTo(first);
    assertThat(repeat.replayed()).isTrue();
    assertThat(error(() -> market.add(anna, "a", 1, 3)).reason()).isEqualTo(ErrorReason.KEY_REUSED);
    assertThat(market.cart(anna)).containsExactly("3 × item 1 at 250");
    market.save(anna, "s");
    market.clear(anna);
    assertThat(market.save(anna, "s")).containsExactly("3 × item 1 at 250 (saved)");
    assertThat(market.cart(anna)).as("after the repeated save").isEmpty();
  }

  @Test
  void nothingIsDoneAfterDecideByOrWithoutTheCatalog() {
    var late = market.carts.withInterceptors(new CallEnvelope(null, Instant.ofEpochSecond(1)));
    var clear = ClearCartRequest.newBuilder().setBuyer(anna).build();
    assertThat(error(() -> late.clearCart(clear)).reason()).isEqualTo(ErrorReason.TOO_LATE);
    market.items.unavailable = true;
    assertThat(error(() -> market.add(anna, "a", 1, 1)).reason()).isEqualTo(ErrorReason.NOT_DONE);
    assertThat(market.cart(anna)).isEmpty();
  }

  @Test
  void fieldsOutOfRangeAreRefused() {
    List<RpcError> refusals = new ArrayList<>();
    for (long quantity : new long[] {0, -1, 1L << 31, Long.MIN_VALUE}) {
      refusals.add(error(() -> market.add(anna, "a", 1, quantity)));
      refusals.add(error(() -> market.remove(anna, 1, quantity)));
    }
    refusals.add(error(() -> market.add(anna, "a", 0, 1)));
    refusals.add(error(() -> market.cart(buyer(0, 1))));
    refusals.add(error(() -> market.cart(buyer(1, 0))));
    refusals.add(
        error(() ->
            market.carts.addToCart(
                AddToCartRequest.newBuilder().setBuyer(anna).setItemId(1).setQuantity(1).build())));
    assertThat(refusals).extracting(RpcError::reason).containsOnly(ErrorReason.INVALID);
    assertThat(market.cart(anna)).isEmpty();
  }

  @Test
  void callsNeedTheAdministratorsToken() {
    var anonymous = CartServiceGrpc.newBlockingStub(market.channel);
    assertThat(
            error(() -> anonymous.getCart(GetCartRequest.newBuilder().setBuyer(anna).build()))
                .reason())
        .isEqualTo(ErrorReason.NO_TOKEN);
  }

  @Test
  void sessionIdThatBelongedToAnotherBuyerShowsNothing() {
    market.add(anna, "a", 1, 2);
    assertThat(market.cart(buyer(id + 50, anna.getSessionId()))).isEmpty();
  }

  @Test
  void sweepDeletesTheCartsOfEndedSessionsOnly() {
    var sweep = service.getBean(CartSweep.class);
    market.add(anna, "a", 1, 2);
    market.add(bert, "b", 1, 2);
    market.sessions.ended.add(anna.getSessionId());
    market.sessions.unavailable = true;
    assertThatThrownBy(sweep::sweep).hasCauseInstanceOf(StatusRuntimeException.class);
    assertThat(market.cart(anna)).hasSize(1);
    market.sessions.unavailable = false;
    sweep.sweep();
    assertThat(market.cart(anna)).isEmpty();
    assertThat(market.cart(bert)).hasSize(1);
  }

  @Test
  void sweepRunsEachHour() {
    assertThat(service.getBean(ScheduledTaskHolder.class).getScheduledTasks())
        .map(ScheduledTask::getTask)
        .singleElement()
        .isInstanceOfSatisfying(
            FixedDelayTask.class,
            it -> assertThat(it.getIntervalDuration()).isEqualTo(Duration.ofHours(1)));
  }

  private static void assertRefused(String reason, RpcError error) {
    assertThat(error.reason().name()).isEqualTo(reason);
    assertThat(error.isDecided()).isTrue();
  }
}
