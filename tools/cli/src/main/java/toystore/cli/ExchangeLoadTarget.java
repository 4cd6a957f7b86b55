package toystore.cli;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import toystore.cli.ResponseCheck.Verdict;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.ExchangeServiceGrpc.ExchangeServiceBlockingStub;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.exchange.v1.Side;

/// The exchange over REST or gRPC as a target: a request is an order. The accounts belong to a new
/// buyer of the marketplace, one to each client; each pair of clients trades a symbol of its own.
/// Any thread.
final class ExchangeLoadTarget implements LoadTarget {
  static final String LIMIT = "10";
  static final long PLENTY = 1_000_000_000;

  private static final int FIXED_POINT = 10_000;
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpStoreTarget shop;
  private final String token;
  private final String at;
  private final Queue<Trader> traders = new ConcurrentLinkedQueue<>();

  /// The account of a client, and the symbol that it trades: alternately it buys and sells a share,
  /// all at one price, so that neither cash nor shares are used up and few orders stay open.
  record Trader(String account, String symbol) {
    /// @param prefix begins the symbols of one load
    static Trader of(String account, String prefix, int number) {
      return new Trader(account, prefix + number / 2);
    }
  }

  private ExchangeLoadTarget(HttpStoreTarget shop, String token, String at) {
    this.shop = shop;
    this.token = token;
    this.at = at;
  }

  /// Registers a buyer and creates the accounts.
  ///
  /// @param at the exchange's address for gRPC, such as `grpc://127.0.0.1:9094`
  /// @throws CommandRefusal if the frontend refuses that
  static ExchangeLoadTarget prepare(HttpStoreTarget shop, String at, int clients)
      throws IOException, InterruptedException {
    var run = UUID.randomUUID().toString().substring(24);
    var token = MarketplaceLoadTarget.logIn(shop, ShopRole.BUYER, "load-" + run);
    var target = new ExchangeLoadTarget(shop, token, at);
    for (var number = 0; number < clients; number++) {
      var cash = JSON.createObjectNode().put("balance", PLENTY);
      var account =
          target.setUp("/api/exchange/accounts", cash).path("account").path("account_id").asLong(0);
      var trader = Trader.of(Long.toString(account), "L" + run + "x", number);
      var shares = JSON.createObjectNode().put("symbol", trader.symbol).put("shares", PLENTY);
      target.setUp("/api/exchange/accounts/" + account + "/shares", shares);
      target.traders.add(trader);
    }
    return target;
  }

  private JsonNode setUp(String path, ObjectNode body) throws IOException, InterruptedException {
    return MarketplaceLoadTarget.setUp(shop, user(), 201, "POST", path, body);
  }

  private ShopClient user() {
    return new ShopClient(shop, token, _ -> {});
  }

  /// Each client trades its own symbol.
  @Override
  public List<String> products(ClosedLoopLoad.Kind kind) {
    return List.of("");
  }

  @Override
  public Client client(ClosedLoopLoad.Kind kind) {
    return kind == ClosedLoopLoad.Kind.EXCHANGE_GRPC
        ? new GrpcTradingClient(traders.remove())
        : new RestTradingClient(traders.remove());
  }

  @Override
  public void close() {
    shop.close();
  }

  private final class RestTradingClient implements Client {
    private final Trader trader;
    private final ShopClient user = user();
    private final ResponseCheck answers = new ResponseCheck();
    private boolean sellNext;

    RestTradingClient(Trader trader) {
      this.trader = trader;
    }

    @Override
    public Supplier<Verdict> ask(String product) throws IOException, InterruptedException {
      var order =
          JSON.createObjectNode()
              .put("symbol", trader.symbol)
              .put("side", sellNext ? "sell" : "buy")
              .put("shares", 1)
              .put("limit", LIMIT);
      sellNext = !sellNext;
      var path = "/api/exchange/accounts/" + trader.account + "/orders";
      var answer = shop.send(user.request("POST", path, order).build());
      return () -> check(order, answer);
    }

    private Verdict check(ObjectNode sent, HttpStoreTarget.Answer answer) {
      var verdict =
          answers.json(
              201,
              answer,
              "response is not the order",
              body ->
                  List.of("symbol", "side", "limit").stream()
                      .allMatch(it -> body.path("order").path(it).equals(sent.path(it))));
      return verdict instanceof Verdict.Correct
          ? answers.growing(
              "order_id",
              ShopUser.tree(answer).path("order").path("order_id").asLong(-1),
              answer.body())
          : verdict;
    }

    @Override
    public void close() {
      traders.add(trader);
    }
  }

  private final class GrpcTradingClient implements Client {
    private final Trader trader;
    private final GrpcConnection connection;
    private final ExchangeServiceBlockingStub stub;
    private final ResponseCheck answers = new ResponseCheck();
    private boolean sellNext;

    GrpcTradingClient(Trader trader) {
      this.trader = trader;
      var address = HostAndPort.of("grpc", at);
      connection = GrpcConnection.to(address.host(), address.port());
      stub =
          ExchangeServiceGrpc.newBlockingStub(connection.channel())
              .withInterceptors(GrpcConnection.bearer(token));
    }

    @Override
    public Supplier<Verdict> ask(String product) throws IOException {
      var request =
          PlaceOrderRequest.newBuilder()
              .setKey(
                  IdempotencyKey.newBuilder()
                      .setScope("load")
                      .setValue(UUID.randomUUID().toString()))
              .setAccountId(Long.parseLong(trader.account))
              .setSymbol(trader.symbol)
              .setSide(sellNext ? Side.SIDE_SELL : Side.SIDE_BUY)
              .setSharesE4(FIXED_POINT)
              .setLimitE4(Long.parseLong(LIMIT) * FIXED_POINT)
              .build();
      sellNext = !sellNext;
      try {
        var order = stub.withDeadlineAfter(DEADLINE).placeOrder(request).getOrder();
        return () ->
            order.getSymbol().equals(trader.symbol)
                    && order.getSide() == request.getSide()
                    && order.getSharesE4() == request.getSharesE4()
                    && order.getLimitE4() == request.getLimitE4()
                ? answers.growing("order_id", order.getOrderId(), order.toString())
                : new Verdict.Wrong("response is not the order", order.toString());
      } catch (StatusRuntimeException failure) {
        throw new IOException(failure.getStatus().toString(), failure);
      }
    }

    @Override
    public void close() {
      connection.close();
      traders.add(trader);
    }
  }
}
