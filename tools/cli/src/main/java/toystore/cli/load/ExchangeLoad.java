package toystore.cli.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.GrpcConnection;
import toystore.cli.load.ResponseCheck.Verdict;
import toystore.cli.shop.HttpStore;
import toystore.cli.shop.ShopClient;
import toystore.cli.shop.ShopRole;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.exchange.v1.Side;

/// The exchange over REST, gRPC or XML as a target: a request is an order. Each client has an
/// account; each pair of clients trades a symbol of its own. Over REST and gRPC the accounts belong
/// to a new buyer of the marketplace. Any thread.
final class ExchangeLoad implements LoadTarget {
  private static final String ACCOUNTS = "/api/exchange/accounts";
  private static final String LIMIT = "10";
  private static final long PLENTY = 1_000_000_000;
  private static final int FIXED_POINT = 10_000;
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final List<Trader> traders = new ArrayList<>();
  private final AtomicInteger connected = new AtomicInteger();
  private final Function<Trader, Client> connect;
  private final Runnable close;

  /// The account of a client, and the symbol that it trades: alternately it buys and sells a share,
  /// all at one price, so that neither cash nor shares are used up and few orders stay open.
  private record Trader(String account, String symbol) {}

  private ExchangeLoad(Function<Trader, Client> connect, Runnable close) {
    this.connect = connect;
    this.close = close;
  }

  /// Registers a buyer and creates the accounts.
  ///
  /// @throws CommandRefusal if the frontend refuses that
  static ExchangeLoad rest(HttpStore shop, int clients) throws IOException, InterruptedException {
    return ofNewBuyer(shop, clients, ExchangeLoad::rest);
  }

  /// As [#rest], for orders over gRPC.
  ///
  /// @param at the exchange's gRPC address
  static ExchangeLoad grpc(HttpStore shop, HostAndPort at, int clients)
      throws IOException, InterruptedException {
    return ofNewBuyer(shop, clients, (user, trader) -> grpc(user, at, trader));
  }

  private static ExchangeLoad ofNewBuyer(
      HttpStore shop, int clients, BiFunction<ShopClient, Trader, Client> connect)
      throws IOException, InterruptedException {
    var run = UUID.randomUUID().toString().substring(24);
    var user = MarketplaceLoad.newUser(shop, ShopRole.BUYER, "load-" + run);
    var target = new ExchangeLoad(trader -> connect.apply(user, trader), shop::close);
    for (var number = 0; number < clients; number++) {
      var cash = JSON.createObjectNode().put("balance", PLENTY);
      var created = MarketplaceLoad.setUp(user, 201, "POST", ACCOUNTS, cash);
      var account = Long.toString(created.at("/account/account_id").asLong(0));
      var trader = new Trader(account, "L" + run + "x" + number / 2);
      var shares = JSON.createObjectNode().put("symbol", trader.symbol).put("shares", PLENTY);
      MarketplaceLoad.setUp(user, 201, "POST", ACCOUNTS + "/" + account + "/shares", shares);
      target.traders.add(trader);
    }
    return target;
  }

  /// Creates the accounts over XML, for orders over XML.
  static ExchangeLoad xml(HostAndPort at, int clients) throws IOException {
    var target = new ExchangeLoad(trader -> xml(at, trader), () -> {});
    var run = ThreadLocalRandom.current().nextLong(100_000_000_000L, 1_000_000_000_000L);
    for (var number = 0; number < clients; number++) {
      var account = String.format(Locale.ROOT, "%d%04d", run, number);
      var trader = new Trader(account, "L" + run + "x" + number / 2);
      try (var connection = connect(at)) {
        var answer =
            connection.request(
                document(
                    "<create><account id=\"%1$s\" balance=\"%2$d\"/><symbol sym=\"%3$s\"><account id=\"%1$s\">%2$d</account></symbol></create>",
                    account, PLENTY, trader.symbol));
        if (answer.contains("<error")) {
          throw new CommandRefusal("cannot prepare the load: %s", answer);
        }
      }
      target.traders.add(trader);
    }
    return target;
  }

  private static LineConnection connect(HostAndPort at) {
    return new LineConnection(
        at, "the exchange's XML port", "start one with ./toystore up, or set --url");
  }

  /// A document in ASCII with its length.
  private static String document(String format, Object... values) {
    var xml = String.format(Locale.ROOT, format, values);
    return xml.length() + "\n" + xml;
  }

  /// Each client trades its own symbol.
  @Override
  public List<String> products(LoadKind kind) {
    return List.of("");
  }

  @Override
  public Client client(LoadKind kind) {
    return connect.apply(traders.get(connected.getAndIncrement() % traders.size()));
  }

  @Override
  public void close() {
    close.run();
  }

  private static Client rest(ShopClient user, Trader trader) {
    var check = new ResponseCheck();
    var path = ACCOUNTS + "/" + trader.account + "/orders";
    return (_, number) -> {
      var order =
          JSON.createObjectNode()
              .put("symbol", trader.symbol)
              .put("side", number % 2 == 0 ? "buy" : "sell")
              .put("shares", 1)
              .put("limit", LIMIT);
      var answer = user.sendOnce("POST", path, order);
      return () ->
          check.json(
              201,
              answer,
              body ->
                  Stream.of("symbol", "side", "limit")
                          .allMatch(it -> body.path("order").path(it).equals(order.path(it)))
                      ? check.growing(
                          "order_id", body.at("/order/order_id").asLong(-1), answer.body())
                      : Verdict.Wrong.of("response is not the order", answer.body()));
    };
  }

  private static Client grpc(ShopClient user, HostAndPort at, Trader trader) {
    var check = new ResponseCheck();
    var connection = GrpcConnection.to(at.host(), at.port());
    var stub =
        ExchangeServiceGrpc.newBlockingStub(connection.channel())
            .withInterceptors(GrpcConnection.bearer(user.token()));
    Client client =
        (_, number) -> {
          var request =
              PlaceOrderRequest.newBuilder()
                  .setKey(
                      IdempotencyKey.newBuilder()
                          .setScope("load")
                          .setValue(UUID.randomUUID().toString()))
                  .setAccountId(Long.parseLong(trader.account))
                  .setSymbol(trader.symbol)
                  .setSide(number % 2 == 0 ? Side.SIDE_BUY : Side.SIDE_SELL)
                  .setSharesE4(FIXED_POINT)
                  .setLimitE4(Long.parseLong(LIMIT) * FIXED_POINT)
                  .build();
          var order = stub.withDeadlineAfter(DEADLINE).placeOrder(request).getOrder();
          return () ->
              order.getSymbol().equals(trader.symbol)
                      && order.getSide() == request.getSide()
                      && order.getSharesE4() == request.getSharesE4()
                      && order.getLimitE4() == request.getLimitE4()
                  ? check.growing("order_id", order.getOrderId(), order.toString())
                  : Verdict.Wrong.of("response is not the order", order.toString());
        };
    return client.closing(connection::close);
  }

  private static Client xml(HostAndPort at, Trader trader) {
    var check = new ResponseCheck();
    var connection = connect(at);
    Client client =
        (_, number) -> {
          var order =
              String.format(
                  Locale.ROOT,
                  "sym=\"%s\" amount=\"%d\" limit=\"%s\"",
                  trader.symbol,
                  number % 2 == 0 ? 1 : -1,
                  LIMIT);
          var answer =
              connection.request(
                  document(
                      "<transactions id=\"%s\"><order %s/></transactions>", trader.account, order));
          return () -> {
            var opened =
                Pattern.compile(
                        "<results><opened "
                            + Pattern.quote(order)
                            + " id=\"(\\d{1,18})\"/></results>")
                    .matcher(answer);
            return opened.matches()
                ? check.growing("id", Long.parseLong(opened.group(1)), answer)
                : Verdict.Wrong.of("response is not the order", answer);
          };
        };
    return client.closing(connection::close);
  }
}
