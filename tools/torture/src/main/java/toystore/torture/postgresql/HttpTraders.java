package toystore.torture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.clients.ClientThreads;
import toystore.clients.HttpTestClient;
import toystore.clients.HttpTestClient.Reply;
import toystore.clients.StoreProcesses;

/// Clients that place orders at the exchange over the REST API until they are stopped, each with an
/// account of its own, and every second one without idempotency keys.
final class HttpTraders extends ClientThreads {
  private static final String ACCOUNTS = "/api/exchange/accounts";
  private static final String AUTHORIZATION = "Authorization";
  private static final String BEARER = "Bearer " + StoreProcesses.TOKEN;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final List<HttpTestClient> frontends;
  private final Queue<Account> accounts = new ConcurrentLinkedQueue<>();

  /// @param orders the acknowledged ones
  /// @param unknown how many others may have been placed
  private record Account(String path, List<Long> orders, AtomicLong unknown) {}

  /// Starts the clients.
  HttpTraders(List<HttpTestClient> frontends, int count, Random random) {
    this.frontends = frontends;
    long[] seeds = random.longs(count).toArray();
    start(count, it -> trade(it, new Random(seeds[it])));
  }

  private void trade(int trader, Random random) {
    boolean hasKeys = trader % 2 == 0;
    long id =
        created(true, ACCOUNTS, "{\"balance\":\"10000000\"}", new AtomicLong())
            .at("/account/account_id")
            .asLong();
    var account = new Account(ACCOUNTS + "/" + id, new ArrayList<>(), new AtomicLong());
    accounts.add(account);
    String shares = "{\"symbol\":\"TUX\",\"shares\":\"1000000\"}";
    created(true, account.path + "/shares", shares, account.unknown);
    account.unknown.set(0);
    while (areRunning()) {
      String order =
          String.format(
              Locale.ROOT,
              "{\"symbol\":\"TUX\",\"side\":\"%s\",\"shares\":\"%d\",\"limit\":\"%d\"}",
              random.nextBoolean() ? "buy" : "sell",
              1 + random.nextInt(20),
              95 + random.nextInt(10));
      JsonNode placed = created(hasKeys, account.path + "/orders", order, account.unknown);
      account.orders.add(placed.at("/order/order_id").asLong());
      if (hasKeys) {
        account.unknown.set(0); // the repeats were the same order
      }
      countAnswer();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private JsonNode created(boolean hasKey, String path, String body, AtomicLong unknown) {
    List<String> headers = new ArrayList<>(List.of(AUTHORIZATION, BEARER));
    if (hasKey) {
      headers.addAll(List.of("Idempotency-Key", UUID.randomUUID().toString()));
    }
    Reply reply =
        HttpTestClient.decided(
            it ->
                frontends
                    .get((path.length() + it) % frontends.size())
                    .post(path, body, headers.toArray(String[]::new)),
            unknown);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply.json();
  }

  /// Checks, after [#stop], that every acknowledged order was placed once, and no other but those
  /// whose outcome is unknown. Shares and cash are compared by the audit.
  ///
  /// @return the number of orders
  long check() {
    long all = 0;
    for (Account account : accounts) {
      List<Long> placed = orders(account);
      assertThat(placed).doesNotHaveDuplicates().containsAll(account.orders);
      assertThat(account.orders).as("acknowledged orders").doesNotHaveDuplicates();
      assertThat(placed.size() - account.orders.size())
          .as("orders that were not acknowledged; the outcome of %s is unknown", account.unknown)
          .isBetween(0, account.unknown.intValue());
      all += placed.size();
    }
    return all;
  }

  private List<Long> orders(Account account) {
    List<Long> orders = new ArrayList<>();
    @Nullable JsonNode next = null;
    do {
      String page =
          account.path + "/orders?limit=200" + (next == null ? "" : "&after=" + next.asString());
      JsonNode body =
          HttpTestClient.decided(_ -> frontends.getFirst().get(page, AUTHORIZATION, BEARER)).json();
      body.required("orders").forEach(it -> orders.add(it.required("order_id").asLong()));
      next = body.get("next");
    } while (next != null && !next.isNull());
    return orders;
  }
}
