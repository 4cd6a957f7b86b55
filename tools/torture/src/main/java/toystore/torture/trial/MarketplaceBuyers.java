package toystore.torture.trial;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import toystore.clients.ClientThreads;
import toystore.clients.Conditions;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;
import toystore.payment.v1.Payment;
import toystore.payment.v1.PaymentState;

/// Clients that buy on the marketplace until they are stopped, each as a few customers after the
/// other, and the comparison of the store with what they were told.
public final class MarketplaceBuyers extends ClientThreads {
  private static final int SELLERS = 3;
  private static final int[] STOCKS = {5, 40, 200, 1_000_000};
  private static final int LOGINS = 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final StoreHttpClient[] frontends;
  private final StoreHttpClient frontend;
  private final Map<Long, ItemOnSale> items = new TreeMap<>();
  private final Queue<MarketplaceCustomer> customers = new ConcurrentLinkedQueue<>();
  private final List<Map<Long, Long>> bought = new ArrayList<>();
  private int returned;

  private record ItemOnSale(long priceCents, long stock) {}

  /// Puts items on sale.
  public MarketplaceBuyers(StoreHttpClient... frontends) {
    this.frontends = frontends;
    this.frontend = frontends[0];
    for (int seller = 0; seller < SELLERS; seller++) {
      MarketplaceClient client = MarketplaceClient.seller(frontend, "seller " + seller).register();
      for (int stock : STOCKS) {
        long cents = 100 + items.size() * 107L;
        items.put(client.addItem("Toy " + stock, cents, stock), new ItemOnSale(cents, stock));
      }
    }
  }

  /// Starts buyers, also after [#stop].
  public MarketplaceBuyers start(int count, Random random) {
    long[] seeds = random.longs(count).toArray();
    start(count, it -> buy(new Random(seeds[it])));
    return this;
  }

  private void buy(Random random) throws Exception {
    while (areRunning()) {
      StoreHttpClient entry = frontends[random.nextInt(frontends.length)];
      var customer = new MarketplaceCustomer(entry, List.copyOf(items.keySet()), random);
      customers.add(customer);
      for (int i = random.nextInt(20); areRunning() && i >= 0; i--) {
        if (customer.shop()) {
          countAnswer();
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /// Checks the store after [#stop]: waits until all purchases are settled, then compares the
  /// stock, the payments, and the carts, purchases and session of each customer since the last
  /// check with what was acknowledged.
  ///
  /// @return the number of purchases
  public long check(PaymentLedger ledger) {
    for (MarketplaceCustomer customer : customers) {
      bought.addAll(customer.bought);
      returned += customer.returned.size();
    }
    Map<Long, Long> sold = MarketplaceCustomer.sum(bought);
    MarketplaceClient seller = MarketplaceClient.seller(frontend, "seller 0").login();
    Conditions.patiently()
        .ignoreExceptionsInstanceOf(HttpTimeoutException.class) // of the audit, which reads all
        .untilAsserted(() -> {
          List<Payment> payments = ledger.payments();
          assertThat(payments)
              .as("payments that are neither captured nor voided")
              .noneMatch(it -> it.getState() == PaymentState.PAYMENT_STATE_AUTHORISED);
          assertThat(
                  payments.stream()
                      .filter(it -> it.getState() == PaymentState.PAYMENT_STATE_CAPTURED)
                      .map(Payment::getAmountCents))
              .as("captured payments")
              .containsExactlyInAnyOrderElementsOf(bought.stream().map(this::cents).toList());
          assertThat(frontend.audit().body()).startsWith("{\"ok\":true");
          // the units of a voided purchase may not be returned yet
          items.forEach((id, item) ->
              assertThat(seller.item(id).required("quantity").asLong())
                  .as("stock of item %d", id)
                  .isEqualTo(item.stock - sold.getOrDefault(id, 0L)));
        });
    int logins = 0;
    for (MarketplaceCustomer customer : customers) {
      if (customer.isRegistered()) {
        customer.check(logins++ < LOGINS);
      }
    }
    customers.clear();
    return bought.size() + returned;
  }

  private long cents(Map<Long, Long> lines) {
    return lines.entrySet().stream()
        .mapToLong(it -> requireNonNull(items.get(it.getKey())).priceCents * it.getValue())
        .sum();
  }
}
