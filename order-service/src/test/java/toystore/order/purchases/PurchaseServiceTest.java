package toystore.order.purchases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;
import static toystore.order.purchases.MarketplaceFixture.buyer;
import static toystore.order.purchases.MarketplaceFixture.error;
import static toystore.order.purchases.MarketplaceFixture.key;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.Card;
import toystore.order.domain.Purchase;
import toystore.order.rpc.FakeSalesRpc;
import toystore.order.v1.Buyer;
import toystore.order.v1.GetCartRequest;
import toystore.order.v1.GetSoldUnitsRequest;
import toystore.order.v1.HasPurchasedRequest;
import toystore.order.v1.HasPurchasedResponse;
import toystore.order.v1.ListPurchasesRequest;
import toystore.order.v1.ListPurchasesResponse;
import toystore.order.v1.PurchaseRequest;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.payment.v1.PaymentState;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.text.CardFields;

/// On a real database file, with fakes of the catalog and the payment service behind real stubs.
class PurchaseServiceTest {
  private static final Buyer ANNA = buyer(1, 11);
  private static final Buyer ANNA_ELSEWHERE = buyer(1, 12);
  private static final Buyer BERT = buyer(2, 21);
  private static final HasPurchasedResponse NOT_PURCHASED =
      HasPurchasedResponse.getDefaultInstance();
  private static final HasPurchasedResponse PENDING =
      HasPurchasedResponse.newBuilder().setPending(true).build();
  private static final HasPurchasedResponse CAPTURED =
      HasPurchasedResponse.newBuilder().setPurchased(true).build();

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
  void purchaseSellsTheWholeCartCapturesTheMoneyAndStoresNoCard() throws IOException {
    try (var service = market.start()) {
      fillCart();
      assertThat(market.buy(ANNA, "p")).isEqualTo(bought(5, 0, false));
      assertThat(market.cart(ANNA)).isEmpty();
      market.awaitFinished(service);
      assertThat(market.payments.capturedCents()).isEqualTo(3 * 250 + 2 * 399);
      assertThat(List.of(market.items.stock(1), market.items.stock(2))).containsExactly(7L, 3L);
      assertThat(market.purchased(1)).containsExactly("3 × item 1 at 250", "2 × item 2 at 399");
      assertThat(hasPurchased(1, 2)).isEqualTo(CAPTURED);
      assertThat(hasPurchased(1, 3)).isEqualTo(NOT_PURCHASED);
      assertThat(hasPurchased(2, 2)).isEqualTo(NOT_PURCHASED);
      assertThat(List.of(soldUnits(1), soldUnits(2), soldUnits(3))).containsExactly(3L, 2L, 0L);
      assertThat(soldUnitsOf(2L, 1L, 3L)).containsExactly(2L, 3L, 0L);
      assertThat(page(9, 0, false).getLinesList())
          .extracting(it -> market.payments.ids().indexOf(it.getPurchaseId()))
          .containsExactly(0, 0);
      market.assertAuditIsOk();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
              .as(file.toString())
              .doesNotContain(FakePaymentProvider.GOOD, "Anna Holder", "09/39")
              .doesNotContainPattern("(?<![0-9A-Za-z-])0739(?![0-9A-Za-z-])"); // not part of an id
        }
      }
    }
    assertThat(new CardFields("Anna", "4242424242424242", "09/39", "739"))
        .hasToString("CardFields");
  }

  @Test
  void repeatWithTheKeyWaitsForTheRunningPurchaseAndGetsItsAnswer() {
    try (var service = market.start()) {
      fillCart();
      market.payments.open = new CountDownLatch(1);
      var first = CompletableFuture.supplyAsync(() -> market.buy(ANNA, "p"));
      await(() -> driver(service).open(Purchase.State.AUTHORISING) == 1);
      assertThat(market.cart(ANNA)).as("taken out with the authorisation").isEmpty();
      var decided = service.getBean(MeterRegistry.class).get("toystore.writer.decide").timer();
      long before = decided.count();
      var second =
          CompletableFuture.supplyAsync(
              () -> market.buy(ANNA_ELSEWHERE, "p"), Thread::startVirtualThread);
      await(() -> decided.count() > before);
      market.payments.open.countDown();
      assertThat(first.join()).isEqualTo(bought(5, 0, false));
      assertThat(second.join()).isEqualTo(bought(5, 0, true));
      assertThat(market.buy(ANNA, "p")).isEqualTo(bought(5, 0, true));
      assertThat(market.payments.authorisations).hasValue(1);
    }
    try (var service = market.start()) {
      assertThat(market.buy(ANNA, "p")).isEqualTo(bought(5, 0, true));
      market.awaitFinished(service);
      market.assertAuditIsOk();
    }
  }

  @Test
  void declinedCardLeavesTheCartAndARepeatAuthorisesAnew() {
    try (var service = market.start()) {
      List<String> before = fillCart();
      var declined = error(() -> market.buy(ANNA, "p", FakePaymentProvider.DECLINED));
      assertThat(declined)
          .isEqualTo(new RpcError(declined.reason(), "card was declined; nothing was bought"));
      assertThat(describe(declined)).isEqualTo("CARD_DECLINED");
      assertThat(declined.isDecided()).as("stored for the key").isFalse();
      assertThat(market.cart(ANNA)).isEqualTo(before);
      assertThat(market.buy(ANNA, "p")).isEqualTo(bought(5, 0, false));
      market.awaitFinished(service);
      assertThat(market.payments.count(PaymentState.PAYMENT_STATE_DECLINED)).isEqualTo(1);
      market.assertAuditIsOk();
    }
  }

  @Test
  void refusedSaleVoidsThePaymentAndIsReplayedForItsKey() {
    try (var service = market.start()) {
      List<String> before = fillCart();
      market.items.put(2, 399, 1);
      assertThat(refusal(() -> market.buy(ANNA, "p"))).isEqualTo("OUT_OF_STOCK");
      assertThat(market.cart(ANNA)).isEqualTo(before);
      market.items.put(2, 399, 5);
      RpcError repeated = error(() -> market.buy(ANNA, "p"));
      assertThat(describe(repeated)).isEqualTo("OUT_OF_STOCK");
      assertThat(repeated.replayed()).isTrue();
      market.awaitFinished(service);
      assertThat(market.payments.count(PaymentState.PAYMENT_STATE_VOIDED)).isEqualTo(1);
      market.items.put(1, 300, 10);
      RpcError repriced = error(() -> market.buy(ANNA, "q"));
      assertThat(describe(repriced)).isEqualTo("PRICE_CHANGED");
      assertThat(repriced.message())
          .isEqualTo(
              "\"item 1\" costs 3.00, expected 2.50; accept the price, or remove the item from the cart");
      market.items.remove(1);
      assertThat(refusal(() -> market.buy(ANNA, "r"))).isEqualTo("ITEM_GONE");
      assertThat(market.cart(ANNA)).isEqualTo(before);
      market.awaitFinished(service);
      assertThat(market.payments.capturedCents()).isZero();
      assertThat(market.items.stock(2)).isEqualTo(5);
      market.assertAuditIsOk();
    }
  }

  @Test
  void linesOfARefusedPurchaseAreMergedIntoTheCartsAsTheyAreThen() {
    try (var service = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.save(ANNA, "s");
      market.items.open = new CountDownLatch(1);
      market.items.put(1, 250, 5);
      var purchase = CompletableFuture.supplyAsync(() -> refusal(() -> market.buy(ANNA, "p")));
      await(() -> market.payments.count(PaymentState.PAYMENT_STATE_AUTHORISED) == 1);
      market.add(ANNA, "b", 1, 1);
      market.add(ANNA, "c", 2, 1);
      market.items.put(1, 250, 2);
      market.items.open.countDown();
      assertThat(purchase.join()).isEqualTo("OUT_OF_STOCK");
      assertThat(market.cart(ANNA)).containsExactly("4 × item 1 at 250", "1 × item 2 at 399");
      assertThat(market.cart(ANNA_ELSEWHERE)).containsExactly("3 × item 1 at 250 (saved)");
    }
  }

  @Test
  void storeWithoutPaymentServiceSellsNoCartAndAuditsNoPayments() {
    try (var _ = market.start("--toystore.order.payment-target=")) {
      fillCart();
      assertThat(refusal(() -> market.buy(ANNA, "p"))).isEqualTo("NOT_DONE");
      assertThat(market.cart(ANNA)).hasSize(2);
      assertThat(market.audit(true))
          .allMatch(AuditCheck::getOk)
          .extracting(AuditCheck::getName)
          .containsExactly("purchases");
    }
  }

  @Test
  void purchaseGoesOnAfterItsCallersDeadline() {
    try (var service = market.start()) {
      fillCart();
      market.payments.open = new CountDownLatch(1);
      var purchases =
          market
              .purchases
              .withDeadlineAfter(300, TimeUnit.MILLISECONDS)
              .withInterceptors(MarketplaceFixture.envelope(ANNA, "p"));
      assertThat(error(() -> purchases.purchase(request(ANNA)))).isNotNull();
      assertThat(driver(service).open(Purchase.State.AUTHORISING)).isEqualTo(1);
      market.payments.open.countDown();
      assertThat(market.buy(ANNA, "p")).isEqualTo(bought(5, 0, true));
    }
  }

  @Test
  void authorisationWithoutAnAnswerIsVoidedAfterItsTime() {
    try (var service = market.start()) {
      driver(service).authoriseForNanos = 0;
      List<String> before = fillCart();
      market.payments.lostAnswers.set(1);
      assertThat(refusal(() -> market.buy(ANNA, "p"))).isEqualTo("OUTCOME_UNKNOWN");
      assertThat(market.cart(ANNA)).isEqualTo(before);
      assertThat(market.buy(ANNA, "p")).isEqualTo(bought(5, 0, false));
      market.awaitFinished(service);
      assertThat(market.payments.count(PaymentState.PAYMENT_STATE_VOIDED)).isEqualTo(1);
      assertThat(market.payments.count(PaymentState.PAYMENT_STATE_CAPTURED)).isEqualTo(1);
      market.assertAuditIsOk();
    }
  }

  @Test
  void saleIsAnsweredBeforeTheCaptureWhichIsRepeated() {
    try (var service = market.start()) {
      fillCart();
      market.payments.capturesUnavailable = true;
      market.buy(ANNA, "p");
      await(() -> driver(service).open(Purchase.State.SOLD) == 1);
      await(() ->
          market
              .audit()
              .getFirst()
              .getDetail()
              .equals("equal the catalog's sales up to 1; 1 sold, capture pending"));
      market.assertAuditIsOk();
      market.payments.capturesUnavailable = false;
      market.awaitFinished(service);
      assertThat(finished(service, "captured")).isEqualTo(1);
      market.assertAuditIsOk();
    }
  }

  /// A seller's units and an item's buyers count when the money is there.
  @Test
  void purchaseCountsForRatingsFromItsCaptureOn() {
    try (var service = market.start()) {
      fillCart();
      market.payments.capturesUnavailable = true;
      market.buy(ANNA, "p");
      assertThat(hasPurchased(1, 1)).isEqualTo(PENDING);
      assertThat(soldUnits(1)).isZero();
      assertThat(soldUnitsOf(1L)).containsExactly(0L);
      assertThat(page(1, 0, false).getUnits()).as("units of the buyer").isEqualTo(5);
      var waiting = CompletableFuture.supplyAsync(() -> hasPurchased(1, 1));
      market.payments.capturesUnavailable = false;
      market.awaitFinished(service);
      assertThat(waiting.join()).isIn(CAPTURED, PENDING);
      assertThat(hasPurchased(1, 1)).isEqualTo(CAPTURED);
      assertThat(soldUnits(1)).isEqualTo(3);

      market.add(ANNA, "c", 1, 4);
      market.buy(ANNA, "q", FakePaymentProvider.NO_CAPTURE);
      market.awaitFinished(service);
      assertThat(hasPurchased(1, 1)).as("bought before").isEqualTo(CAPTURED);
      assertThat(soldUnits(1)).isEqualTo(3);
      assertThat(page(1, 0, false).getUnits()).isEqualTo(5);
      market.assertAuditIsOk();
    }
    try (var service = market.start()) {
      market.payments.capturesUnavailable = true;
      market.add(ANNA, "d", 2, 1);
      market.buy(ANNA, "r");
      await(() -> driver(service).open(Purchase.State.SOLD) == 1);
    }
    market.payments.capturesUnavailable = false;
    try (var service = market.start()) {
      market.awaitFinished(service);
      assertThat(soldUnits(2)).as("captured after a restart").isEqualTo(3);
      market.assertAuditIsOk();
    }
  }

  @Test
  void refusedCaptureIsUndoneByAReturnWithItsOwnNumber() {
    try (var service = market.start()) {
      fillCart();
      assertThat(market.buy(ANNA, "p", FakePaymentProvider.NO_CAPTURE))
          .isEqualTo(bought(5, 0, false));
      market.awaitFinished(service);
      assertThat(market.items.stock(1)).isEqualTo(10);
      assertThat(market.purchased(1))
          .containsExactly("3 × item 1 at 250 returned", "2 × item 2 at 399 returned");
      assertThat(hasPurchased(1, 1)).isEqualTo(NOT_PURCHASED);
      assertThat(soldUnits(1)).isZero();
      assertThat(market.cart(ANNA)).isEmpty();
      RpcError undone = error(() -> market.buy(ANNA, "p"));
      assertThat(describe(undone)).isEqualTo("PURCHASE_RETURNED");
      assertThat(undone.message())
          .isEqualTo(
              "the payment could not be captured, so the purchase was undone; nothing was charged");
      assertThat(undone.replayed()).isTrue();
      await(
          () -> market.audit().getFirst().getDetail().equals("equal the catalog's sales up to 2"));
      market.assertAuditIsOk();
    }
  }

  @Test
  void nothingIsRecordedBeforeThePurchasesAreCompared() {
    market.items.listsSales = false;
    try (var service = market.start()) {
      List<String> before = fillCart();
      assertThat(refusal(() -> market.buy(ANNA, "p"))).isEqualTo("NOT_DONE");
      assertThat(market.cart(ANNA)).isEqualTo(before);
      assertThat(market.payments.authorisations).hasValue(0);
      market.items.listsSales = true;
      await(() -> service.getBean(PurchaseRecovery.class).refusal() == null);
      assertThat(market.buy(ANNA, "p")).isEqualTo(bought(5, 0, false));
    }
  }

  @Test
  void purchaseThatIsNotAllowedBeginsNothing() {
    try (var service = market.start()) {
      List<String> before = fillCart();
      var late = new CallEnvelope(key(1, "p"), Instant.ofEpochSecond(1));
      assertThat(
              error(() -> market.purchases.withInterceptors(late).purchase(request(ANNA))).reason())
          .isEqualTo(ErrorReason.TOO_LATE);
      List<RpcError> refusals = new ArrayList<>();
      for (Card card :
          List.of(
              Card.getDefaultInstance(),
              card("1234567890123").toBuilder().setHolderName("").build(),
              card("1234567890123").toBuilder().setHolderName(" ").build(),
              card("123456789012"),
              card("12345678901234567890"),
              card("12345678x0123"),
              card("1234567890123").toBuilder().setExpirationDate("13/30").build(),
              card("1234567890123").toBuilder().setSecurityCode("98").build())) {
        var invalid = request(ANNA).toBuilder().setCard(card).build();
        refusals.add(error(() -> market.buy(key(1, "p"), invalid)));
      }
      assertThat(refusals).extracting(RpcError::reason).containsOnly(ErrorReason.INVALID);
      assertThat(refusals).noneMatch(it -> it.message().contains("1234567"));
      assertThat(refusal(() -> market.buy(BERT, "q"))).isEqualTo("CART_EMPTY");
      var anonymous = PurchaseServiceGrpc.newBlockingStub(market.channel);
      assertThat(error(() -> anonymous.purchase(request(ANNA))).reason())
          .isEqualTo(ErrorReason.NO_TOKEN);
      market.items.put(3, Long.MAX_VALUE, 2);
      market.add(BERT, "c", 3, 2);
      assertThat(refusal(() -> market.buy(BERT, "r")))
          .as("a total that overflows")
          .isEqualTo("INVALID");
      var places = driver(service).places;
      places.acquireUninterruptibly(PurchaseDriver.MAX_OPEN);
      assertThat(refusal(() -> market.buy(ANNA, "p"))).isEqualTo("OVERLOADED");
      places.release(PurchaseDriver.MAX_OPEN);
      assertThat(market.cart(ANNA)).isEqualTo(before);
      assertThat(market.cart(BERT)).hasSize(1);
      assertThat(market.payments.authorisations).hasValue(0);

      market.save(ANNA, "save");
      market.buy(ANNA, "p");
      for (Buyer session : List.of(ANNA, ANNA_ELSEWHERE)) {
        assertThat(refusal(() -> market.buy(session, "again " + session.getSessionId())))
            .as("a second click")
            .isEqualTo("CART_EMPTY");
      }
      assertThat(error(() -> market.buy(key(1, "p"), request(BERT))).reason())
          .isEqualTo(ErrorReason.KEY_REUSED);
      assertThat(market.payments.authorisations).hasValue(1);
    }
  }

  /// Another tab may replace the cart by one of the same total after this one was shown.
  @Test
  void cartThatTheBuyerDidNotSeeIsNotBought() {
    try (var service = market.start()) {
      fillCart();
      var seen = market.carts.getCart(GetCartRequest.newBuilder().setBuyer(ANNA).build()).getCart();
      market.items.put(3, 250, 5);
      market.remove(ANNA, 1, 1);
      market.add(ANNA, "c", 3, 1);
      List<String> before = market.cart(ANNA);
      var key = key(1, "p");
      var request = request(ANNA).toBuilder().setSeen(seen).build();
      assertThat(refusal(() -> market.buy(key, request))).isEqualTo("CART_CHANGED");
      assertThat(market.cart(ANNA)).isEqualTo(before);
      assertThat(market.payments.authorisations).hasValue(0);

      market.remove(ANNA, 3, 1);
      market.add(ANNA, "d", 1, 1);
      assertThat(market.buy(key, request)).isEqualTo(bought(5, 0, false));
      market.awaitFinished(service);
      assertThat(market.buy(key, request)).isEqualTo(bought(5, 0, true));
    }
  }

  @Test
  void purchasesAreListedInPagesOldestOrNewestFirst() {
    try (var _ = market.start()) {
      for (int i = 0; i < 3; i++) {
        market.add(ANNA, "a" + i, 1, 1);
        market.add(ANNA, "b" + i, 2, 1);
        market.buy(ANNA, "p" + i);
      }
      var page =
          market.purchases.listPurchases(
              ListPurchasesRequest.newBuilder().setBuyerId(1).setLimit(4).build());
      assertThat(page.getLinesList())
          .extracting(it -> it.getItemId())
          .containsExactly(1L, 2L, 1L, 2L);
      var rest =
          market.purchases.listPurchases(
              ListPurchasesRequest.newBuilder().setBuyerId(1).setAfter(page.getNext()).build());
      assertThat(rest.getLinesCount()).isEqualTo(2);
      assertThat(rest.getNext()).isZero();
      var newest = page(4, 0, true);
      assertThat(newest.getLinesList())
          .extracting(it -> it.getNumber(), it -> it.getItemId(), it -> it.getTotalCents())
          .containsExactly(
              tuple(2L, 2L, 649L), tuple(2L, 1L, 649L), tuple(1L, 2L, 649L), tuple(1L, 1L, 649L));
      var older = page(4, newest.getNext(), true);
      assertThat(older.getLinesList())
          .extracting(it -> it.getNumber(), it -> it.getItemId())
          .containsExactly(tuple(0L, 2L), tuple(0L, 1L));
      assertThat(older.getNext()).isZero();
      assertThat(newest.getUnits()).isEqualTo(6);
      assertThat(market.purchased(2)).isEmpty();
    }
  }

  @Test
  void auditReportsPaymentsPurchasesAndSalesThatDoNotMatch() {
    try (var service = market.start()) {
      fillCart();
      market.buy(ANNA, "p");
      market.awaitFinished(service);
      market.add(ANNA, "c", 1, 1);
      error(() -> market.buy(ANNA, "q", FakePaymentProvider.DECLINED));
      market.assertAuditIsOk();
      String declined = market.payments.ids().getLast();
      market.payments.put(declined, 250, PaymentState.PAYMENT_STATE_CAPTURED);
      assertThat(market.audit().getLast().getDetail())
          .isEqualTo(format("payment 1 is captured, but purchase %s is DECLINED", declined));
      market.payments.put(declined, 0, PaymentState.PAYMENT_STATE_DECLINED);
      market.payments.put("unknown", 100, PaymentState.PAYMENT_STATE_AUTHORISED);
      assertThat(market.audit().getLast().getDetail())
          .isEqualTo(
              "payment 2 (unknown) of 100 cents is AUTHORISED, but has no purchase; see docs/reference/failures.md");
      assertThat(market.audit().getLast().getOk()).isFalse();
      market.payments.put("unknown", 100, PaymentState.PAYMENT_STATE_VOIDED);
      String id = market.payments.ids().getFirst();
      market.payments.put(id, 1548, PaymentState.PAYMENT_STATE_VOIDED);
      assertThat(market.audit().getLast().getDetail())
          .isEqualTo(format("purchase %s is captured, but payment 0 is not", id));
      market.payments.forget();
      assertThat(market.audit().getLast().getDetail())
          .isEqualTo("1 purchases are captured, but only 0 of their payments are");
      market.items.purchases.add(
          FakeSalesRpc.sale(1, "purchase\nunknown", "item 1", 1).toBuilder()
              .setSeries(toystore.catalog.v1.Series.SERIES_PURCHASES)
              .build());
      await(() ->
          market
              .audit()
              .getFirst()
              .getDetail()
              .equals("sale 1 of the series PURCHASES has no purchase"));
    }
  }

  private List<String> fillCart() {
    market.add(ANNA, "a", 1, 3);
    market.add(ANNA, "b", 2, 2);
    return market.cart(ANNA);
  }

  private static PurchaseRequest request(Buyer buyer) {
    return MarketplaceFixture.request(buyer, FakePaymentProvider.GOOD);
  }

  private static Card card(String number) {
    return MarketplaceFixture.card(number);
  }

  private static MarketplaceFixture.Bought bought(long units, long number, boolean replayed) {
    return new MarketplaceFixture.Bought(units, number, replayed);
  }

  private HasPurchasedResponse hasPurchased(long buyerId, long itemId) {
    return market.purchases.hasPurchased(
        HasPurchasedRequest.newBuilder().setBuyerId(buyerId).setItemId(itemId).build());
  }

  private long soldUnits(long sellerId) {
    return market
        .purchases
        .getSoldUnits(GetSoldUnitsRequest.newBuilder().setSellerId(sellerId).build())
        .getUnits();
  }

  private List<Long> soldUnitsOf(Long... items) {
    return market
        .purchases
        .getSoldUnits(GetSoldUnitsRequest.newBuilder().addAllItemIds(List.of(items)).build())
        .getItemUnitsList();
  }

  private ListPurchasesResponse page(int limit, long after, boolean newestFirst) {
    return market.purchases.listPurchases(
        ListPurchasesRequest.newBuilder()
            .setBuyerId(1)
            .setAfter(after)
            .setLimit(limit)
            .setNewestFirst(newestFirst)
            .build());
  }

  private static PurchaseDriver driver(
      org.springframework.context.ConfigurableApplicationContext service) {
    return service.getBean(PurchaseDriver.class);
  }

  private static double finished(
      org.springframework.context.ConfigurableApplicationContext service, String outcome) {
    return service
        .getBean(MeterRegistry.class)
        .get("toystore.purchases.finished")
        .tag("outcome", outcome)
        .counter()
        .count();
  }

  private static String refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return describe(error(call));
  }

  private static String describe(RpcError error) {
    return error.reason().name();
  }
}
