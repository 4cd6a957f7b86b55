package toystore.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;
import static toystore.exchange.ExchangeFixture.error;
import static toystore.exchange.ExchangeTestClient.text;
import static toystore.exchange.v1.Side.SIDE_BUY;
import static toystore.exchange.v1.Side.SIDE_SELL;
import static toystore.exchange.v1.Side.SIDE_UNSPECIFIED;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.account.v1.Role;
import toystore.clients.RawClient;
import toystore.common.v1.AuditCheck;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.MarketFeed;
import toystore.exchange.engine.Side;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.AddSharesResponse;
import toystore.exchange.v1.CancelOrderRequest;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.ListAccountsRequest;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.PlaceOrderResponse;
import toystore.exchange.v1.Position;
import toystore.exchange.v1.WatchRequest;
import toystore.exchange.v1.WatchResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Behind real stubs. Each test has symbols and users of its own.
class ExchangeServiceTest {
  private static final int BUFFER = 10_000;

  @TempDir private static Path folder;
  private static ExchangeFixture service;

  private ExchangeTestClient ann;
  private ExchangeTestClient bob;

  @BeforeAll
  static void start() {
    service = new ExchangeFixture(folder, "--toystore.exchange.watchers=20");
  }

  @BeforeEach
  void login() {
    ann = service.buyer(1);
    bob = service.client(service.sessions.login(Role.ROLE_SELLER, 1));
  }

  @AfterAll
  static void auditAndStop() {
    assertThat(service.audit(false)).hasSize(7).allMatch(AuditCheck::getOk);
    assertThat(service.audit(true)).as("full").allMatch(AuditCheck::getOk);
    service.close();
  }

  @Test
  void buyerGetsTheImprovementAndCancelReturnsTheReservationAtOnce() {
    long buyer = ann.account("100.5");
    long seller = bob.account("0");
    bob.add(seller, "IMPROVE", "3");
    bob.sell(seller, "IMPROVE", "1.5", "10.0001");

    Order order = ann.buy(buyer, "IMPROVE", "4", "20");

    assertThat(text(order)).isEqualTo("buy 4@20: 2.5 open, 1.5@10.0001");
    assertThat(ann.cash(buyer)).isEqualTo("35.49985, 50 reserved");
    Order canceled = ann.cancel(buyer, order.getOrderId());
    assertThat(text(canceled)).isEqualTo("buy 4@20: 2.5 canceled, 1.5@10.0001");
    assertThat(Timestamps.compare(canceled.getOpenedAt(), canceled.getCanceledAt()))
        .isNotPositive();
    assertThat(ann.cash(buyer)).isEqualTo("85.49985, 0 reserved");
    assertThat(ann.cancel(buyer, order.getOrderId()))
        .as("nothing is open any more")
        .isEqualTo(canceled)
        .isEqualTo(ann.order(buyer, order.getOrderId()));
    assertThat(ann.depth("IMPROVE")).isEqualTo("bids asks");
  }

  @Test
  void accountsOfAnotherUserAreUnknown() {
    long account = ann.account("100");
    ann.add(account, "FOREIGN", "10");
    long order = ann.sell(account, "FOREIGN", "1", "1").getOrderId();
    long other = bob.account("100");

    for (long unknown : new long[] {account, 1_000_000, 0, -1}) {
      assertThat(
              reasons(
                  () -> bob.find(unknown),
                  () -> bob.add(unknown, "FOREIGN", "1"),
                  () -> bob.buy(unknown, "FOREIGN", "1", "1"),
                  () -> bob.order(unknown, order),
                  () -> bob.cancel(unknown, order),
                  () -> bob.orders(unknown, 0, 10)))
          .containsOnly(ErrorReason.ACCOUNT_NOT_FOUND);
    }
    assertThat(reasons(() -> bob.order(other, order), () -> bob.cancel(other, order)))
        .as("the order of another account")
        .containsOnly(ErrorReason.ORDER_NOT_FOUND);
    assertThat(error(() -> bob.order(other, 1_000_000)).reason())
        .isEqualTo(ErrorReason.ORDER_NOT_FOUND);
    assertThat(bob.accounts(0, 200)).contains(other).doesNotContain(account);
    assertThat(service.administrator.accounts(0, 200)).contains(account, other);
    assertThat(text(service.administrator.cancel(account, order)))
        .isEqualTo("sell 1@1: 1 canceled");
  }

  @Test
  void buyerAndSellerWithTheSameIdAreDifferentUsers() {
    ExchangeTestClient seller = service.client(service.sessions.login(Role.ROLE_SELLER, 7));
    long account = service.buyer(7).account("1");

    assertThat(service.buyer(7).accounts(0, 200)).containsExactly(account);
    assertThat(seller.accounts(0, 200)).isEmpty();
    assertThat(error(() -> seller.find(account)).reason()).isEqualTo(ErrorReason.ACCOUNT_NOT_FOUND);
  }

  @Test
  void accountOfAnXmlClientIsReachedByTheAdministratorAlone() {
    long account = service.submit(new ExchangeCommand.CreateAccount("007", null, 5)).number();

    assertThat(service.administrator.find(account).getCashE8()).isEqualTo(5);
    assertThat(error(() -> ann.find(account)).reason()).isEqualTo(ErrorReason.ACCOUNT_NOT_FOUND);
    assertThat(ann.accounts(0, 200)).doesNotContain(account);
  }

  @Test
  void refusalsNameTheirReasonAndChangeNothing() {
    long account = ann.account("100");
    ann.add(account, "REFUSED", "10");

    assertThat(error(() -> ann.buy(account, "REFUSED", "1", "100.0001")).reason())
        .isEqualTo(ErrorReason.INSUFFICIENT_CASH);
    assertThat(error(() -> ann.sell(account, "REFUSED", "10.0001", "1")).reason())
        .isEqualTo(ErrorReason.INSUFFICIENT_SHARES);
    assertThat(error(() -> ann.sell(account, "REFUSED", "10", "900000000000000")).reason())
        .isEqualTo(ErrorReason.OVERFLOW);
    assertThat(
            reasons(
                () -> ann.buy(account, "UNKNOWN", "1", "1"),
                () -> ann.depth("UNKNOWN"),
                () -> ann.trades("UNKNOWN", 0, 1),
                () -> ann.find(account, "UNKNOWN", 1),
                () -> ann.watch("UNKNOWN", null).next()))
        .containsOnly(ErrorReason.SYMBOL_NOT_FOUND);
    assertThat(
            messages(
                () -> ann.create("k", "-0.00000001"),
                () -> ann.add(account, "REFUSED", "-1"),
                () -> ann.add(account, "NO SPACE", "1"),
                () -> ann.buy(account, "REFUSED", "0", "1"),
                () -> ann.buy(account, "REFUSED", "1", "-1"),
                () -> ann.place("k", account, "REFUSED", SIDE_UNSPECIFIED, "1", "1"),
                () -> ann.accounts(0, 201),
                () -> ann.order(account, 1, 0, 201),
                () -> ann.order(account, 1, -1, 1),
                () -> ann.find(account, "", -1),
                () -> ann.orders(account, -1, 1),
                () -> ann.watch("", -1L).next()))
        .containsExactly(
            "balance_e8 must be at least 0, got -1",
            "shares_e4 must be at least 0, got -10000",
            "symbol must be 1 to 32 letters and digits",
            "shares_e4 must be at least 1, got 0",
            "limit_e4 must be at least 1, got -10000",
            "side must be SIDE_BUY or SIDE_SELL, got SIDE_UNSPECIFIED",
            "limit must be from 1 to 200, got 201",
            "limit must be from 1 to 200, got 201",
            "after_trade_id must be at least 0, got -1",
            "limit must be from 1 to 200, got -1",
            "before_order_id must be at least 0, got -1",
            "after_trade_id must be at least 0, got -1");
    assertThat(ann.cash(account)).isEqualTo("100, 0 reserved");
    assertThat(ann.positions(account)).containsExactly("REFUSED 10, 0 reserved");
    assertThat(ann.orders(account, 0, 10)).isEmpty();
  }

  @Test
  void callWithoutAValidTokenIsRefused() {
    var request = CreateAccountRequest.newBuilder().setKey(ExchangeFixture.key("t")).build();
    var withoutToken = ExchangeServiceGrpc.newBlockingStub(service.channel);
    assertThat(error(() -> withoutToken.createAccount(request)).reason())
        .isEqualTo(ErrorReason.NO_TOKEN);
    assertThat(error(() -> service.client("other").account("1")).reason())
        .isEqualTo(ErrorReason.SESSION_ENDED);

    String token = service.sessions.login(Role.ROLE_BUYER, 5);
    ExchangeTestClient user = service.client(token);
    user.account("1");
    service.sessions.logout(token);
    assertThat(error(() -> user.accounts(0, 1)).reason()).isEqualTo(ErrorReason.SESSION_ENDED);
  }

  @Test
  void nothingIsDoneWhileTheAccountServiceIsAway() {
    service.sessions.unavailable = true;
    RpcError away = error(() -> ann.account("1"));
    service.sessions.unavailable = false;
    assertThat(away.reason()).isEqualTo(ErrorReason.NOT_DONE);
  }

  @Test
  void knownKeyGetsTheFirstAnswerAndAnotherRequestIsRefused() {
    long account = ann.create("c", "100").getAccount().getAccountId();
    AddSharesResponse added = ann.addWithKey("a", account, "KEYS", "10");
    ann.sell(account, "KEYS", "2", "5");
    ann.sell(account, "KEYS", "1", "6");
    PlaceOrderResponse placed = ann.place("p", account, "KEYS", SIDE_BUY, "4", "5.5");
    ann.sell(account, "KEYS", "1", "5.5");
    ann.cancel(account, placed.getOrder().getOrderId());
    assertThat(text(placed.getOrder())).isEqualTo("buy 4@5.5: 2 open, 2@5");

    assertThat(ann.create("c", "100").getReplayed()).isTrue();
    assertThat(ann.create("c", "100").getAccount().getAccountId()).isEqualTo(account);
    assertThat(ann.create("c", "100").getAccount().getCashE8()).isEqualTo(10_000_000_000L);
    assertThat(ann.addWithKey("a", account, "KEYS", "10"))
        .isEqualTo(added.toBuilder().setReplayed(true).build());
    assertThat(ann.place("p", account, "KEYS", SIDE_BUY, "4", "5.5"))
        .isEqualTo(placed.toBuilder().setReplayed(true).build());
    assertThat(
            reasons(
                () -> ann.create("c", "101"),
                () -> ann.addWithKey("a", account, "KEYS", "11"),
                () -> ann.place("p", account, "KEYS", SIDE_SELL, "4", "5.5"),
                () -> ann.create("p", "100")))
        .containsOnly(ErrorReason.KEY_REUSED);
    assertThat(bob.create("c", "7").getReplayed()).as("the key of another user").isFalse();
  }

  @Test
  void refusalOfAKeyIsKept() {
    long account = ann.account("0");
    ann.add(account, "KEPT", "1");
    assertThat(error(() -> ann.place("r", account, "KEPT", SIDE_SELL, "2", "1")).replayed())
        .isFalse();
    ann.add(account, "KEPT", "1");

    RpcError repeated = error(() -> ann.place("r", account, "KEPT", SIDE_SELL, "2", "1"));

    assertThat(repeated.reason()).isEqualTo(ErrorReason.INSUFFICIENT_SHARES);
    assertThat(repeated.replayed()).isTrue();
  }

  @Test
  void lateCommandIsNotCarriedOut() {
    long account = ann.account("10");
    ann.add(account, "LATE", "1");
    Timestamp past = Timestamps.fromSeconds(1);
    long order = ann.sell(account, "LATE", "1", "1").getOrderId();

    assertThat(
            reasons(
                () ->
                    ann.stub()
                        .placeOrder(
                            ExchangeTestClient.order("l", account, "LATE", SIDE_BUY, "1", "1")
                                .setDecideBy(past)
                                .build()),
                () ->
                    ann.stub()
                        .cancelOrder(
                            CancelOrderRequest.newBuilder()
                                .setAccountId(account)
                                .setOrderId(order)
                                .setDecideBy(past)
                                .build())))
        .containsOnly(ErrorReason.TOO_LATE);
    assertThat(ann.depth("LATE")).isEqualTo("bids asks 1@1(1)");
  }

  @Test
  void listsAreCompleteAndPaged() {
    ExchangeTestClient user = service.buyer(9);
    List<Long> accounts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      accounts.add(user.account("10"));
    }
    long account = accounts.getFirst();
    user.add(account, "PAGE2", "10");
    user.add(account, "PAGE1", "10");
    List<Long> orders = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      orders.addFirst(user.sell(account, "PAGE1", "1", "1").getOrderId());
    }
    for (int i = 1; i <= 3; i++) {
      user.buy(account, "PAGE1", "0.000" + i, "1");
    }

    assertThat(user.accounts(0, 200)).isEqualTo(accounts);
    assertThat(user.accounts(0, 3)).isEqualTo(accounts.subList(0, 3));
    assertThat(user.accounts(accounts.get(2), 200)).isEqualTo(accounts.subList(3, 5));
    assertThat(user.orders(account, orders.getFirst() + 1, 2)).isEqualTo(orders.subList(0, 2));
    assertThat(user.orders(account, orders.get(1), 200)).isEqualTo(orders.subList(2, 5));
    assertThat(user.trades("PAGE1", 0, 2)).containsExactly("0.0003@1", "0.0002@1");
    assertThat(user.symbols("PAGE", 2)).containsExactly("PAGE1", "PAGE2");
    assertThat(user.symbols("PAGE1", 1)).containsExactly("PAGE2");
    assertThat(user.positions(account))
        .containsExactly("PAGE2 10, 0 reserved", "PAGE1 5.0006, 4.9994 reserved");
  }

  @Test
  void watchSendsMissedTradesThenTheDepthThenAllEvents() {
    long account = ann.account("1000");
    ann.add(account, "WATCH", "100");
    ann.sell(account, "WATCH", "5", "1");
    long first = ann.buy(account, "WATCH", "1", "1").getExecutions(0).getTradeId();
    long second = ann.buy(account, "WATCH", "2", "1").getExecutions(0).getTradeId();
    try (var call = Context.current().withCancellation()) {
      Iterator<WatchResponse> all = in(call, () -> ann.watch("WATCH", null));
      Iterator<WatchResponse> resumed = in(call, () -> ann.watch("WATCH", first));
      assertThat(next(all, 2)).containsExactly("after " + second, "bids asks 2@1(1)");
      assertThat(next(resumed, 3))
          .containsExactly(format("trade %d: 2@1", second), "after " + second, "bids asks 2@1(1)");

      long third = ann.buy(account, "WATCH", "3", "1").getExecutions(0).getTradeId();
      ann.add(account, "OTHER", "1");

      for (Iterator<WatchResponse> events : List.of(all, resumed)) {
        assertThat(next(events, 2))
            .containsExactly(format("trade %d: 2@1", third), "bids 1@1(1) asks");
      }
    }
    await(() -> service.bean(MarketFeed.class).subscriptions() == 0);
  }

  @Test
  void watchOfAllSymbolsSendsTheDepthOfEach() {
    long account = ann.account("1000");
    ann.add(account, "ALLX", "100");
    ann.add(account, "ALLY", "100");
    try (var call = Context.current().withCancellation()) {
      Iterator<WatchResponse> events = in(call, () -> ann.watch("", null));
      assertThat(events.next().hasReplayEnd()).isTrue();
      ann.sell(account, "ALLX", "1", "2");
      ann.sell(account, "ALLY", "1", "3");
      assertThat(
              Stream.generate(events::next)
                  .filter(it -> it.getDepth().getSymbol().equals("ALLY"))
                  .map(ExchangeTestClient::text)
                  .limit(2))
          .containsExactly("bids asks", "bids asks 1@3(1)");
    }
    await(() -> service.bean(MarketFeed.class).subscriptions() == 0);
  }

  /// 20 places, of which 2 are kept.
  @Test
  void readersBeyondTheMaximumAreRefusedAndPlacesAreKeptForFrontends() {
    ann.add(ann.account("1"), "MANY", "1");
    try (var call = Context.current().withCancellation()) {
      for (int i = 0; i < 18; i++) {
        ExchangeTestClient user = service.buyer(10 + i / 5);
        in(call, () -> user.watch("MANY", null)).next();
      }
      RpcError full = error(() -> bob.watch("MANY", null).next());
      assertThat(full.reason()).isEqualTo(ErrorReason.OVERLOADED);
      assertThat(full.message()).contains("18 readers, which is the maximum");
      for (int i = 0; i < 2; i++) {
        in(call, () -> service.administrator.watch("MANY", null)).next();
      }
      assertThat(error(() -> service.administrator.watch("MANY", null).next()).reason())
          .isEqualTo(ErrorReason.OVERLOADED);
    }
    await(() -> service.bean(MarketFeed.class).subscriptions() == 0);
  }

  @Test
  void userHasAtMostFiveFeedsAndAPlaceIsFreeOnceItsCallEnds() {
    ann.add(ann.account("1"), "FIVE", "1");
    try (var others = Context.current().withCancellation()) {
      try (var call = Context.current().withCancellation()) {
        in(call, () -> ann.watch("FIVE", null)).next();
        for (int i = 0; i < 4; i++) {
          in(others, () -> service.buyer(1).watch("FIVE", null)).next();
        }
        RpcError sixth = error(() -> ann.watch("FIVE", null).next());
        assertThat(sixth.reason()).isEqualTo(ErrorReason.TOO_MANY_FEEDS);
        assertThat(sixth.message()).contains("5 feeds, which is the maximum");
        in(others, () -> bob.watch("FIVE", null)).next();
      }
      await(() -> service.bean(MarketFeed.class).subscriptions() == 5);
      in(others, () -> ann.watch("FIVE", null)).next();
    }
    await(() -> service.bean(MarketFeed.class).subscriptions() == 0);
  }

  @Test
  void feedsEndWithTheirSession() {
    String token = service.sessions.login(Role.ROLE_BUYER, 1);
    ann.add(ann.account("1"), "ENDS", "1");
    try (var call = Context.current().withCancellation()) {
      Iterator<WatchResponse> ended = in(call, () -> service.client(token).watch("ENDS", null));
      Iterator<WatchResponse> other = in(call, () -> ann.watch("ENDS", null));
      assertThat(next(ended, 2)).isEqualTo(next(other, 2));
      service.sessions.logout(token);
      assertThat(error(ended::next).reason()).isEqualTo(ErrorReason.SESSION_ENDED);
      await(() -> service.bean(MarketFeed.class).subscriptions() == 1);
      ann.sell(ann.accounts(0, 200).getLast(), "ENDS", "1", "1");
      assertThat(next(other, 1)).containsExactly("bids asks 1@1(1)");
    }
    await(() -> service.bean(MarketFeed.class).subscriptions() == 0);
  }

  @Test
  void executionsOfAnOrderArePaged() {
    long account = ann.account("1000000");
    ann.add(account, "EXEC", "1000");
    for (int i = 1; i <= 250; i++) {
      ann.sell(account, "EXEC", "1", "" + i);
    }

    PlaceOrderResponse placed = ann.place("exec", account, "EXEC", SIDE_BUY, "251", "300");
    ann.sell(account, "EXEC", "0.5", "300");

    Order order = placed.getOrder();
    long id = order.getOrderId();
    assertThat(prices(order)).isEqualTo(rangeOfPrices(1, 50));
    assertThat(order.getNextTradeId()).isEqualTo(order.getExecutions(49).getTradeId());
    assertThat(order.getOpenSharesE4()).isEqualTo(10_000);
    assertThat(ann.place("exec", account, "EXEC", SIDE_BUY, "251", "300"))
        .as("read again")
        .isEqualTo(placed.toBuilder().setReplayed(true).build());

    Order first = ann.order(account, id, 0, 200);
    Order second = ann.order(account, id, first.getNextTradeId(), 200);
    assertThat(prices(first)).isEqualTo(rangeOfPrices(1, 200));
    assertThat(prices(second)).startsWith(201L).endsWith(250L, 300L).hasSize(51);
    assertThat(second.getNextTradeId()).as("the last page").isZero();
    assertThat(ann.order(account, id, 0, 0)).isEqualTo(ann.order(account, id));
    assertThat(prices(ann.order(account, id))).isEqualTo(rangeOfPrices(1, 50));

    Order canceled = ann.cancel(account, id);
    assertThat(canceled.getCanceledSharesE4()).isEqualTo(5_000);
    assertThat(prices(canceled)).isEqualTo(rangeOfPrices(1, 50));
    assertThat(canceled.getNextTradeId()).isEqualTo(order.getNextTradeId());
  }

  private static List<Long> prices(Order order) {
    return order.getExecutionsList().stream().map(it -> it.getPriceE4() / 10_000).toList();
  }

  private static List<Long> rangeOfPrices(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  @Test
  void positionsArePaged() {
    ExchangeTestClient user = service.buyer(8);
    long account = user.account("1");
    List<String> symbols = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      symbols.add("POS" + (20 - i));
      user.add(account, symbols.getLast(), "1");
    }

    Account listed =
        user.stub()
            .listAccounts(ListAccountsRequest.newBuilder().setLimit(1).build())
            .getAccounts(0);
    assertThat(symbols(listed)).isEqualTo(symbols.subList(0, 10));
    assertThat(listed.getNextSymbol()).isEqualTo(symbols.get(9));
    Account page = user.find(account, symbols.get(9), 1);
    assertThat(symbols(page)).isEqualTo(symbols.subList(10, 11));
    assertThat(page.getNextSymbol()).isEqualTo(symbols.get(10));
    assertThat(symbols(user.find(account))).isEqualTo(symbols);
    assertThat(user.find(account).getNextSymbol()).isEmpty();
  }

  private static List<String> symbols(Account account) {
    return account.getPositionsList().stream().map(Position::getSymbol).toList();
  }

  @Test
  void readsAreAnsweredWhileTheWriterIsBusy() throws IOException {
    service.submit(new ExchangeCommand.CreateAccount("4711", null, 1_000_000_000));
    long account = ann.account("1000");
    ann.add(account, "BUSY", "10");
    Order order = ann.sell(account, "BUSY", "1", "2");
    long trade = ann.buy(account, "BUSY", "0.5", "2").getExecutions(0).getTradeId();
    var placed =
        service.submit(
            new ExchangeCommand.PlaceOrder(
                new AccountKey.Xml("4711"), "BUSY", Side.BUY, 10_000, 10_000));
    long xmlOrder = placed.number();
    var busy = new CompletableFuture<Void>();
    try {
      service.blockWriter(busy);
      assertThat(text(ann.order(account, order.getOrderId())))
          .isEqualTo("sell 1@2: 0.5 open, 0.5@2");
      assertThat(ann.positions(account)).containsExactly("BUSY 9.5, 0.5 reserved");
      assertThat(ann.accounts(0, 200)).contains(account);
      assertThat(ann.orders(account, 0, 1)).hasSize(1);
      assertThat(ann.trades("BUSY", trade + 1, 1)).containsExactly("0.5@2");
      assertThat(ann.depth("BUSY")).isEqualTo("bids 1@1(1) asks 0.5@2(1)");
      assertThat(
              RawClient.exchangeAll(
                  service.xmlPort,
                  RawClient.framed(
                      format(
                          "<transactions id=\"4711\"><query id=\"%d\"/></transactions>",
                          xmlOrder))))
          .isEqualTo(
              format(
                  "<results><status id=\"%d\"><open shares=\"1\"/></status></results>\n",
                  xmlOrder));
    } finally {
      busy.complete(null);
    }
  }

  @Test
  void readerThatDoesNotKeepUpIsEndedAndContinuesWithoutALoss() throws IOException {
    long account = ann.account("1000000");
    ann.add(account, "SLOW", "1");
    ann.sell(account, "SLOW", "1", "1");
    long last = ann.buy(account, "SLOW", "1", "1").getExecutions(0).getTradeId();
    var ended = new CompletableFuture<RpcError>();
    ClientCall<WatchRequest, WatchResponse> call = startWithoutReading(ended);
    await(() -> service.bean(MarketFeed.class).subscriptions() == 1);

    xml(
        "<create><account id=\"4712\" balance=\"0\"/>"
            + "<symbol sym=\"SLOW\"><account id=\"4712\">10000</account></symbol></create>");
    xml(
        "<transactions id=\"4712\">"
            + "<order sym=\"SLOW\" amount=\"-1\" limit=\"1\"/>".repeat(BUFFER)
            + "</transactions>");
    ann.buy(account, "SLOW", "10000", "1"); // BUFFER trades and a depth
    await(() -> service.bean(MarketFeed.class).subscriptions() == 0);
    call.request(Integer.MAX_VALUE);
    assertThat(ended.join().reason()).isEqualTo(ErrorReason.OVERLOADED);

    try (var context = Context.current().withCancellation()) {
      Iterator<WatchResponse> resumed = in(context, () -> ann.watch("SLOW", last));
      for (int i = 1; i <= 2_000; i++) { // as many as one call resumes with
        assertThat(next(resumed, 1)).containsExactly(format("trade %d: 1@1", last + i));
      }
    }
    await(() -> service.bean(MarketFeed.class).subscriptions() == 0);
  }

  private static void xml(String request) throws IOException {
    RawClient.exchangeAll(service.xmlPort, RawClient.framed(request));
  }

  private ClientCall<WatchRequest, WatchResponse> startWithoutReading(
      CompletableFuture<RpcError> ended) {
    ClientCall<WatchRequest, WatchResponse> call =
        service.channel.newCall(ExchangeServiceGrpc.getWatchMethod(), CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(RpcError.of(new StatusRuntimeException(status, trailers)));
          }
        },
        ExchangeFixture.headers(service.sessions.login(Role.ROLE_BUYER, 1)));
    call.sendMessage(WatchRequest.newBuilder().setSymbol("SLOW").build());
    call.halfClose();
    return call;
  }

  private static <T> T in(Context context, Supplier<T> call) {
    Context before = context.attach();
    try {
      return call.get();
    } finally {
      context.detach(before);
    }
  }

  private static List<String> next(Iterator<WatchResponse> events, int count) {
    return Stream.generate(events::next).limit(count).map(ExchangeTestClient::text).toList();
  }

  private static List<ErrorReason> reasons(ThrowingCallable... calls) {
    return Stream.of(calls).map(it -> error(it).reason()).toList();
  }

  private static List<String> messages(ThrowingCallable... calls) {
    return Stream.of(calls)
        .map(ExchangeFixture::error)
        .peek(it -> assertThat(it.reason()).isEqualTo(ErrorReason.INVALID))
        .map(RpcError::message)
        .toList();
  }
}
