package toystore.torture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import toystore.clients.ClientThreads;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;
import toystore.clients.StoreProcesses;

/// Clients that place orders at the exchange over the REST API until they are stopped, each for one
/// account after the other.
final class HttpTraders extends ClientThreads {
  private static final String ACCOUNTS = "/api/exchange/accounts";
  private static final String BEARER = "Bearer " + StoreProcesses.TOKEN;
  private static final int ORDERS = 200; // of an account: one page
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final StoreHttpClient[] frontends;

  /// The acknowledged orders by the path of their account.
  private final Map<String, Set<Long>> orders = new ConcurrentHashMap<>();

  /// Starts the clients.
  HttpTraders(StoreHttpClient[] frontends, int count, Random random) {
    this.frontends = frontends;
    long[] seeds = random.longs(count).toArray();
    start(count, it -> trade(new Random(seeds[it])));
  }

  private void trade(Random random) {
    while (areRunning()) {
      JsonNode opened = create(random, ACCOUNTS, "{\"balance\":\"10000000\"}");
      String account = ACCOUNTS + "/" + opened.at("/account/account_id").asLong();
      create(random, account + "/shares", "{\"symbol\":\"TUX\",\"shares\":\"100000\"}");
      Set<Long> acknowledged = new TreeSet<>();
      orders.put(account, acknowledged);
      for (int i = 0; i < ORDERS && areRunning(); i++) {
        String order =
            format(
                "{\"symbol\":\"TUX\",\"side\":\"%s\",\"shares\":\"%d\",\"limit\":\"%d\"}",
                random.nextBoolean() ? "buy" : "sell",
                1 + random.nextInt(20),
                95 + random.nextInt(10));
        long number = create(random, account + "/orders", order).at("/order/order_id").asLong();
        assertThat(acknowledged.add(number)).as("order %d is a new one", number).isTrue();
        countAnswer();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private JsonNode create(Random random, String path, String body) {
    String key = UUID.randomUUID().toString();
    int first = random.nextInt(frontends.length);
    Reply reply =
        StoreHttpClient.sendUntilDecided(it ->
            frontends[(first + it) % frontends.length].post(
                path, body, "Authorization", BEARER, "Idempotency-Key", key));
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply.json();
  }

  /// Checks, after [#stop], that exactly the acknowledged orders were placed. Shares and cash are
  /// compared by the audit.
  ///
  /// @return the number of orders
  long check() {
    orders.forEach((account, acknowledged) -> {
      String path = account + "/orders?limit=" + ORDERS;
      JsonNode placed =
          StoreHttpClient.sendUntilDecided(_ -> frontends[0].get(path, "Authorization", BEARER))
              .json();
      assertThat(
              placed.required("orders").valueStream().map(it -> it.required("order_id").asLong()))
          .as(path)
          .containsExactlyInAnyOrderElementsOf(acknowledged);
    });
    return orders.values().stream().mapToLong(Set::size).sum();
  }
}
