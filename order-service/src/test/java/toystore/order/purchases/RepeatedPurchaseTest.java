package toystore.order.purchases;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.order.purchases.PurchaseMachine.ANNA;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.platform.journal.Answer;
import toystore.testkit.TestDatabase.Engine;

/// A repeat of a purchase gets the answer of the call that it repeats, whichever thread is slow.
class RepeatedPurchaseTest {
  @TempDir Path folder;
  private PurchaseMachine machine;

  @BeforeEach
  void start() throws Exception {
    machine = new PurchaseMachine(folder, Engine.SQLITE);
    machine.restart();
    machine.items.put(1, 100, 1_000);
  }

  @AfterEach
  void stop() throws Exception {
    machine.close();
  }

  /// A caller may be suspended at any point. If it submitted the command itself, it could be
  /// suspended before it knew the result, and the driver would learn of the repeat first.
  @Test
  void purchaseIsSubmittedByTheThreadThatReceivesTheResults() {
    machine.add(ANNA, "a", 1, 1);
    var release = new CompletableFuture<Void>();
    var held = new CompletableFuture<Void>();
    machine.payments.open = new CountDownLatch(1);
    CompletableFuture<Void> first =
        machine
            .buy(ANNA, "p", FakePaymentProvider.GOOD)
            .thenAccept(_ -> { // on the driver's thread
              held.complete(null);
              release.join();
            });
    machine.payments.open.countDown();
    held.join();
    machine.add(ANNA, "b", 1, 2);
    var call = machine.buy(ANNA, "q", FakePaymentProvider.GOOD);
    var repeat = machine.buy(ANNA, "q", FakePaymentProvider.GOOD);
    machine.add(ANNA, "c", 1, 3); // decided before both calls

    release.complete(null);

    first.join();
    assertThat(call.join()).isEqualTo(new Answer.Done<>(new Sold(5, 1)));
    assertThat(repeat.join()).isEqualTo(new Answer.Done<>(new Sold(5, 1), true));
  }
}
