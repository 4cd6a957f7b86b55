package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.MarketplaceClient.DECLINED_CARD;
import static toystore.clients.MarketplaceClient.GOOD_CARD;
import static toystore.clients.MarketplaceClient.NO_CAPTURE_CARD;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import toystore.clients.HttpTestClient;
import toystore.clients.HttpTestClient.Reply;
import toystore.clients.MarketplaceClient;

/// A buyer of the marketplace with an account: fills a cart and buys it, and checks every answer.
/// Some carts are saved, some are bought by a double click, with a card that is declined, or with a
/// card whose capture is refused. One thread.
final class MarketplaceCustomer {
  // a session ends after 5 minutes without a call, and its last use is stored every 30 s
  private static final long SESSION_NANOS = TimeUnit.MINUTES.toNanos(4);

  final String name = "buyer-" + UUID.randomUUID().toString().substring(0, 13);
  final MarketplaceClient client;

  /// What was acknowledged.
  final CustomerCarts carts = new CustomerCarts();

  private final List<Long> items;
  private final Random random;
  private long lastUse = System.nanoTime();

  /// @param items ids of the items on sale
  MarketplaceCustomer(HttpTestClient frontend, List<Long> items, Random random) {
    this.client = MarketplaceClient.buyer(frontend, name);
    this.items = items;
    this.random = random;
  }

  /// Fills the cart and buys it.
  ///
  /// @return whether there was something to buy
  boolean shop() throws Exception {
    if (client.token().isEmpty()) {
      client.register();
    } else if (random.nextInt(6) == 0) {
      logOutAndIn();
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      long item = items.get(random.nextInt(items.size()));
      long quantity = 1 + random.nextInt(2);
      if (status(client.addToCart(item, quantity), 201, 400) == 201) {
        carts.view.merge(item, quantity, Long::sum);
      }
    }
    if (random.nextInt(4) == 0) {
      status(client.saveCart(), 200);
      carts.save();
    }
    boolean buys = !carts.view.isEmpty();
    if (buys) {
      purchase();
    }
    assertThat(client.cart()).as("cart of %s", name).isEqualTo(carts.view);
    lastUse = System.nanoTime();
    return buys;
  }

  private void logOutAndIn() {
    status(client.decided("POST", "/api/buyers/logout", ""), 200, 401); // 401: a repeat
    status(client.decided("GET", "/api/cart", ""), 401);
    client.login();
    carts.login();
  }

  private void purchase() throws Exception {
    int status =
        switch (random.nextInt(10)) {
          case 0, 1 -> doubleClick();
          case 2 -> status(purchase(DECLINED_CARD), 402);
          case 3 -> buy(NO_CAPTURE_CARD, true);
          default -> buy(GOOD_CARD, false);
        };
    if (status == 409) {
      status(client.clearCart(), 200);
      carts.view.clear();
    }
  }

  private int buy(String card, boolean isReturned) {
    String key = UUID.randomUUID().toString();
    Reply reply = client.purchase(card, key);
    if (isUndone(reply, isReturned)) { // the answer before was lost
      carts.purchase(isReturned);
      return 201;
    }
    if (status(reply, 201, 409) == 201) {
      bought(reply, isReturned);
      if (random.nextInt(4) == 0) {
        Reply repeated = client.purchase(card, key);
        if (!isUndone(repeated, isReturned)) {
          assertThat(repeated.body()).as("repeat of %s", key).isEqualTo(reply.body());
        }
      }
    }
    return reply.status();
  }

  /// Whether a purchase that is to be returned is already returned.
  private static boolean isUndone(Reply reply, boolean isReturned) {
    return isReturned
        && reply.status() == 409
        && reply.json().required("reason").asString().equals("PURCHASE_RETURNED");
  }

  /// Buys one cart twice at the same time, with two keys: at most one succeeds.
  private int doubleClick() throws Exception {
    List<Reply> replies = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Reply> click = () -> purchase(GOOD_CARD);
      for (Future<Reply> reply : threads.invokeAll(List.of(click, click))) {
        replies.add(reply.get());
        status(replies.getLast(), 201, 400, 409);
      }
    }
    List<Reply> sold = replies.stream().filter(it -> it.status() == 201).toList();
    assertThat(sold).as("purchases by a double click of %s", name).hasSizeLessThan(2);
    if (sold.isEmpty()) {
      return 409;
    }
    bought(sold.getFirst(), false);
    return 201;
  }

  private Reply purchase(String card) {
    return client.purchase(card, UUID.randomUUID().toString());
  }

  private void bought(Reply reply, boolean isReturned) {
    long units = carts.view.values().stream().mapToLong(it -> it).sum();
    assertThat(reply.json().required("items_purchased").asLong())
        .as("units bought by %s", name)
        .isEqualTo(units);
    carts.purchase(isReturned);
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
      assertThat(client.cart()).as("cart of %s", name).isEqualTo(carts.view);
      if (again) {
        client.login();
        assertThat(client.cart()).as("saved cart of %s", name).isEqualTo(carts.saved);
      }
    }
    assertThat(bought(false)).as(name).isEqualTo(CustomerCarts.sum(carts.bought));
    assertThat(bought(true)).as(name).isEqualTo(CustomerCarts.sum(carts.returned));
  }

  private Map<Long, Long> bought(boolean returned) {
    return CustomerCarts.sum(
        client.purchases().stream()
            .filter(it -> it.required("returned").asBoolean() == returned)
            .map(it -> Map.of(it.required("item_id").asLong(), it.required("quantity").asLong()))
            .toList());
  }
}
