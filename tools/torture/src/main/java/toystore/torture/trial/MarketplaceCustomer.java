package toystore.torture.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.MarketplaceClient.DECLINED_CARD;
import static toystore.clients.MarketplaceClient.GOOD_CARD;
import static toystore.clients.MarketplaceClient.NO_CAPTURE_CARD;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;

/// A buyer of the marketplace with an account: fills a cart and buys it, and checks every answer.
/// Some carts are saved, some are bought by a double click, with a card that is declined, or with a
/// card whose capture is refused. Remembers what was acknowledged, as quantities by item. One
/// thread.
final class MarketplaceCustomer {
  // a session ends after 5 minutes without a call, and its last use is stored every 30 s
  private static final long SESSION_NANOS = TimeUnit.MINUTES.toNanos(4);

  final List<Map<Long, Long>> bought = new ArrayList<>();

  /// Bought with a card whose capture is refused.
  final List<Map<Long, Long>> returned = new ArrayList<>();

  private final Map<Long, Long> cart = new TreeMap<>();
  private final Map<Long, Long> saved = new TreeMap<>();
  private final String name = "buyer-" + UUID.randomUUID().toString().substring(0, 13);
  private final MarketplaceClient client;
  private final List<Long> items;
  private final Random random;
  private long lastUse = System.nanoTime();

  /// @param items ids of the items on sale
  MarketplaceCustomer(StoreHttpClient frontend, List<Long> items, Random random) {
    this.client = MarketplaceClient.buyer(frontend, name);
    this.items = items;
    this.random = random;
  }

  boolean isRegistered() {
    return !client.token().isEmpty();
  }

  /// Fills the cart and buys it.
  ///
  /// @return whether there was something to buy
  boolean shop() throws Exception {
    if (!isRegistered()) {
      client.register();
    } else if (random.nextInt(6) == 0) {
      logOutAndIn();
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      long item = items.get(random.nextInt(items.size()));
      long quantity = 1 + random.nextInt(2);
      if (status(client.addToCart(item, quantity), 201, 400) == 201) {
        cart.merge(item, quantity, Long::sum);
      }
    }
    if (random.nextInt(4) == 0) {
      status(client.saveCart(), 200);
      replace(saved, cart);
    }
    boolean buys = !cart.isEmpty();
    if (buys && purchase() == 409) {
      status(client.clearCart(), 200);
      cart.clear();
    }
    assertThat(client.cart()).as("cart of %s", name).isEqualTo(cart);
    lastUse = System.nanoTime();
    return buys;
  }

  /// The next session begins with the saved cart.
  private void logOutAndIn() {
    status(client.sendUntilDecided("POST", "/api/buyers/logout", ""), 200, 401); // 401: a repeat
    status(client.sendUntilDecided("GET", "/api/cart", ""), 401);
    client.login();
    replace(cart, saved);
  }

  private static void replace(Map<Long, Long> lines, Map<Long, Long> by) {
    lines.clear();
    lines.putAll(by);
  }

  /// @return 201, 402, or 409: the cart cannot be bought
  private int purchase() throws Exception {
    return switch (random.nextInt(10)) {
      case 0, 1 -> doubleClick();
      case 2 -> status(client.purchase(DECLINED_CARD, key()), 402);
      case 3 -> buy(NO_CAPTURE_CARD);
      default -> buy(GOOD_CARD);
    };
  }

  private int buy(String card) {
    boolean isReturned = card.equals(NO_CAPTURE_CARD);
    String key = key();
    Reply reply = client.purchase(card, key);
    if (isReturned && isReturned(reply)) { // the answer before was lost
      take(returned);
      return 201;
    }
    if (status(reply, 201, 409) == 201) {
      checkUnits(reply);
      take(isReturned ? returned : bought);
      if (random.nextInt(4) == 0) {
        Reply repeated = client.purchase(card, key);
        if (!isReturned || !isReturned(repeated)) {
          assertThat(repeated.body()).as("repeat of %s", key).isEqualTo(reply.body());
        }
      }
    }
    return reply.status();
  }

  private static boolean isReturned(Reply reply) {
    return reply.status() == 409
        && reply.json().required("reason").asString().equals("PURCHASE_RETURNED");
  }

  /// Buys one cart twice at the same time, with two keys: at most one succeeds.
  private int doubleClick() throws Exception {
    List<Reply> sold = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Reply> click = () -> client.purchase(GOOD_CARD, key());
      for (Future<Reply> reply : threads.invokeAll(List.of(click, click))) {
        if (status(reply.get(), 201, 400, 409) == 201) {
          sold.add(reply.get());
        }
      }
    }
    assertThat(sold).as("purchases by a double click of %s", name).hasSizeLessThan(2);
    if (sold.isEmpty()) {
      return 409;
    }
    checkUnits(sold.getFirst());
    take(bought);
    return 201;
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }

  private void checkUnits(Reply reply) {
    assertThat(reply.json().required("items_purchased").asLong())
        .as("units bought by %s", name)
        .isEqualTo(cart.values().stream().mapToLong(it -> it).sum());
  }

  /// A purchase takes the session's cart, and the same units from the saved one.
  private void take(List<Map<Long, Long>> purchases) {
    purchases.add(new TreeMap<>(cart));
    cart.forEach((item, quantity) ->
        saved.computeIfPresent(item, (_, before) -> before > quantity ? before - quantity : null));
    cart.clear();
  }

  private int status(Reply reply, Integer... expected) {
    assertThat(reply.status()).as("%s: %s", name, reply.body()).isIn((Object[]) expected);
    return reply.status();
  }

  /// Compares the customer's session, carts and purchases with what was acknowledged.
  ///
  /// @param again whether to log in again, too: another session shows the saved cart
  void check(boolean again) {
    if (System.nanoTime() - lastUse > SESSION_NANOS) {
      client.login();
    } else {
      assertThat(client.cart()).as("cart of %s", name).isEqualTo(cart);
      if (again) {
        client.login();
        assertThat(client.cart()).as("saved cart of %s", name).isEqualTo(saved);
      }
    }
    assertThat(purchases(false)).as(name).isEqualTo(sum(bought));
    assertThat(purchases(true)).as(name).isEqualTo(sum(returned));
  }

  private Map<Long, Long> purchases(boolean areReturned) {
    return sum(
        client.purchases().stream()
            .filter(it -> it.required("returned").asBoolean() == areReturned)
            .map(it -> Map.of(it.required("item_id").asLong(), it.required("quantity").asLong()))
            .toList());
  }

  static Map<Long, Long> sum(List<Map<Long, Long>> purchases) {
    var sum = new TreeMap<Long, Long>();
    purchases.forEach(lines -> lines.forEach((item, it) -> sum.merge(item, it, Long::sum)));
    return sum;
  }
}
