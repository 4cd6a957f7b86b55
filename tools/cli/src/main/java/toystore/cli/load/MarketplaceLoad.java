package toystore.cli.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import toystore.cli.command.CommandRefusal;
import toystore.cli.load.ResponseCheck.Verdict;
import toystore.cli.shop.HttpStore;
import toystore.cli.shop.ShopClient;
import toystore.cli.shop.ShopRole;

/// The marketplace as a target. Each client is a user of its own, with a session of its own; a
/// further seller offers the items that buyers search for and buy. All are registered and logged in
/// before the load. As each client waits for its response, there are as many connections as
/// clients. Any thread.
final class MarketplaceLoad implements LoadTarget {
  private static final int LOGINS_AT_A_TIME = 4;
  private static final int ITEMS = 20;
  private static final int MAX_CATEGORY = 1_000_000_000;
  private static final int PLENTY = 1_000_000_000;
  private static final int SET_UP_TRIES = 30;
  private static final long MAX_PAUSE_SECONDS = 10;
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final ObjectNode CARD =
      JSON.createObjectNode()
          .put("card_holder_name", "Load Test")
          .put("card_number", "4242424242424242")
          .put("expiration_date", "12/99")
          .put("security_code", "123");

  private final HttpStore shop;
  private final String run = "load-" + UUID.randomUUID().toString().substring(0, 13);
  private final int category = 1 + ThreadLocalRandom.current().nextInt(MAX_CATEGORY);
  private final List<ShopClient> users = new ArrayList<>();
  private final AtomicInteger connected = new AtomicInteger();
  private final List<Long> items = new ArrayList<>();
  private long seller;

  private MarketplaceLoad(HttpStore shop) {
    this.shop = shop;
  }

  /// Registers and logs in the users of a load.
  ///
  /// @throws CommandRefusal if the shop refuses that
  static MarketplaceLoad prepare(HttpStore shop, LoadKind kind, int clients)
      throws IOException, InterruptedException {
    var target = new MarketplaceLoad(shop);
    var offering = newUser(shop, ShopRole.SELLER, target.run + "-seller");
    for (var number = 0; number < ITEMS; number++) {
      target.items.add(target.offer(offering, number).path("item_id").asLong(0));
    }
    target.seller =
        setUp(offering, 200, "GET", "/api/items/" + target.items.getFirst(), null)
            .at("/item/seller_id")
            .asLong(0);
    target.addUsers(kind, clients);
    return target;
  }

  private JsonNode offer(ShopClient user, int number) throws IOException, InterruptedException {
    return setUp(user, 201, "POST", "/api/sellers/items", item(number));
  }

  private void addUsers(LoadKind kind, int clients) throws IOException, InterruptedException {
    var isSeller = kind == LoadKind.ITEMS || kind == LoadKind.REGISTER_ITEM;
    var logins = new ArrayList<Callable<ShopClient>>();
    for (var number = 0; number < clients; number++) {
      var name = run + "-" + number;
      var item = number % ITEMS;
      logins.add(() -> {
        var user = newUser(shop, isSeller ? ShopRole.SELLER : ShopRole.BUYER, name);
        if (isSeller) { // so that its list of items is not empty
          offer(user, item);
        }
        return user;
      });
    }
    try (var threads = Executors.newFixedThreadPool(LOGINS_AT_A_TIME)) {
      for (var login : threads.invokeAll(logins)) {
        users.add(login.get());
      }
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof CommandRefusal refused) {
        throw refused;
      }
      throw new IOException(failed.getCause());
    }
  }

  /// Registers and logs in a user.
  static ShopClient newUser(HttpStore shop, ShopRole role, String name)
      throws IOException, InterruptedException {
    var nobody = new ShopClient(shop, null, _ -> {});
    var account =
        JSON.createObjectNode().put("username", name).put("password", UUID.randomUUID().toString());
    setUp(nobody, 201, "POST", role.path() + "/register", account);
    var login = setUp(nobody, 200, "POST", role.path() + "/login", account);
    return new ShopClient(shop, login.path("token").asString(""), _ -> {});
  }

  /// Sends a request of the set-up; again as long as the server is busy.
  static JsonNode setUp(
      ShopClient user, int expected, String method, String path, @Nullable ObjectNode body)
      throws IOException, InterruptedException {
    for (var attempt = 1; ; attempt++) {
      var answer = user.sendOnce(method, path, body);
      if (answer.status() == expected) {
        return JSON.readTree(answer.body());
      }
      if (attempt == SET_UP_TRIES || (answer.status() != 503 && answer.status() != 429)) {
        throw new CommandRefusal(
            "cannot prepare the load: %s %s was answered with status %d, expected %d: %s",
            method, path, answer.status(), expected, answer.body());
      }
      Thread.sleep(Duration.ofSeconds(Math.min(answer.retryAfterSeconds(), MAX_PAUSE_SECONDS)));
    }
  }

  /// An item with a keyword of its own.
  private ObjectNode item(int number) {
    var item = JSON.createObjectNode().put("name", run + " " + number).put("category", category);
    item.putArray("keywords").add("load").add("kw" + number);
    return item.put("condition", "new").put("price", 1.5).put("quantity", PLENTY);
  }

  /// The numbers of the items.
  @Override
  public List<String> products(LoadKind kind) {
    return IntStream.range(0, ITEMS).mapToObj(Integer::toString).toList();
  }

  @Override
  public Client client(LoadKind kind) {
    var user = users.get(connected.getAndIncrement() % users.size());
    var check = new ResponseCheck();
    return switch (kind) {
      case RATING ->
          query(
              user,
              _ -> "/api/sellers/" + seller + "/rating",
              "rating missing",
              (body, _) ->
                  body.at("/rating/thumbs_up").isIntegralNumber()
                      && body.at("/rating/thumbs_down").isIntegralNumber());
      case SEARCH ->
          query(
              user,
              number -> "/api/items/search?category=" + category + "&keywords=kw" + number,
              "response is not the item with the keyword",
              (body, number) ->
                  body.path("items").size() == 1
                      && body.at("/items/0/item_id").asLong(0) == items.get(number));
      case ITEMS ->
          query(
              user,
              _ -> "/api/sellers/items",
              "response is not the seller's items",
              (body, _) -> body.at("/items/0/item_name").asString("").startsWith(run));
      case REGISTER_ITEM ->
          (product, _) -> {
            var answer =
                user.sendOnce("POST", "/api/sellers/items", item(Integer.parseInt(product)));
            return () -> check.growing(201, answer, "/item_id");
          };
      case PURCHASE ->
          (product, _) -> { // one unit into the cart, then the purchase
            var line = JSON.createObjectNode().put("item_id", items.get(Integer.parseInt(product)));
            var added = user.sendOnce("POST", "/api/cart/items", line.put("quantity", 1));
            if (added.status() != 201) {
              return () -> Verdict.Wrong.of("status " + added.status(), added.body());
            }
            var answer = user.sendOnce("POST", "/api/purchases", CARD);
            return () ->
                check.json(
                    201,
                    answer,
                    body ->
                        Verdict.of(
                            body.path("items_purchased").asLong(0) == 1,
                            "not one unit purchased",
                            answer.body()));
          };
      default -> throw new IllegalStateException("no kind of the marketplace: " + kind);
    };
  }

  /// Whether a response is the expected one for an item.
  private interface Expected {
    boolean test(JsonNode body, int number);
  }

  private static Client query(
      ShopClient user, IntFunction<String> path, String otherwise, Expected expected) {
    var check = new ResponseCheck();
    return (product, _) -> {
      var number = Integer.parseInt(product);
      var answer = user.sendOnce("GET", path.apply(number), null);
      return () ->
          check.json(
              200,
              answer,
              body -> Verdict.of(expected.test(body, number), otherwise, answer.body()));
    };
  }

  @Override
  public void close() {
    shop.close();
  }
}
