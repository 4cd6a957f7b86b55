package toystore.order;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.order.MarketplaceFixture.buyer;
import static toystore.order.MarketplaceFixture.error;
import static toystore.order.MarketplaceFixture.lines;
import static toystore.testkit.Conditions.await;

import com.google.protobuf.Timestamp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.order.v1.AddToCartRequest;
import toystore.order.v1.AddToCartResponse;
import toystore.order.v1.Buyer;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.ClearCartRequest;
import toystore.order.v1.EndSessionRequest;
import toystore.order.v1.GetCartRequest;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Tests carts in the real order service on a real database file.
@Timeout(60)
class CartServiceTest {
  private static final Buyer ANNA = buyer(1, 11);
  private static final Buyer ANNA_ELSEWHERE = buyer(1, 12);
  private static final Buyer BERT = buyer(2, 21);

  @TempDir Path folder;
  private MarketplaceFixture market;

  @BeforeEach
  void startPeers() {
    market = new MarketplaceFixture(folder);
    market.items.put(1, 250, 10);
    market.items.put(2, 399, 5);
  }

  @AfterEach
  void stop() {
    market.close();
  }

  @Test
  void sessionsCartIsItsOwnUntilItIsSaved() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 3);
      assertThat(market.cart(ANNA)).containsExactly("3 × item 1 at 250");
      assertThat(market.cart(ANNA_ELSEWHERE)).isEmpty();
      assertThat(market.save(ANNA, "s")).containsExactly("3 × item 1 at 250 (saved)");
      assertThat(market.cart(ANNA_ELSEWHERE)).containsExactly("3 × item 1 at 250 (saved)");
      assertThat(market.cart(BERT)).isEmpty();
    }
  }

  @Test
  void sessionsCartBeginsAsACopyOfTheSavedOne() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.save(ANNA, "s");
      market.add(ANNA, "b", 2, 1);
      assertThat(market.cart(ANNA))
          .containsExactly("3 × item 1 at 250 (saved)", "1 × item 2 at 399");
      assertThat(market.remove(ANNA, 1, 1))
          .containsExactly("2 × item 1 at 250", "1 × item 2 at 399");
      assertThat(market.cart(ANNA_ELSEWHERE)).containsExactly("3 × item 1 at 250 (saved)");
    }
  }

  @Test
  void lastSaveCountsAndAnEmptyCartEmptiesTheSavedOne() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.add(ANNA_ELSEWHERE, "b", 2, 1);
      market.save(ANNA, "s");
      market.save(ANNA_ELSEWHERE, "t");
      assertThat(market.cart(ANNA)).containsExactly("1 × item 2 at 399 (saved)");
      assertThat(market.clear(ANNA)).isEmpty();
      assertThat(market.cart(ANNA_ELSEWHERE)).containsExactly("1 × item 2 at 399 (saved)");
      market.save(ANNA, "u");
      assertThat(market.cart(ANNA_ELSEWHERE)).isEmpty();
    }
  }

  @Test
  void unsavedCartEndsWithItsSessionAndASavedOneStays() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.save(ANNA, "s");
      market.add(ANNA, "b", 1, 1);
      market.carts.endSession(EndSessionRequest.newBuilder().setSessionId(11).build());
      assertThat(market.cart(ANNA)).containsExactly("3 × item 1 at 250 (saved)");
    }
  }

  @Test
  void cartsOutliveARestart() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.save(ANNA, "s");
      market.add(ANNA, "b", 1, 1);
    }
    try (var _ = market.start()) {
      assertThat(market.cart(ANNA)).containsExactly("4 × item 1 at 250");
      assertThat(market.cart(ANNA_ELSEWHERE)).containsExactly("3 × item 1 at 250 (saved)");
    }
  }

  @Test
  void addingRecordsTheCurrentPriceForTheWholeLine() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 1);
      market.items.put(1, 300, 10);
      assertThat(market.cart(ANNA)).containsExactly("1 × item 1 at 250");
      assertThat(lines(market.add(ANNA, "b", 1, 1).getCart())).containsExactly("2 × item 1 at 300");
    }
  }

  @Test
  void cartHasAtMostWhatIsInStockAndFiftyLines() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 6);
      assertRefused("NOT_ENOUGH", 400, error(() -> market.add(ANNA, "b", 1, 5)));
      assertRefused("ITEM_NOT_FOUND", 404, error(() -> market.add(ANNA, "c", 9, 1)));
      for (int id = 100; id < 149; id++) {
        market.items.put(id, 1, 1);
        market.add(ANNA, "n" + id, id, 1);
      }
      assertRefused("CART_FULL", 409, error(() -> market.add(ANNA, "d", 2, 1)));
      assertThat(market.add(ANNA, "e", 1, 1).getCart().getLinesCount()).isEqualTo(50);
    }
  }

  @Test
  void removingMoreThanTheCartHasChangesNothing() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 2);
      assertRefused("NOT_IN_CART", 400, error(() -> market.remove(ANNA, 1, 3)));
      assertRefused("NOT_IN_CART", 400, error(() -> market.remove(ANNA, 2, 1)));
      assertThat(market.remove(ANNA, 1, 2)).isEmpty();
    }
  }

  @Test
  void repeatedKeyGetsTheFirstAnswerEvenIfTheItemIsGone() {
    try (var _ = market.start()) {
      AddToCartResponse first = market.add(ANNA, "a", 1, 2);
      market.add(ANNA, "b", 1, 1);
      market.items.remove(1);
      assertThat(market.add(ANNA, "a", 1, 2))
          .isEqualTo(first.toBuilder().setReplayed(true).build());
      assertThat(error(() -> market.add(ANNA, "a", 1, 3)).reason())
          .isEqualTo(ErrorReason.KEY_REUSED);
      assertThat(market.cart(ANNA)).containsExactly("3 × item 1 at 250");
      market.save(ANNA, "s");
      market.clear(ANNA);
      assertThat(market.save(ANNA, "s")).containsExactly("3 × item 1 at 250 (saved)");
      assertThat(market.cart(ANNA)).as("after the repeated save").isEmpty();
    }
  }

  @Test
  void nothingIsDoneAfterDecideByOrWithoutTheCatalog() {
    try (var _ = market.start()) {
      var late = Timestamp.newBuilder().setSeconds(1).build();
      assertThat(
              error(() ->
                      market.carts.clearCart(
                          ClearCartRequest.newBuilder().setBuyer(ANNA).setDecideBy(late).build()))
                  .reason())
          .isEqualTo(ErrorReason.TOO_LATE);
      market.items.unavailable = true;
      assertThat(error(() -> market.add(ANNA, "a", 1, 1)).reason()).isEqualTo(ErrorReason.NOT_DONE);
      assertThat(market.cart(ANNA)).isEmpty();
    }
  }

  @Test
  void fieldsOutOfRangeAreRefused() {
    try (var _ = market.start()) {
      List<RpcError> refusals = new ArrayList<>();
      for (long quantity : new long[] {0, -1, 1L << 31, Long.MIN_VALUE}) {
        refusals.add(error(() -> market.add(ANNA, "a", 1, quantity)));
        refusals.add(error(() -> market.remove(ANNA, 1, quantity)));
      }
      refusals.add(error(() -> market.add(ANNA, "a", 0, 1)));
      refusals.add(error(() -> market.cart(buyer(0, 1))));
      refusals.add(error(() -> market.cart(buyer(1, 0))));
      refusals.add(
          error(() ->
              market.carts.addToCart(
                  AddToCartRequest.newBuilder()
                      .setBuyer(ANNA)
                      .setItemId(1)
                      .setQuantity(1)
                      .build())));
      assertThat(refusals).extracting(RpcError::reason).containsOnly(ErrorReason.INVALID);
      assertThat(market.cart(ANNA)).isEmpty();
    }
  }

  @Test
  void callsNeedTheAdministratorsToken() {
    try (var _ = market.start()) {
      var anonymous = CartServiceGrpc.newBlockingStub(market.channel);
      assertThat(
              error(() -> anonymous.getCart(GetCartRequest.newBuilder().setBuyer(ANNA).build()))
                  .reason())
          .isEqualTo(ErrorReason.NO_TOKEN);
    }
  }

  @Test
  void sessionIdThatBelongedToAnotherBuyerShowsNothing() {
    try (var _ = market.start()) {
      market.add(ANNA, "a", 1, 2);
      assertThat(market.cart(buyer(2, 11))).isEmpty();
    }
  }

  @Test
  void sweepDeletesTheCartsOfEndedSessionsOnly() {
    try (var service = market.start()) {
      var sweep = service.getBean(CartSweep.class);
      market.add(ANNA, "a", 1, 2);
      market.add(BERT, "b", 1, 2);
      market.sessions.ended.add(11L);
      market.sessions.unavailable = true;
      assertThat(
              error(
                      () -> {
                        try {
                          sweep.sweep();
                        } catch (java.util.concurrent.CompletionException e) {
                          throw e.getCause();
                        }
                      })
                  .reason())
          .isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
      assertThat(market.cart(ANNA)).hasSize(1);
      market.sessions.unavailable = false;
      sweep.sweep();
      assertThat(market.cart(ANNA)).isEmpty();
      assertThat(market.cart(BERT)).hasSize(1);
    }
  }

  @Test
  void sweepRunsByItself() {
    try (var _ = market.start("--toystore.order.cart-sweep-interval=1s")) {
      market.add(ANNA, "a", 1, 2);
      market.sessions.ended.add(11L);
      await(() -> market.cart(ANNA).isEmpty());
    }
  }

  private static void assertRefused(String reason, int httpStatus, RpcError error) {
    assertThat(error.reason().name() + " " + error.reason().httpStatus())
        .isEqualTo(reason + " " + httpStatus);
    assertThat(error.isDecided()).isTrue();
  }
}
