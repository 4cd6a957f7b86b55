package toystore.frontend;

import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import toystore.clients.MarketplaceClient;

/// A seller with an item for 12.50 of which 4 are in stock, and a buyer who bought and liked one,
/// has 2 in the cart, and has an order at the exchange of which 1 share is executed and 7 are open.
///
/// @param seller token
/// @param buyer token
/// @param account number of the buyer's account at the exchange
/// @param symbol of the order
public record TestMarket(
    String seller, String buyer, long item, long account, String symbol, long order) {
  public static TestMarket open(RunningFrontend shop) {
    String seller = shop.newSeller();
    long item =
        send(
                shop,
                seller,
                "/api/sellers/items",
                "{\"name\":\"Brick castle\",\"category\":3,\"keywords\":[\"lego\",\"castle\"],\"condition\":\"used\",\"price\":12.5,\"quantity\":5}")
            .json()
            .required("item_id")
            .asLong();
    String buyer = shop.newBuyer();
    addToCart(shop, buyer, item, 1);
    send(shop, buyer, "/api/purchases", MarketplaceClient.card(MarketplaceClient.GOOD_CARD));
    String feedback = format("/api/items/%d/feedback", item);
    await(() -> shop.as(buyer, "POST", feedback, "{\"feedback\":\"up\"}").status() == 201);
    addToCart(shop, buyer, item, 2);
    String accounts = "/api/exchange/accounts";
    long account =
        send(shop, buyer, accounts, "{\"balance\":\"100000.5\"}")
            .json()
            .at("/account/account_id")
            .asLong();
    String symbol = shop.trades().newSymbol();
    shop.trades().offer(symbol, 100);
    String order =
        format("{\"symbol\":\"%s\",\"side\":\"buy\",\"shares\":8,\"limit\":100}", symbol);
    long number =
        send(shop, buyer, accounts + "/" + account + "/orders", order)
            .json()
            .at("/order/order_id")
            .asLong();
    return new TestMarket(seller, buyer, item, account, symbol, number);
  }

  public static void addToCart(RunningFrontend shop, String buyer, long item, int quantity) {
    send(
        shop, buyer, "/api/cart/items", format("{\"item_id\":%d,\"quantity\":%d}", item, quantity));
  }

  private static RunningFrontend.Reply send(
      RunningFrontend shop, String user, String path, String body) {
    var reply = shop.as(user, "POST", path, body);
    if (reply.status() != 201) {
      throw new AssertionError(path + ": " + reply);
    }
    return reply;
  }
}
