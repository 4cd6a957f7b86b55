package toystore.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import toystore.cli.ToystoreCommand;
import toystore.cli.command.CommandLines;
import toystore.cli.shop.ExchangeClientCommand;
import toystore.cli.shop.FakeMarketplace;
import toystore.cli.shop.FakeMarketplace.Answer;
import toystore.cli.shop.ShopFolder;
import toystore.cli.shop.ShopLogin;
import toystore.cli.shop.ShopRole;
import toystore.clients.load.CallRecorder;

/// Runs commands and loads of the exchange against a fake one.
final class ExchangeClientCommandTest {
  private record Ended(int exitCode, String out, String err) {}

  @TempDir Path temporary;
  private final AtomicLong numbers = new AtomicLong();
  private FakeMarketplace shop;

  @BeforeEach
  void open() throws IOException {
    shop = new FakeMarketplace();
    new ShopFolder(temporary.resolve("toystore"))
        .keep(shop.url(), new ShopLogin(ShopRole.BUYER, "Ada", FakeMarketplace.TOKEN));
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void eachCommandIsARequestOfTheLoggedInUser() {
    run("create", "--balance", "1000.5");
    run("shares", "7", "1000", "IBM");
    run("account", "7");
    run("order", "7", "buy", "300", "IBM", "--limit=125");
    run("query", "7", "9");
    run("query", "7", "9", "--after", "50", "--limit=200");
    run("account", "7", "--after", "IBM");
    run("cancel", "7", "9");
    run("depth", "IBM");
    assertThat(shop.asked.stream().map(Object::toString))
        .containsExactly(
            "POST /api/exchange/accounts {\"balance\":\"1000.5\"}",
            "POST /api/exchange/accounts/7/shares {\"symbol\":\"IBM\",\"shares\":\"1000\"}",
            "GET /api/exchange/accounts/7",
            "POST /api/exchange/accounts/7/orders"
                + " {\"symbol\":\"IBM\",\"shares\":\"300\",\"side\":\"buy\",\"limit\":\"125\"}",
            "GET /api/exchange/accounts/7/orders/9",
            "GET /api/exchange/accounts/7/orders/9?after=50&limit=200",
            "GET /api/exchange/accounts/7?after=IBM",
            "DELETE /api/exchange/accounts/7/orders/9",
            "GET /api/exchange/symbols/IBM/depth");
    assertThat(shop.asked)
        .allMatch(it -> it.token().equals("Bearer " + FakeMarketplace.TOKEN))
        .allMatch(it -> it.method().equals("POST") != it.key().isEmpty(), "POSTs have keys");
  }

  @Test
  void bothSidesOfTheDepthAreTables() {
    var body =
        "{\"depth\":{\"symbol\":\"IBM\",\"bids\":[{\"price\":\"125\",\"shares\":\"700\",\"orders\":2}],\"asks\":[]}}";
    shop.answers("GET /api/exchange/symbols/IBM/depth", 200, body);
    assertThat(run("depth", "IBM"))
        .isEqualTo(
            new Ended(
                0,
                """
                SYMBOL: IBM
                BIDS:
                 PRICE  SHARES  ORDERS
                125.00  700          2
                ASKS:
                none
                """,
                ""));
    assertThat(run("depth", "IBM", "--json").out()).isEqualTo(body + "\n");
  }

  @Test
  void cashAndPricesHaveAtLeastTwoDecimalsAndSharesAreAsTheyAre() {
    shop.answers(
        "GET /api/exchange/accounts/7",
        200,
        "{\"cash\":\"10000000\",\"reserved_cash\":\"0.1234\",\"positions\":[{\"symbol\":\"IBM\",\"shares\":\"2.5\"}]}");
    assertThat(run("account", "7").out())
        .contains("CASH: 10000000.00\n", "RESERVED CASH: 0.1234\n", "IBM     2.5\n");
  }

  @Test
  void pageSaysHowToContinue() {
    var body =
        "{\"order\":{\"order_id\":9,\"executions\":[{\"trade_id\":50,\"shares\":\"1\"}]},\"next\":50}";
    for (var method : List.of("GET", "DELETE")) {
      shop.answers(method + " /api/exchange/accounts/7/orders/9", 200, body);
    }
    assertThat(run("query", "7", "9").out()).endsWith("more: add --after 50\n");
    assertThat(run("cancel", "7", "9").out())
        .endsWith("more executions: query ACCOUNT ORDER --after 50\n");
    assertThat(run("cancel", "7", "9", "--json").out()).isEqualTo(body + "\n");
  }

  @Test
  void refusalAndInvalidCommandLineHaveTheirExitCodes() {
    shop.failsWith(409, 503);
    assertThat(run("account", "7")).isEqualTo(new Ended(1, "", "status 409\n"));
    assertThat(run("account", "7")).isEqualTo(new Ended(3, "", "status 503\n"));
    assertThat(run("order", "7", "hold", "300", "IBM", "--limit=1").exitCode()).isEqualTo(2);
    assertThat(run("depth", "a/b").exitCode()).isEqualTo(2);
    assertThat(run("load", "--kind=query").err())
        .startsWith("--kind must be xml, rest or grpc; got query\n");
    assertThat(run("load", "--kind=fix").err()).contains("exchange-grpc]; got fix");
  }

  @Test
  void loadOverRestTradesOneSymbolForEachPairOfClients() {
    answerTrading();
    assertThat(run("load", "--requests=40", "--clients=3").err()).isEmpty();
    assertThat(shop.asked)
        .filteredOn(it -> it.uri().endsWith("/orders"))
        .hasSize(80) // the warm-up, too
        .extracting(it -> it.body().replaceAll(".*\"symbol\":\"\\w+x(\\d)\".*", "$1"))
        .containsOnly("0", "1");
    assertThat(shop.asked).filteredOn(it -> it.uri().equals("/api/exchange/accounts")).hasSize(3);
  }

  @Test
  void answerWithoutAGrowingOrderNumberIsWrong() throws Exception {
    answerTrading();
    var load = StoreLoad.prepare(LoadKind.EXCHANGE_REST, shop.url(), shop.url(), null, 1);
    assertThat(run(load).correct()).isEqualTo(4);
    numbers.set(-100);
    shop.answers("POST /api/exchange/accounts/1/orders", it -> order(it, numbers.get()));
    assertThat(run(load).wrong()).containsOnlyKeys("order_id not greater than the previous one");
    shop.answers(
        "POST /api/exchange/accounts/1/orders",
        it ->
            order(
                new FakeMarketplace.Asked("", "", it.body().replace("\"10\"", "\"11\""), "", ""),
                numbers.incrementAndGet()));
    assertThat(run(load).wrong()).containsOnlyKeys("limit is not 10");
  }

  private static CallRecorder run(StoreLoad load) throws InterruptedException {
    try (var loop = load.loop()) {
      return load.run(loop, 4, 0).calls();
    }
  }

  @Test
  void loadOverXmlNeedsItsPort() {
    assertThat(run("load", "--kind=xml", "--url=xml://127.0.0.1:1").err())
        .startsWith("cannot reach a store at xml://127.0.0.1:1 (")
        .endsWith("; start one with ./toystore up, or set --url\n");
    assertThat(run("load", "--kind=xml").err())
        .startsWith("--url must have the form xml://HOST:PORT; got http");
  }

  private void answerTrading() {
    var accounts = new AtomicLong();
    shop.answers(
        "POST /api/exchange/accounts",
        _ ->
            new Answer(
                201, format("{\"account\":{\"account_id\":%d}}", accounts.incrementAndGet())));
    for (var account = 1; account <= 3; account++) {
      shop.answers("POST /api/exchange/accounts/" + account + "/shares", 201, "{}");
      shop.answers(
          "POST /api/exchange/accounts/" + account + "/orders",
          it -> order(it, numbers.incrementAndGet()));
    }
  }

  private static Answer order(FakeMarketplace.Asked asked, long number) {
    return new Answer(
        201,
        format("{\"order\":%s}", asked.body().replaceFirst("\\{", "{\"order_id\":" + number + ","))
            .replace(",}", "}"));
  }

  private Ended run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var line =
        CommandLines.configure(
                ToystoreCommand.addCommands(
                    new CommandLine(
                        new ExchangeClientCommand(new ShopFolder(temporary.resolve("toystore"))))))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    var all = new ArrayList<>(List.of(arguments));
    if (!String.join(" ", arguments).contains("--url")) {
      all.addAll(List.of("--url", shop.url()));
    }
    return new Ended(line.execute(all.toArray(String[]::new)), out.toString(), err.toString());
  }
}
