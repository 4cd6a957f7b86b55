package toystore.torture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import toystore.clients.Conditions;
import toystore.clients.HttpTestClient;
import toystore.clients.MarketplaceClient;
import toystore.payment.v1.Payment;
import toystore.payment.v1.PaymentState;

/// Clients that buy on the marketplace until they are stopped, each as a few customers after the
/// other, and the comparison of the store with what they were told.
public final class MarketplaceBuyers implements AutoCloseable {
  private static final int SELLERS = 3;
  private static final int[] STOCKS = {5, 40, 200, 1_000_000};
  private static final int LOGINS = 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final HttpTestClient frontend;
  private final Map<Long, ItemOnSale> items = new TreeMap<>();
  private final Queue<MarketplaceCustomer> customers = new ConcurrentLinkedQueue<>();
  private final List<CustomerCarts> checked = new ArrayList<>();
  private final List<Future<?>> buyers = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong attempts = new AtomicLong();
  private volatile boolean buying;

  private record ItemOnSale(long priceCents, long stock) {}

  public MarketplaceBuyers(HttpTestClient frontend) {
    this.frontend = frontend;
  }

  /// Puts items on sale.
  public MarketplaceBuyers offerItems() {
    for (int seller = 0; seller < SELLERS; seller++) {
      MarketplaceClient client = MarketplaceClient.seller(frontend, "seller " + seller).register();
      for (int stock : STOCKS) {
        long cents = 100 + items.size() * 107L;
        items.put(client.addItem("Toy " + stock, cents, stock), new ItemOnSale(cents, stock));
      }
    }
    return this;
  }

  /// Starts buyers, also after [#stop].
  public MarketplaceBuyers start(int count, Random random) {
    buying = true;
    for (int i = 0; i < count; i++) {
      long seed = random.nextLong();
      buyers.add(
          threads.submit(() -> {
            buy(new Random(seed));
            return null;
          }));
    }
    return this;
  }

  private void buy(Random random) throws Exception {
    while (buying) {
      var customer = new MarketplaceCustomer(frontend, List.copyOf(items.keySet()), random);
      customers.add(customer);
      for (int i = random.nextInt(20); buying && i >= 0; i--) {
        if (customer.shop()) {
          attempts.incrementAndGet();
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /// Number of carts that were bought or refused so far.
  ///
  /// @throws AssertionError if a buyer received a wrong answer
  long attempts() {
    for (Future<?> buyer : buyers) {
      if (buyer.state() == Future.State.FAILED) {
        throw new AssertionError(buyer.exceptionNow().getMessage(), buyer.exceptionNow());
      }
    }
    return attempts.get();
  }

  /// Stops the buyers after their current requests.
  public void stop() throws ExecutionException, InterruptedException {
    buying = false;
    for (Future<?> buyer : buyers) {
      buyer.get();
    }
    buyers.clear();
  }

  @Override
  public void close() {
    buying = false;
    customers.forEach(it -> it.client.close());
    threads.shutdownNow();
  }

  /// Checks the store after [#stop]: waits until all purchases are settled, then compares the
  /// stock, the payments, and the carts, purchases and session of each customer since the last
  /// check with what was acknowledged.
  ///
  /// @return the number of purchases
  public long check(PaymentLedger ledger) {
    customers.forEach(it -> checked.add(it.carts));
    List<Map<Long, Long>> bought = checked.stream().flatMap(it -> it.bought.stream()).toList();
    long returned = checked.stream().mapToLong(it -> it.returned.size()).sum();
    Map<Long, Long> sold = CustomerCarts.sum(bought);
    String name = "visitor-" + UUID.randomUUID().toString().substring(0, 13);
    MarketplaceClient visitor = MarketplaceClient.seller(frontend, name).register();
    Conditions.patiently()
        .untilAsserted(() -> {
          List<Payment> payments = ledger.payments();
          assertThat(payments)
              .as("payments that are neither captured nor voided")
              .noneMatch(it -> it.getState() == PaymentState.PAYMENT_STATE_AUTHORISED);
          assertThat(amounts(payments))
              .isEqualTo(bought.stream().map(this::cents).sorted().toList());
          assertThat(frontend.audit().body()).startsWith("{\"ok\":true");
          // the units of a voided purchase may not be returned yet
          items.forEach((id, item) ->
              assertThat(visitor.item(id).required("quantity").asLong())
                  .as("stock of item %d", id)
                  .isEqualTo(item.stock - sold.getOrDefault(id, 0L)));
        });
    int logins = 0;
    for (MarketplaceCustomer customer : customers) {
      if (!customer.client.token().isEmpty()) {
        customer.check(logins++ < LOGINS);
      }
    }
    customers.clear();
    return bought.size() + returned;
  }

  private static List<Long> amounts(List<Payment> payments) {
    return payments.stream()
        .filter(it -> it.getState() == PaymentState.PAYMENT_STATE_CAPTURED)
        .map(Payment::getAmountCents)
        .sorted()
        .toList();
  }

  private long cents(Map<Long, Long> lines) {
    return lines.entrySet().stream()
        .mapToLong(it -> requireNonNull(items.get(it.getKey())).priceCents * it.getValue())
        .sum();
  }
}
