package toystore.order.purchases;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.order.purchases.PurchaseMachine.ANNA;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.order.domain.Purchase;
import toystore.platform.service.AuditCheckResult;
import toystore.testkit.TestDatabase.Engine;

class UnsoldPurchasesTest {
  @TempDir Path folder;

  @Test
  void purchasesThatWereNotSoldAreDeletedAfterADayAndTheAuditKnowsTheirPayments() throws Exception {
    try (var machine = new PurchaseMachine(folder, Engine.SQLITE)) {
      machine.restart();
      machine.items.put(1, 100, 5);
      machine.add(ANNA, "a", 1, 5);
      machine.buy(ANNA, "p", FakePaymentProvider.DECLINED).join();
      machine.items.put(1, 100, 4);
      machine.buy(ANNA, "q", FakePaymentProvider.GOOD).join();
      machine.awaitFinished();
      machine.items.put(1, 100, 5);
      machine.clockOffset = Duration.ofHours(23);
      machine.buy(ANNA, "r", FakePaymentProvider.GOOD).join();
      machine.awaitFinished();
      List<String> ids = machine.payments.ids();
      assertThat(ids.stream().map(machine::state))
          .containsExactly(
              Optional.of(Purchase.State.DECLINED),
              Optional.of(Purchase.State.VOIDED),
              Optional.of(Purchase.State.CAPTURED));

      machine.clockOffset = Duration.ofDays(3);
      machine.items.put(1, 100, 5);
      machine.add(ANNA, "b", 1, 1);
      machine.buy(ANNA, "s", FakePaymentProvider.GOOD).join();
      machine.awaitFinished();

      assertThat(ids.stream().map(machine::state))
          .containsExactly(
              Optional.empty(), Optional.empty(), Optional.of(Purchase.State.CAPTURED));
      assertThat(machine.audit()).extracting(AuditCheckResult::ok).containsOnly(true);
      machine.restart();
      assertThat(machine.audit()).extracting(AuditCheckResult::ok).containsOnly(true);
    }
  }
}
