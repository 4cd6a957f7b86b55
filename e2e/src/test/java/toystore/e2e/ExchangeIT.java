package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.HttpTestClient;
import toystore.clients.MarketplaceClient;
import toystore.clients.RawClient;
import toystore.clients.StoreProcesses;

/// Trades over XML and over REST at one exchange, which is killed before the last orders.
@Tag("long")
@Timeout(240)
class ExchangeIT {
  private static final String[] SERVICES = {"catalog", "account", "exchange", "order", "frontend"};

  @TempDir Path folder;

  /// An order of the worked example; the last one is executed.
  private record Step(boolean buys, int shares, int limit) {}

  private static final List<Step> OPEN =
      List.of(
          new Step(true, 300, 125),
          new Step(false, 100, 130),
          new Step(true, 200, 127),
          new Step(false, 500, 128),
          new Step(false, 200, 140),
          new Step(true, 400, 125));
  private static final Step LAST = new Step(false, 400, 124);

  @Test
  void workedExampleHoldsOverXmlAndRestAcrossAKillOfTheExchange() throws Exception {
    try (var store =
        new StoreProcesses(folder)
            .with("account", "toystore.account.bcrypt-strength", "4")
            .startAll(SERVICES)) {
      await(store.http("account")::isReady);
      await(store.http("exchange")::isReady);
      HttpTestClient http = store.http("frontend");
      MarketplaceClient bob = MarketplaceClient.buyer(http, "bob").register();
      MarketplaceClient sue = MarketplaceClient.seller(http, "sue").register();

      assertThat(
              xml(
                  store,
                  "<create><account id=\"1\" balance=\"200000\"/><account id=\"2\" balance=\"0\"/>"
                      + "<symbol sym=\"XML\"><account id=\"2\">1200</account></symbol></create>"))
          .isEqualTo(
              "<results><created id=\"1\"/><created id=\"2\"/><created sym=\"XML\" id=\"2\"/></results>");
      long buying = account(bob, "200000");
      long selling = account(sue, "0");
      post(sue, accounts(selling) + "/shares", "{\"symbol\":\"REST\",\"shares\":1200}");
      for (int number = 1; number <= OPEN.size(); number++) {
        overXml(store, OPEN.get(number - 1), number);
      }
      var orders = new ArrayList<Long>();
      for (Step step : OPEN) {
        orders.add(overRest(bob, buying, sue, selling, step));
      }

      store.kill("exchange");
      store.start("exchange");
      await(store.http("exchange")::isReady);

      overXml(store, LAST, 13);
      assertThat(query(store, 2, 13))
          .isEqualTo(
              "<status id=\"13\"><executed shares=\"200\" price=\"127\" time=\"T\"/>"
                  + "<executed shares=\"200\" price=\"125\" time=\"T\"/></status>");
      assertThat(query(store, 1, 1))
          .isEqualTo(
              "<status id=\"1\"><open shares=\"100\"/><executed shares=\"200\" price=\"125\" time=\"T\"/></status>");

      long last = overRest(bob, buying, sue, selling, LAST);
      assertThat(executions(sue, selling, last)).isEqualTo("0 open: 200@127 200@125");
      assertThat(executions(bob, buying, orders.get(2))).isEqualTo("0 open: 200@127");
      assertThat(executions(bob, buying, orders.getFirst())).isEqualTo("100 open: 200@125");
      assertThat(bob.decided("GET", accounts(buying), "").json().at("/account/cash").asString())
          .isEqualTo(Integer.toString(200_000 - 500 * 125 - 200 * 127 - 200 * 125));
      assertThat(http.failedChecks()).isEmpty();
    }
  }

  private static void overXml(StoreProcesses store, Step step, long id) throws IOException {
    String order =
        String.format(
            Locale.ROOT,
            "sym=\"XML\" amount=\"%s%d\" limit=\"%d\"",
            step.buys ? "" : "-",
            step.shares,
            step.limit);
    assertThat(
            xml(
                store,
                String.format(
                    Locale.ROOT,
                    "<transactions id=\"%d\"><order %s/></transactions>",
                    step.buys ? 1 : 2,
                    order)))
        .isEqualTo(
            String.format(Locale.ROOT, "<results><opened %s id=\"%d\"/></results>", order, id));
  }

  private static String query(StoreProcesses store, int account, long order) throws IOException {
    return xml(
            store,
            String.format(
                Locale.ROOT,
                "<transactions id=\"%d\"><query id=\"%d\"/></transactions>",
                account,
                order))
        .replaceAll("</?results>", "")
        .replaceAll("time=\"\\d+\"", "time=\"T\"");
  }

  private static String xml(StoreProcesses store, String request) throws IOException {
    try (var client = RawClient.patient(store.port("exchange-xml"))) {
      return client.request(request);
    }
  }

  private static long overRest(
      MarketplaceClient buyer, long buying, MarketplaceClient seller, long selling, Step step)
      throws IOException {
    String order =
        String.format(
            Locale.ROOT,
            "{\"symbol\":\"REST\",\"side\":\"%s\",\"shares\":%d,\"limit\":%d}",
            step.buys ? "buy" : "sell",
            step.shares,
            step.limit);
    return post(
        step.buys ? buyer : seller,
        accounts(step.buys ? buying : selling) + "/orders",
        order,
        "/order/order_id");
  }

  private static String executions(MarketplaceClient user, long account, long order)
      throws IOException {
    var found =
        user.decided("GET", accounts(account) + "/orders/" + order, "").json().path("order");
    var text = new StringBuilder(found.path("open").asString() + " open:");
    found
        .path("executions")
        .forEach(it ->
            text.append(
                String.format(
                    Locale.ROOT,
                    " %s@%s",
                    it.path("shares").asString(),
                    it.path("price").asString())));
    return text.toString();
  }

  private static long account(MarketplaceClient user, String balance) throws IOException {
    return post(
        user,
        "/api/exchange/accounts",
        String.format(Locale.ROOT, "{\"balance\":\"%s\"}", balance),
        "/account/account_id");
  }

  private static String accounts(long account) {
    return "/api/exchange/accounts/" + account;
  }

  private static void post(MarketplaceClient user, String path, String body) throws IOException {
    post(user, path, body, "");
  }

  private static long post(MarketplaceClient user, String path, String body, String number)
      throws IOException {
    HttpTestClient.Reply reply = user.decided("POST", path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply.json().at(number).asLong(0);
  }
}
