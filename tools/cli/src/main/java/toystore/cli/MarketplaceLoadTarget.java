package toystore.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import toystore.cli.ResponseCheck.Verdict;

/// The marketplace as a target. Each client is a user of its own, with a session of its own; a
/// further seller offers the items that buyers search for and buy. All are registered and logged in
/// before the load. As each client waits for its response, there are as many connections as
/// clients. Any thread.
final class MarketplaceLoadTarget implements LoadTarget {
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

  private final HttpStoreTarget shop;
  private final String run = "load-" + UUID.randomUUID().toString().substring(0, 13);
  private final int category = 1 + ThreadLocalRandom.current().nextInt(MAX_CATEGORY);
  private final Queue<ShopClient> users = new ConcurrentLinkedQueue<>();
  private final List<Long> items = new ArrayList<>();
  private long seller;

  private MarketplaceLoadTarget(HttpStoreTarget shop) {
    this.shop = shop;
  }

  /// Registers and logs in the users of a load.
  ///
  /// @throws CommandRefusal if the shop refuses that
  static MarketplaceLoadTarget prepare(HttpStoreTarget shop, ClosedLoopLoad.Kind kind, int clients)
      throws IOException, InterruptedException {
    var target = new MarketplaceLoadTarget(shop);
    var offering = target.user(ShopRole.SELLER, "seller");
    for (var number = 0; number < ITEMS; number++) {
      target.items.add(
          target
              .setUp(offering, 201, "POST", "/api/sellers/items", target.item(number))
              .path("item_id")
              .asLong(0));
    }
    target.seller =
        target
            .setUp(offering, 200, "GET", "/api/items/" + target.items.getFirst(), null)
            .path("item")
            .path("seller_id")
            .asLong(0);
    target.logIn(kind.role(), clients);
    return target;
  }

  private void logIn(ShopRole role, int clients) throws IOException, InterruptedException {
    var logins = new ArrayList<Callable<Boolean>>();
    IntStream.range(0, clients)
        .forEach(number ->
            logins.add(() -> {
              var user = user(role, Integer.toString(number));
              if (role == ShopRole.SELLER) { // so that its list of items is not empty
                setUp(user, 201, "POST", "/api/sellers/items", item(number % ITEMS));
              }
              return users.add(user);
            }));
    try (var threads = Executors.newFixedThreadPool(LOGINS_AT_A_TIME)) {
      for (Future<Boolean> login : threads.invokeAll(logins)) {
        login.get();
      }
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException broken) {
        throw broken;
      }
      if (failed.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new IllegalStateException(failed);
    }
  }

  private ShopClient user(ShopRole role, String name) throws IOException, InterruptedException {
    return new ShopClient(shop, logIn(shop, role, run + "-" + name), _ -> {});
  }

  /// Registers and logs in a user.
  ///
  /// @return the token of the session
  static String logIn(HttpStoreTarget shop, ShopRole role, String name)
      throws IOException, InterruptedException {
    var nobody = new ShopClient(shop, null, _ -> {});
    var account =
        JSON.createObjectNode().put("username", name).put("password", UUID.randomUUID().toString());
    setUp(shop, nobody, 201, "POST", role.path() + "/register", account);
    return setUp(shop, nobody, 200, "POST", role.path() + "/login", account)
        .path("token")
        .asString("");
  }

  private JsonNode setUp(
      ShopClient user, int expected, String method, String path, @Nullable ObjectNode body)
      throws IOException, InterruptedException {
    return setUp(shop, user, expected, method, path, body);
  }

  /// Sends a request of the set-up; again as long as the server is busy.
  static JsonNode setUp(
      HttpStoreTarget shop,
      ShopClient user,
      int expected,
      String method,
      String path,
      @Nullable ObjectNode body)
      throws IOException, InterruptedException {
    for (var attempt = 1; ; attempt++) {
      var answer = shop.send(user.request(method, path, body).build());
      if (answer.status() == expected) {
        return JSON.readTree(answer.body());
      }
      if (attempt == SET_UP_TRIES || (answer.status() != 503 && answer.status() != 429)) {
        throw new CommandRefusal(
            String.format(
                Locale.ROOT,
                "cannot prepare the load: %s %s was answered with status %d, expected %d: %s",
                method,
                path,
                answer.status(),
                expected,
                answer.body()));
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
  public List<String> products(ClosedLoopLoad.Kind kind) {
    return IntStream.range(0, ITEMS).mapToObj(Integer::toString).toList();
  }

  @Override
  public Client client(ClosedLoopLoad.Kind kind) {
    return new MarketplaceLoadClient(users.remove(), kind);
  }

  @Override
  public void close() {
    shop.close();
  }

  private final class MarketplaceLoadClient implements Client {
    private final ShopClient user;
    private final ClosedLoopLoad.Kind kind;
    private final ResponseCheck answers = new ResponseCheck();

    MarketplaceLoadClient(ShopClient user, ClosedLoopLoad.Kind kind) {
      this.user = user;
      this.kind = kind;
    }

    @Override
    public Supplier<Verdict> ask(String product) throws IOException, InterruptedException {
      var number = Integer.parseInt(product);
      return switch (kind) {
        case RATING -> rating();
        case SEARCH -> search(number);
        case ITEMS -> items();
        case REGISTER_ITEM -> registerItem(number);
        case PURCHASE -> purchase(number);
        case QUERY, BUY, LOOKUP, TRADE, UPDATE, EXCHANGE_XML, EXCHANGE_REST, EXCHANGE_GRPC ->
            throw new IllegalStateException("no kind of the marketplace: " + kind);
      };
    }

    private Supplier<Verdict> rating() throws IOException, InterruptedException {
      var answer = send("GET", "/api/sellers/" + seller + "/rating", null);
      return () ->
          answers.json(
              200,
              answer,
              "rating missing",
              body ->
                  body.path("rating").path("thumbs_up").isIntegralNumber()
                      && body.path("rating").path("thumbs_down").isIntegralNumber());
    }

    private Supplier<Verdict> search(int number) throws IOException, InterruptedException {
      var answer =
          send("GET", "/api/items/search?category=" + category + "&keywords=kw" + number, null);
      return () ->
          answers.json(
              200,
              answer,
              "response is not the item with the keyword",
              body ->
                  body.path("items").size() == 1
                      && body.path("items").get(0).path("item_id").asLong(0) == items.get(number));
    }

    private Supplier<Verdict> items() throws IOException, InterruptedException {
      var answer = send("GET", "/api/sellers/items", null);
      return () ->
          answers.json(
              200,
              answer,
              "response is not the seller's items",
              body ->
                  body.path("items").size() > 0
                      && body.path("items").get(0).path("item_name").asString("").startsWith(run));
    }

    private Supplier<Verdict> registerItem(int number) throws IOException, InterruptedException {
      var answer = send("POST", "/api/sellers/items", item(number));
      return () -> answers.growing(201, answer, "item_id");
    }

    /// Two requests: one unit into the cart, then the purchase.
    private Supplier<Verdict> purchase(int number) throws IOException, InterruptedException {
      var line = JSON.createObjectNode().put("item_id", items.get(number)).put("quantity", 1);
      var added = send("POST", "/api/cart/items", line);
      if (added.status() != 201) {
        return () -> answers.json(201, added, "", _ -> true);
      }
      var answer = send("POST", "/api/purchases", CARD);
      return () ->
          answers.json(
              201,
              answer,
              "not one unit purchased",
              body -> body.path("items_purchased").asLong(0) == 1);
    }

    private HttpStoreTarget.Answer send(String method, String path, @Nullable ObjectNode body)
        throws IOException, InterruptedException {
      return shop.send(user.request(method, path, body).build());
    }

    @Override
    public void close() {
      users.add(user);
    }
  }
}
