package toystore.e2e;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;

/// A store in this JVM with two sellers and two buyers, who are logged in. Passwords are hashed
/// quickly.
record MarketplaceStore(
    StoreFixture store,
    MarketplaceClient seller,
    MarketplaceClient otherSeller,
    MarketplaceClient buyer,
    MarketplaceClient otherBuyer)
    implements AutoCloseable {
  static final String CARD =
      "{\"card_holder_name\":\"Bob Bell\",\"card_number\":\"4111111111111111\",\"expiration_date\":\"12/30\",\"security_code\":\"123\"}";

  static MarketplaceStore in(Path folder, String... settings) throws IOException {
    var all = new ArrayList<>(List.of(settings));
    all.add("--toystore.account.bcrypt-strength=4");
    var store = StoreFixture.in(folder, all.toArray(String[]::new));
    StoreHttpClient http = store.http();
    return new MarketplaceStore(
        store,
        MarketplaceClient.seller(http, "sue").register(),
        MarketplaceClient.seller(http, "sam").register(),
        MarketplaceClient.buyer(http, "bob").register(),
        MarketplaceClient.buyer(http, "bea").register());
  }

  /// Sends a request with the token of a user and a new key.
  static Reply send(MarketplaceClient user, String method, String path, String body)
      throws IOException {
    return user.send(method, path, body, UUID.randomUUID().toString());
  }

  /// Opens an account of the first buyer at the exchange, with shares of a symbol and one order.
  /// Returns its number.
  long openExchangeAccount(String symbol) throws IOException {
    String accounts = "/api/exchange/accounts";
    Reply opened = send(buyer, "POST", accounts, "{\"balance\":\"100\"}");
    long account = opened.json().at("/account/account_id").asLong();
    String own = accounts + "/" + account;
    send(buyer, "POST", own + "/shares", format("{\"symbol\":\"%s\",\"shares\":1}", symbol));
    send(
        buyer,
        "POST",
        own + "/orders",
        format("{\"symbol\":\"%s\",\"side\":\"buy\",\"shares\":1,\"limit\":1}", symbol));
    return account;
  }

  /// Sends a request without a token, or with another header.
  Reply anonymous(String method, String path, String body, String... headers) throws IOException {
    return store.http().send(method, path, body, headers);
  }

  /// Everything that the first seller and the first buyer can read about their own data.
  String everything(long item) throws IOException {
    var all = new StringBuilder();
    for (String path :
        List.of("/api/sellers/items?limit=200", "/api/sellers/rating", "/api/items/" + item)) {
      all.append(send(seller, "GET", path, "").body()).append('\n');
    }
    for (String path : List.of("/api/cart", "/api/buyers/purchases?limit=200")) {
      all.append(send(buyer, "GET", path, "").body()).append('\n');
    }
    return all.toString();
  }

  @Override
  public void close() {
    store.close();
  }
}
