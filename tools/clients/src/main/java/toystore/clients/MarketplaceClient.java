package toystore.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.clients.StoreHttpClient.Reply;

/// A buyer or a seller of the marketplace, with one session at a time: a client of the REST API
/// under `/api`. Requests are repeated with their idempotency key until they are decided. Any
/// thread may send requests while no other logs in.
public final class MarketplaceClient {
  public static final String GOOD_CARD = "4111111111111111";

  /// A card whose authorisation is declined.
  public static final String DECLINED_CARD = "4000000000000002";

  /// A card whose payment is authorised and whose capture is refused.
  public static final String NO_CAPTURE_CARD = "4000000000000341";

  private final StoreHttpClient frontend;
  private final String role;
  private final String credentials;
  private volatile String token = "";

  private MarketplaceClient(StoreHttpClient frontend, String role, String credentials) {
    this.frontend = frontend;
    this.role = role;
    this.credentials = credentials;
  }

  /// A buyer who is not registered yet.
  public static MarketplaceClient buyer(StoreHttpClient frontend, String username) {
    return new MarketplaceClient(frontend, "buyers", credentials(username));
  }

  /// A seller who is not registered yet.
  public static MarketplaceClient seller(StoreHttpClient frontend, String username) {
    return new MarketplaceClient(frontend, "sellers", credentials(username));
  }

  private static String credentials(String username) {
    return format("{\"username\":\"%s\",\"password\":\"password of %s\"}", username, username);
  }

  /// Returns a client of another frontend with the user's current session.
  public MarketplaceClient at(StoreHttpClient otherFrontend) {
    var client = new MarketplaceClient(otherFrontend, role, credentials);
    client.token = token;
    return client;
  }

  /// Registers the user and logs in.
  public MarketplaceClient register() {
    expect(201, "POST", "/api/" + role + "/register", credentials);
    return login();
  }

  /// Opens another session and uses it from now on.
  public MarketplaceClient login() {
    JsonNode session = expect(200, "POST", "/api/" + role + "/login", credentials);
    token = session.required("token").asString();
    return this;
  }

  public String token() {
    return token;
  }

  /// Puts an item of category 1 on sale and returns its id.
  public long addItem(String name, long priceCents, long quantity) {
    String item =
        format(
            "{\"name\":\"%s\",\"category\":1,\"keywords\":[\"toy\"],\"condition\":\"new\",\"price\":%d.%02d,\"quantity\":%d}",
            name, priceCents / 100, priceCents % 100, quantity);
    return expect(201, "POST", "/api/sellers/items", item).required("item_id").asLong();
  }

  public Reply addToCart(long item, long quantity) {
    return sendUntilDecided(
        "POST", "/api/cart/items", format("{\"item_id\":%d,\"quantity\":%d}", item, quantity));
  }

  public Reply saveCart() {
    return sendUntilDecided("POST", "/api/cart/save", "");
  }

  public Reply clearCart() {
    return sendUntilDecided("DELETE", "/api/cart", "");
  }

  /// Quantities by item.
  public Map<Long, Long> cart() {
    Map<Long, Long> cart = new TreeMap<>();
    for (JsonNode line : ok("/api/cart").required("cart")) {
      cart.put(line.required("item_id").asLong(), line.required("quantity").asLong());
    }
    return cart;
  }

  /// Buys the cart.
  public Reply purchase(String cardNumber, String key) {
    return sendUntilDecided("POST", "/api/purchases", card(cardNumber), key);
  }

  /// The body of a request to buy the cart.
  public static String card(String number) {
    return format(
        "{\"card_holder_name\":\"A Buyer\",\"card_number\":\"%s\",\"expiration_date\":\"12/39\",\"security_code\":\"123\"}",
        number);
  }

  /// All lines that the buyer bought.
  public List<JsonNode> purchases() {
    List<JsonNode> purchases = new ArrayList<>();
    @Nullable JsonNode next = null;
    do {
      String after = next == null ? "" : "&after=" + next.asString();
      JsonNode page = ok("/api/buyers/purchases?limit=200" + after);
      page.required("purchases").forEach(purchases::add);
      next = page.get("next");
    } while (next != null && !next.isNull());
    return purchases;
  }

  public JsonNode item(long id) {
    return ok("/api/items/" + id).required("item");
  }

  private JsonNode ok(String path) {
    return expect(200, "GET", path, "");
  }

  private JsonNode expect(int status, String method, String path, String body) {
    Reply reply = sendUntilDecided(method, path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return reply.json();
  }

  /// Sends a request with a new key until it is decided.
  public Reply sendUntilDecided(String method, String path, String body) {
    return sendUntilDecided(method, path, body, UUID.randomUUID().toString());
  }

  /// Sends a request until it is decided: see [StoreHttpClient#sendUntilDecided].
  public Reply sendUntilDecided(String method, String path, String body, String key) {
    return StoreHttpClient.sendUntilDecided(_ -> send(method, path, body, key));
  }

  /// Sends a request once.
  public Reply send(String method, String path, String body, String key) throws IOException {
    List<String> headers = new ArrayList<>(List.of("Idempotency-Key", key));
    if (!token.isEmpty()) {
      headers.addAll(List.of("Authorization", "Bearer " + token));
    }
    return frontend.send(method, path, body, headers.toArray(String[]::new));
  }
}
