package toystore.cli.shop;

import java.io.IOException;
import java.math.BigDecimal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import toystore.cli.command.CommandRefusal;

/// `./toystore exchange`: the exchange over REST, for the buyer or the seller who is logged in with
/// `./toystore shop login`. Each method is a command.
@Command(
    name = "exchange",
    description = "Trade at the exchange as the user of shop; load it over XML, REST or gRPC.",
    synopsisSubcommandLabel = "COMMAND",
    addMethodSubcommands = false, // the program adds them after the load
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:refused, by the exchange (4xx) or before anything was sent",
      "2:invalid command line",
      "3:the exchange is unavailable (5xx, no connection), or the outcome is unknown"
    },
    footer = {
      "",
      "To log in: ./toystore shop login buyer|seller NAME. Its accounts belong to this user.",
      "Cash and shares are play money. Prices and shares have at most 4 decimals."
    })
public final class ExchangeClientCommand implements Runnable {
  private static final String ACCOUNTS = "/api/exchange/accounts";
  private static final JsonMapper JSON = JsonMapper.shared();

  /// Only `query` continues the executions that another answer begins.
  private static final String QUERY = "more executions: query ACCOUNT ORDER --after ";

  /// Which shop, and how to print.
  @SuppressWarnings("NullAway.Init") // picocli sets the command
  static final class Answers {
    @Option(
        names = "--url",
        paramLabel = "U",
        description = "The store (default: ${DEFAULT-VALUE}).")
    private String url = "http://127.0.0.1:8080";

    @Option(names = "--json", description = "Print the API's answer as it is.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;
  }

  /// The side of an order.
  enum OrderSide {
    BUY,
    SELL;

    @Override
    public String toString() {
      return this == BUY ? "buy" : "sell";
    }
  }

  private final ShopFolder folder;

  public ExchangeClientCommand() {
    this(ShopFolder.ofUser());
  }

  public ExchangeClientCommand(ShopFolder folder) {
    this.folder = folder;
  }

  @Override
  public void run() {
    throw CommandRefusal.usage(
        "no command given; there are create, shares, account, order, query,"
            + " cancel, depth and load");
  }

  @Command(description = "Create an account with cash.")
  int create(
      @Option(names = "--balance", required = true, paramLabel = "CASH") BigDecimal balance,
      @Mixin Answers answers)
      throws IOException {
    ObjectNode body = JSON.createObjectNode().put("balance", balance.toPlainString());
    return send(answers, client -> client.post(ACCOUNTS, body));
  }

  @Command(description = "Add shares of a symbol to an own account.")
  int shares(
      @Parameters(paramLabel = "ACCOUNT") long account,
      @Parameters(paramLabel = "SHARES") BigDecimal shares,
      @Parameters(paramLabel = "SYMBOL") String symbol,
      @Mixin Answers answers)
      throws IOException {
    ObjectNode body = shares(shares, symbol);
    return send(answers, client -> client.post(ACCOUNTS + "/" + account + "/shares", body));
  }

  @Command(description = "Show cash and shares of an own account.")
  int account(
      @Parameters(paramLabel = "ACCOUNT") long account,
      @Mixin ShopCommand.Page page,
      @Mixin Answers answers)
      throws IOException {
    return send(answers, client -> client.get(page.of(ACCOUNTS + "/" + account)));
  }

  @Command(description = "Open an order: buy at most, or sell at least, at the limit.")
  int order(
      @Parameters(paramLabel = "ACCOUNT") long account,
      @Parameters(paramLabel = "buy|sell") OrderSide side,
      @Parameters(paramLabel = "SHARES") BigDecimal shares,
      @Parameters(paramLabel = "SYMBOL") String symbol,
      @Option(names = "--limit", required = true, paramLabel = "PRICE") BigDecimal limit,
      @Mixin Answers answers)
      throws IOException {
    ObjectNode body = shares(shares, symbol).put("side", side.toString());
    body.put("limit", limit.toPlainString());
    return send(answers, QUERY, client -> client.post(ACCOUNTS + "/" + account + "/orders", body));
  }

  @Command(description = "Show an order with its executions.")
  int query(
      @Parameters(paramLabel = "ACCOUNT") long account,
      @Parameters(paramLabel = "ORDER") long order,
      @Mixin ShopCommand.Page page,
      @Mixin Answers answers)
      throws IOException {
    return send(answers, client -> client.get(page.of(path(account, order))));
  }

  @Command(description = "Cancel what is open of an order.")
  int cancel(
      @Parameters(paramLabel = "ACCOUNT") long account,
      @Parameters(paramLabel = "ORDER") long order,
      @Mixin Answers answers)
      throws IOException {
    return send(answers, QUERY, client -> client.send("DELETE", path(account, order), null));
  }

  @Command(description = "Show the open shares of a symbol by price.")
  int depth(@Parameters(paramLabel = "SYMBOL") String symbol, @Mixin Answers answers)
      throws IOException {
    if (!symbol.matches("[A-Za-z0-9]{1,32}")) {
      throw CommandRefusal.usage("SYMBOL must be 1 to 32 letters and digits; got " + symbol);
    }
    return send(answers, client -> client.get("/api/exchange/symbols/" + symbol + "/depth"));
  }

  private static ObjectNode shares(BigDecimal shares, String symbol) {
    return JSON.createObjectNode().put("symbol", symbol).put("shares", shares.toPlainString());
  }

  private static String path(long account, long order) {
    return ACCOUNTS + "/" + account + "/orders/" + order;
  }

  private int send(Answers answers, ShopUser.Requests requests) throws IOException {
    return send(answers, ShopUser.MORE, requests);
  }

  private int send(Answers answers, String more, ShopUser.Requests requests) throws IOException {
    return new ShopUser(folder, answers.url, answers.json, answers.command).send(requests, more);
  }
}
