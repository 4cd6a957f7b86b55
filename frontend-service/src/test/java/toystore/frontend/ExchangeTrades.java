package toystore.frontend;

import static toystore.common.RootLocale.format;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.v1.AddSharesRequest;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.ExchangeServiceGrpc.ExchangeServiceFutureStub;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.exchange.v1.PlaceOrderResponse;
import toystore.exchange.v1.Side;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// Trades at the exchange. An account of the administrator offers 999,999 shares of each symbol for
/// 125, and buys some of them.
public final class ExchangeTrades {
  private static final long SHARE = 10_000;
  private static final long OFFERED = 1_000_000;
  private static final long CASH_E8 = 1_000_000_000_000_000_000L;

  private final ExchangeServiceFutureStub exchange;
  private final long account;
  private final AtomicInteger symbols = new AtomicInteger();

  ExchangeTrades(PeerChannel exchange, AdministratorToken token) {
    this.exchange =
        ExchangeServiceGrpc.newFutureStub(exchange.withoutCircuitBreaker())
            .withInterceptors(token.clientInterceptor());
    var request = CreateAccountRequest.newBuilder().setKey(key()).setBalanceE8(CASH_E8).build();
    account =
        Futures.getUnchecked(this.exchange.createAccount(request)).getAccount().getAccountId();
  }

  private static IdempotencyKey key() {
    return IdempotencyKey.newBuilder().setScope("test").setValue("" + UUID.randomUUID()).build();
  }

  /// Offers shares of a symbol that no other test uses.
  public String newSymbol() {
    String symbol = format("NEW%d", symbols.incrementAndGet());
    Futures.getUnchecked(
        exchange.addShares(
            AddSharesRequest.newBuilder()
                .setKey(key())
                .setAccountId(account)
                .setSymbol(symbol)
                .setSharesE4(OFFERED * SHARE)
                .build()));
    Futures.getUnchecked(place(symbol, Side.SIDE_SELL, OFFERED - 1, 125));
    return symbol;
  }

  /// Offers one share for another price.
  public void offer(String symbol, long price) {
    Futures.getUnchecked(place(symbol, Side.SIDE_SELL, 1, price));
  }

  /// Makes a trade and returns its number.
  public long trade(String symbol, long shares) {
    return number(Futures.getUnchecked(place(symbol, Side.SIDE_BUY, shares, 125)));
  }

  /// Makes many trades of one share at the same time, and returns their numbers.
  public List<Long> trades(String symbol, int size) {
    var placed = Stream.generate(() -> place(symbol, Side.SIDE_BUY, 1, 125)).limit(size).toList();
    return Futures.getUnchecked(Futures.allAsList(placed)).stream()
        .map(ExchangeTrades::number)
        .sorted()
        .toList();
  }

  private static long number(PlaceOrderResponse placed) {
    return placed.getOrder().getExecutions(0).getTradeId();
  }

  private ListenableFuture<PlaceOrderResponse> place(
      String symbol, Side side, long shares, long price) {
    return exchange.placeOrder(
        PlaceOrderRequest.newBuilder()
            .setKey(key())
            .setAccountId(account)
            .setSymbol(symbol)
            .setSide(side)
            .setSharesE4(shares * SHARE)
            .setLimitE4(price * SHARE)
            .build());
  }
}
