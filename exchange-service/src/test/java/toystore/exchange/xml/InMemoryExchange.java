package toystore.exchange.xml;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import toystore.exchange.AccountKey;
import toystore.exchange.ExchangeCommand;
import toystore.exchange.ExchangeRequest;
import toystore.exchange.ExchangeResult;
import toystore.exchange.ExchangeResult.Reason;
import toystore.exchange.ExchangeResult.TradePage;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.engine.EngineOutcome;
import toystore.exchange.engine.MatchingEngine;

/// The writer's place in tests of the gateway alone: the real engine under a lock, without a disk.
/// An order is forgotten once it is closed. Any thread.
final class InMemoryExchange implements Function<ExchangeCommand, CompletionStage<ExchangeResult>> {
  private static final long TIME = 1_700_000_000_123L;

  private static final EngineBounds BOUNDS = EngineBounds.ofHeap(Long.MAX_VALUE);

  private final MatchingEngine engine = new MatchingEngine(BOUNDS);
  private final List<ExchangeCommand> commands = new ArrayList<>();
  private final CountDownLatch gate;

  InMemoryExchange() {
    this(new CountDownLatch(0));
  }

  /// @param gate answers wait until it is open
  InMemoryExchange(CountDownLatch gate) {
    this.gate = gate;
  }

  /// The commands that were submitted, in their order.
  synchronized List<ExchangeCommand> commands() {
    return List.copyOf(commands);
  }

  @Override
  public synchronized CompletionStage<ExchangeResult> apply(ExchangeCommand command) {
    commands.add(command);
    ExchangeResult result = decide(command);
    if (gate.getCount() == 0) {
      return CompletableFuture.completedFuture(result);
    }
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return result;
        },
        it -> Thread.startVirtualThread(it));
  }

  private ExchangeResult decide(ExchangeCommand command) {
    return switch (command) {
      case ExchangeCommand.CreateAccount(var id, var owner, long balance) ->
          result(
              engine.createAccount(id, owner, balance),
              it -> new ExchangeResult.AccountCreated(it, false));
      case ExchangeCommand.AddShares(var account, var symbol, long shares) ->
          result(
              engine.addShares(number(account), symbol, shares),
              it -> new ExchangeResult.SharesAdded(it, false));
      case ExchangeCommand.PlaceOrder(var account, var symbol, var side, long shares, long limit) ->
          result(
              engine.placeOrder(number(account), symbol, side, shares, limit, TIME),
              it -> new ExchangeResult.OrderOpened(it, TradePage.NONE, false));
      case ExchangeCommand.CancelOrder(_, long order) -> {
        engine.cancelOrder(order, TIME);
        yield new ExchangeResult.OrderClosed();
      }
    };
  }

  /// The reader's place. Orders are shown without their trades.
  synchronized CompletionStage<ExchangeResult> find(ExchangeRequest.FindOrder query) {
    return CompletableFuture.completedFuture(
        engine
            .order(query.order())
            .filter(it -> it.account() == number(query.account()))
            .<ExchangeResult>map(it -> new ExchangeResult.OrderFound(it, TradePage.NONE))
            .orElseGet(() ->
                new ExchangeResult.RefusedCommand(
                    Reason.ORDER_NOT_FOUND, "order not found", false)));
  }

  private long number(AccountKey account) {
    return engine
        .accountByXmlId(((AccountKey.Xml) account).id())
        .map(CashAccount::number)
        .orElse(0L);
  }

  private static <T> ExchangeResult result(
      EngineOutcome<T> outcome, Function<T, ExchangeResult> accepted) {
    return switch (outcome) {
      case EngineOutcome.Accepted<T>(T value) -> accepted.apply(value);
      case EngineOutcome.Refused<T>(var reason) ->
          new ExchangeResult.RefusedCommand(Reason.INVALID, reason.message(BOUNDS), false);
    };
  }
}
