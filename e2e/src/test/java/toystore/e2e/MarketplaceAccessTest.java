package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.e2e.MarketplaceStore.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient.Reply;

/// Who may do what: every route under `/api`, as each kind of client. The routes come from the
/// OpenAPI document, which a test of the frontend compares with the controllers.
class MarketplaceAccessTest {
  /// Answers of a buyer or seller to whom the item, cart and purchase do not belong. Every route
  /// that names an item and changes something must be here.
  private static final Map<String, Integer> OF_OTHERS =
      Map.of(
          "repriceItem", 403,
          "removeItemUnits", 403,
          "giveFeedback", 403,
          "removeFromCart", 400,
          "purchase", 400);

  /// Answers of a buyer or seller to whom the account of the exchange does not belong.
  private static final Set<String> OF_ONE_ACCOUNT =
      Set.of(
          "getExchangeAccount",
          "addShares",
          "listExchangeOrders",
          "placeExchangeOrder",
          "getExchangeOrder",
          "cancelExchangeOrder");

  private static final String FEED = "/api/exchange/feed";

  private static final List<String> OPEN =
      List.of("registerBuyer", "registerSeller", "loginBuyer", "loginSeller");

  private record Route(String id, String method, String path, String role, String body) {
    boolean isOfExchange() {
      return path.startsWith("/api/exchange/");
    }
  }

  private static int statusOfOtherRole(Route route) {
    if (!route.role.equals("any")) {
      return 403;
    }
    return OF_ONE_ACCOUNT.contains(route.id) ? 404 : 0;
  }

  private static int statusOfOtherUser(Route route) {
    return OF_ONE_ACCOUNT.contains(route.id) ? 404 : OF_OTHERS.getOrDefault(route.id, 0);
  }

  @Test
  void nobodyReadsOrChangesWhatBelongsToAnother() throws IOException {
    MarketplaceStore market = SharedStore.open();
    long item = market.seller().addItem("Secret castle", 1250, 10);
    market.buyer().addToCart(item, 1);
    assertThat(market.buyer().purchase(MarketplaceClient.GOOD_CARD, "k").status()).isEqualTo(201);
    market.buyer().addToCart(item, 2);
    market.buyer().saveCart();
    String loggedOut = MarketplaceClient.buyer(market.store().http(), "bob").login().token();
    market.anonymous("POST", "/api/buyers/logout", "", "Authorization", "Bearer " + loggedOut);

    long account = market.openExchangeAccount("ACME");
    var tokens = new LinkedHashMap<String, String>();
    tokens.put("nobody", "");
    tokens.put("forged", "Bearer " + "A".repeat(43));
    tokens.put("changed", "Bearer " + changed(market.buyer().token()));
    tokens.put("other scheme", "Basic " + market.buyer().token());
    tokens.put("logged out", "Bearer " + loggedOut);
    tokens.put("administrator", "Bearer " + market.store().administratorsToken());
    var table = new ArrayList<String>();
    var wrong = new ArrayList<String>();
    String before = market.everything(item);
    String purchases = purchases(market);
    table.add("| route | " + String.join(" | ", tokens.keySet()) + " | other role | other user |");
    for (Route route : routes(market, item, account)) {
      var row = new StringBuilder(format("| %s %s", route.method, route.path));
      for (var client : tokens.entrySet()) {
        Reply reply = request(market, route, client.getValue());
        row.append(" | ").append(reply.status());
        boolean isAllowed =
            OPEN.contains(route.id)
                || (client.getKey().equals("administrator") && route.isOfExchange());
        check(wrong, route, client.getKey(), isAllowed ? 0 : 401, reply);
      }
      boolean ofSellers = route.role.equals("seller");
      var otherRole = ofSellers ? market.otherBuyer() : market.otherSeller();
      var otherUser = ofSellers ? market.otherSeller() : market.otherBuyer();
      if (OPEN.contains(route.id)) {
        row.append(" | any | any |");
      } else {
        Reply reply = request(market, route, "Bearer " + otherRole.token());
        row.append(" | ").append(reply.status());
        check(wrong, route, "other role", statusOfOtherRole(route), reply);
        send(market.otherBuyer(), "DELETE", "/api/cart", ""); // earlier routes filled it
        reply = request(market, route, "Bearer " + otherUser.token());
        row.append(" | ").append(reply.status()).append(" |");
        check(wrong, route, "other user", statusOfOtherUser(route), reply);
        assertThat(reply.status()).as(route + ": " + reply.body()).isLessThan(500);
        relogin(route, market);
      }
      table.add(row.toString());
    }
    for (var client : tokens.entrySet()) {
      if (!client.getKey().equals("administrator")) {
        Route feed = new Route("watchExchange", "GET", FEED, "any", "");
        check(wrong, feed, client.getKey(), 401, request(market, feed, client.getValue()));
      }
    }
    Path results = Files.createDirectories(Path.of("target/results"));
    Files.write(results.resolve("route-walk.md"), table);
    table.forEach(System.out::println);
    assertThat(wrong).isEmpty();
    assertThat(table).hasSize(35);
    assertThat(market.everything(item)).isEqualTo(before);
    assertThat(purchases(market)).isEqualTo(purchases);
    assertThat(market.store().http().audit().body()).startsWith("{\"ok\":true");
  }

  private static String purchases(MarketplaceStore market) throws IOException {
    return send(market.otherBuyer(), "GET", "/api/buyers/purchases", "").body();
  }

  /// The other users log out during the walk.
  private static void relogin(Route route, MarketplaceStore market) {
    if (route.id.startsWith("logout")) {
      market.otherBuyer().login();
      market.otherSeller().login();
    }
  }

  /// @param status 0: any
  private static void check(
      List<String> wrong, Route route, String client, int status, Reply reply) {
    boolean refused = status >= 400;
    if ((status != 0 && reply.status() != status)
        || (refused && reply.body().contains("castle"))
        || (status == 401 && !reply.header("WWW-Authenticate").equals(List.of("Bearer")))) {
      wrong.add(format("%s as %s: %d %s", route, client, reply.status(), reply.body()));
    }
  }

  private static String changed(String token) {
    return (token.charAt(0) == 'A' ? 'B' : 'A') + token.substring(1);
  }

  private static Reply request(MarketplaceStore market, Route route, String authorization)
      throws IOException {
    String[] headers =
        authorization.isEmpty() ? new String[0] : new String[] {"Authorization", authorization};
    String query = route.id.equals("searchItems") ? "?category=1" : "";
    return market.anonymous(route.method, route.path + query, route.body, headers);
  }

  private static List<Route> routes(MarketplaceStore market, long item, long account)
      throws IOException {
    var routes = new ArrayList<Route>();
    market
        .anonymous("GET", "/openapi.json", "")
        .json()
        .required("paths")
        .propertyStream()
        .filter(path -> path.getKey().startsWith("/api/"))
        .filter(path -> !path.getKey().equals(FEED)) // its answer does not end
        .forEach(path ->
            path.getValue()
                .propertyStream()
                .filter(it -> !it.getKey().equals("parameters"))
                .forEach(it ->
                    routes.add(
                        route(
                            it.getKey().toUpperCase(Locale.ROOT),
                            path.getKey(),
                            it.getValue(),
                            item,
                            account))));
    return routes;
  }

  private static Route route(
      String method, String path, JsonNode operation, long item, long account) {
    String id = operation.required("operationId").stringValue();
    JsonNode security = operation.required("security");
    String role = security.size() == 1 ? security.get(0).propertyNames().iterator().next() : "any";
    JsonNode body = operation.at("/requestBody/content/application~1json/example");
    return new Route(
        id,
        method,
        path.replace("/sellers/{id}/rating", "/sellers/1/rating")
            .replace("{id}", "" + item)
            .replace("{account}", "" + account)
            .replace("{order}", "1")
            .replace("{symbol}", "ACME"),
        role,
        body.isMissingNode() ? "" : body.toString().replace("153", "" + item));
  }
}
