package toystore.order.purchases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static toystore.clients.Conditions.await;
import static toystore.order.purchases.MarketplaceFixture.buyer;
import static toystore.order.purchases.MarketplaceFixture.error;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.Series;
import toystore.common.v1.AuditCheck;
import toystore.order.domain.Purchase;
import toystore.order.domain.SaleKey;
import toystore.order.rpc.FakeSalesRpc;
import toystore.order.storage.OrderBatches;
import toystore.order.v1.Buyer;
import toystore.payment.v1.PaymentState;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// The order service's database is restored from a backup that is older than the catalog and the
/// ledger, or it is deleted, or the ledger is older.
class RecoveredPurchasesTest {
  private static final Buyer ANNA = buyer(1, 11);
  private static final Buyer BERT = buyer(2, 21);

  @TempDir Path folder;
  @TempDir Path backup;
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
  void purchasesMadeAfterTheBackupAreBackAndTheirMoneyIsCaptured() throws IOException {
    try (var service = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.add(BERT, "a", 1, 1);
      market.buy(BERT, "p", FakePaymentProvider.NO_CAPTURE);
      market.awaitFinished(service);
    }
    copyDatabase(folder, backup);
    try (var service = market.start()) {
      market.buy(ANNA, "p");
      market.add(BERT, "b", 2, 1);
      market.buy(BERT, "q", FakePaymentProvider.NO_CAPTURE);
      market.awaitFinished(service);
      market.payments.capturesUnavailable = true;
      market.add(ANNA, "b", 2, 2);
      market.buy(ANNA, "q");
    }
    restore();
    market.payments.capturesUnavailable = false;
    try (var service = market.start()) {
      market.awaitFinished(service);
      assertThat(market.purchased(1)).containsExactly("3 × item 1 at 250", "2 × item 2 at 399");
      assertThat(market.purchased(2))
          .containsExactly("1 × item 1 at 250 returned", "1 × item 2 at 399 returned");
      assertThat(market.payments.capturedCents()).isEqualTo(3 * 250 + 2 * 399);
      assertThat(List.of(market.items.stock(1), market.items.stock(2))).containsExactly(7L, 3L);
      assertThat(market.cart(ANNA)).as("as in the backup").containsExactly("3 × item 1 at 250");
      market.assertAuditIsOk();
      market.buy(ANNA, "r");
      market.awaitFinished(service);
      assertThat(market.purchased(1)).hasSize(3);
      market.assertAuditIsOk();
    }
  }

  @Test
  void deletedDatabaseIsRebuiltFromTheCatalogWithoutCarts() throws IOException {
    try (var service = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.add(BERT, "a", 1, 1);
      market.buy(ANNA, "p");
      market.awaitFinished(service);
    }
    restore();
    try (var service = market.start()) {
      market.awaitFinished(service);
      assertThat(market.purchased(1)).containsExactly("3 × item 1 at 250");
      assertThat(market.cart(BERT)).isEmpty();
      assertThat(market.payments.capturedCents()).isEqualTo(3 * 250);
      market.assertAuditIsOk();
    }
  }

  @Test
  void recoveredPurchaseWhosePaymentIsUnknownToAnOlderLedgerIsReturned() throws IOException {
    try (var service = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.buy(ANNA, "p");
      market.awaitFinished(service);
    }
    restore();
    market.payments.forget();
    try (var service = market.start()) {
      market.awaitFinished(service);
      assertThat(market.purchased(1)).containsExactly("3 × item 1 at 250 returned");
      assertThat(market.items.stock(1)).isEqualTo(10);
      market.assertAuditIsOk();
    }
  }

  @Test
  void saleInTheCatalogCountsIfThePurchaseIsStillAuthorisingInTheBackup() throws IOException {
    var hold = new CountDownLatch(1);
    market.payments.open = hold;
    try (var service = market.start()) {
      market.add(ANNA, "a", 1, 3);
      var answer = CompletableFuture.supplyAsync(() -> market.buy(ANNA, "p"));
      await(() -> service.getBean(PurchaseDriver.class).open(Purchase.State.AUTHORISING) == 1);
      copyDatabase(folder, backup);
      hold.countDown();
      answer.join();
      market.awaitFinished(service);
    }
    restore();
    try (var service = market.start()) {
      market.awaitFinished(service);
      assertThat(market.buy(ANNA, "p").replayed()).isTrue();
      assertThat(market.purchased(1)).containsExactly("3 × item 1 at 250");
      assertThat(market.cart(ANNA)).isEmpty();
      assertThat(market.payments.capturedCents()).isEqualTo(3 * 250);
      market.assertAuditIsOk();
    }
  }

  @Test
  void purchaseThatWasVoidedButIsSoldInTheCatalogIsReturned() {
    try (var service = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.items.put(1, 260, 10);
      error(() -> market.buy(ANNA, "p"));
      market.awaitFinished(service);
      market.items.purchases.add(sale(0, 1, market.payments.ids().getFirst()));
      await(() -> market.items.purchases.size() == 2); // the sale and its return
      market.awaitFinished(service);
      assertThat(market.purchased(1)).hasSize(1).allMatch(it -> it.endsWith(" returned"));
    }
  }

  @Test
  void nothingIsBoughtWhileTheCatalogDoesNotHaveTheLastPurchase() {
    try (var service = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.buy(ANNA, "p");
      market.add(BERT, "a", 1, 1);
      market.buy(BERT, "p");
      market.awaitFinished(service);
      market.add(ANNA, "b", 2, 1);
      Sale last = market.items.purchases.removeLast();
      awaitRefused(service, "the last sale of a purchase is 1, but the catalog ends with 0");
      assertThat(market.audit().getFirst().getDetail())
          .isEqualTo("the last sale of a purchase is 1, but the catalog ends with 0");
      market.items.purchases.add(sale(1, 2, "another"));
      awaitRefused(
          service,
          "sale 1 of the catalog, which ends with 1, belongs to another purchase than here");
      market.items.purchases.set(1, last);
      await(() -> service.getBean(PurchaseRecovery.class).refusal() == null);
      assertThat(market.buy(ANNA, "q").number()).isEqualTo(2);
      market.awaitFinished(service);
      market.assertAuditIsOk();
    }
  }

  private void awaitRefused(ConfigurableApplicationContext service, String why) {
    var refusal =
        new RpcError(
            ErrorReason.CATALOG_BEHIND,
            why + "; nothing can be bought until an operator resolves this");
    await(() -> refusal.equals(service.getBean(PurchaseRecovery.class).refusal()));
    assertThat(error(() -> market.buy(ANNA, "q"))).isEqualTo(refusal);
    assertThat(market.cart(ANNA)).containsExactly("1 × item 2 at 399");
    assertThat(market.payments.ids()).hasSize(2);
  }

  /// The catalog is replaced between two comparisons: the sale itself names the last purchase.
  @Test
  void purchaseThatIsAuthorisedWhenTheCatalogIsReplacedIsNotSoldByTheOlderOne() {
    try (var service = market.start()) {
      market.add(BERT, "a", 1, 1);
      market.buy(BERT, "p");
      market.awaitFinished(service);
      market.items.open = new CountDownLatch(1);
      market.add(ANNA, "a", 1, 3);
      var answer = CompletableFuture.supplyAsync(() -> market.buy(ANNA, "p"));
      await(() -> market.payments.count(PaymentState.PAYMENT_STATE_AUTHORISED) == 1);
      Sale last = market.items.purchases.removeLast();
      market.items.open.countDown();
      await(() -> market.items.behind.get() > 0);
      assertThat(market.items.purchases).isEmpty();
      market.items.purchases.add(last);
      assertThat(answer.join().number()).isEqualTo(1);
    }
  }

  @Test
  void nothingIsBoughtAfterTheCatalogWasAwayUntilItIsComparedAgain() {
    try (var service = market.start()) {
      market.add(ANNA, "a", 1, 3);
      market.buy(ANNA, "p");
      market.awaitFinished(service);
      market.items.listsSales = false;
      market.add(ANNA, "b", 2, 1);
      var recovery = service.getBean(PurchaseRecovery.class);
      await(() -> recovery.refusal() != null);
      RpcError refusal = error(() -> market.buy(ANNA, "q"));
      assertThat(refusal)
          .isEqualTo(
              new RpcError(
                  ErrorReason.NOT_DONE,
                  "the purchases are not yet compared with the catalog; nothing was bought; retry later"));
      market.items.listsSales = true;
      await(() -> recovery.refusal() == null);
      assertThat(market.buy(ANNA, "q").number()).isEqualTo(1);
    }
  }

  @Test
  void morePurchasesThanTheDriverReadsAtATimeAreRecoveredAndCaptured() {
    int count = 1_100;
    IntStream.range(0, count)
        .forEach(number -> {
          market.items.purchases.add(sale(number, 1 + number % 3, "purchase-" + number));
          market.payments.put("purchase-" + number, 100, PaymentState.PAYMENT_STATE_AUTHORISED);
        });
    try (var service = market.start()) {
      await(() -> service.getBean(OrderBatches.class).lastNumber() == count - 1);
      market.awaitFinished(service);
      assertThat(market.payments.capturedCents()).isEqualTo(100L * count);
      market.assertAuditIsOk();
    }
  }

  @Test
  void authorisedPaymentsWithoutAPurchaseAreVoidedAtTheStart() {
    market.payments.put("declined", 100, PaymentState.PAYMENT_STATE_DECLINED);
    IntStream.range(0, 20)
        .forEach(
            it -> market.payments.put("unknown-" + it, 100, PaymentState.PAYMENT_STATE_AUTHORISED));
    try (var _ = market.start()) {
      await(() -> market.payments.count(PaymentState.PAYMENT_STATE_VOIDED) == 20);
      await(() -> payments().getOk());
      market.assertAuditIsOk();
      market.payments.put("later", 100, PaymentState.PAYMENT_STATE_CAPTURED);
      assertThat(payments().getOk()).isFalse();
      assertThat(payments().getDetail())
          .isEqualTo(
              "payment 21 (later) of 100 cents is CAPTURED, but has no purchase; see docs/reference/failures.md");
    }
  }

  @Test
  void auditContainsThePaymentServicesOwnChecks() {
    market.payments.checks =
        List.of(
            AuditCheck.newBuilder()
                .setName("payments")
                .setOk(false)
                .setDetail("damaged row")
                .build());
    try (var _ = market.start()) {
      assertThat(market.audit())
          .extracting(AuditCheck::getName, AuditCheck::hasOk, AuditCheck::getOk)
          .contains(tuple("payment: payments", true, false));
      market.payments.unavailable = true;
      assertThat(market.audit())
          .extracting(AuditCheck::getName, AuditCheck::hasOk)
          .contains(tuple("payment-service", false));
      assertThat(market.audit()).extracting(AuditCheck::hasOk).containsExactly(true, false, false);
    }
  }

  private AuditCheck payments() {
    return market.audit().get(1);
  }

  private static Sale sale(int number, long buyerId, String purchaseId) {
    var key = new SaleKey(false, buyerId, purchaseId).requestKey();
    return FakeSalesRpc.sale(number, key.stored(), "item 1", 1).toBuilder()
        .setSeries(Series.SERIES_PURCHASES)
        .build();
  }

  private void restore() throws IOException {
    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(folder.resolve(database(suffix)));
    }
    copyDatabase(backup, folder);
  }

  private static void copyDatabase(Path from, Path to) throws IOException {
    for (String suffix : List.of("", "-wal")) {
      if (Files.exists(from.resolve(database(suffix)))) {
        Files.createDirectories(to.resolve(database(suffix)).getParent());
        Files.copy(
            from.resolve(database(suffix)),
            to.resolve(database(suffix)),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static String database(String suffix) {
    return "order/order.db" + suffix;
  }
}
