package toystore.exchange.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.domain.TradePage;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.engine.EngineChanges;
import toystore.exchange.engine.EngineOutcome;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MarketDepth;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.MatchingEngine;
import toystore.exchange.engine.Position;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;

/// What the exchange must answer and store: an engine that is never restarted, and maps of all that
/// it ever reported. Results are compared as texts; a refusal is its reason.
final class ExchangeModel {
  private final MatchingEngine engine = new MatchingEngine(EngineBounds.ofHeap(Long.MAX_VALUE));
  private final Map<Long, CashAccount> accounts = new TreeMap<>();
  private final Map<Long, Position> positions = new TreeMap<>();
  private final Map<Long, LimitOrder> orders = new TreeMap<>();
  private final List<MatchedTrade> trades = new ArrayList<>();
  private final Map<String, Known> answers = new HashMap<>();
  private final long time;

  private record Known(ExchangeCommand<?> command, String text) {}

  ExchangeModel(long time) {
    this.time = time;
  }

  String apply(ExchangeCommand<?> command, @Nullable String key) {
    Known known = key == null ? null : answers.get(key);
    if (known != null) {
      return known.command.values().equals(command.values()) ? known.text + " again" : "KEY_REUSED";
    }
    String text = decide(command);
    take(engine.takeChanges());
    if (key != null && !text.equals("INVALID")) {
      answers.put(key, new Known(command, text));
    }
    return text;
  }

  private String decide(ExchangeCommand<?> command) {
    return switch (command) {
      case ExchangeCommand.CreateAccount(var xmlId, var owner, long balance) ->
          text(engine.createAccount(xmlId, owner, balance), it -> it);
      case ExchangeCommand.AddShares(var account, var symbol, long shares) ->
          number(account) == 0
              ? "ACCOUNT_NOT_FOUND"
              : text(engine.addShares(number(account), symbol, shares), it -> it);
      case ExchangeCommand.PlaceOrder(var account, var symbol, var side, long shares, long limit) ->
          number(account) == 0
              ? "ACCOUNT_NOT_FOUND"
              : text(
                  engine.placeOrder(number(account), symbol, side, shares, limit, time),
                  it -> new OrderWithTrades(it, shownTrades(account)));
      case ExchangeCommand.CancelOrder(var account, long order) ->
          find(number(account), order, true);
    };
  }

  /// XML does not show them.
  private TradePage shownTrades(AccountKey account) {
    return account instanceof AccountKey.Xml
        ? TradePage.NONE
        : TradePage.first(engine.tradesOfLastOrder(51), 50);
  }

  /// With its trades.
  String find(AccountKey account, long order) {
    return find(number(account), order, false);
  }

  private String find(long account, long number, boolean cancel) {
    LimitOrder order = orders.get(number);
    if (account == 0) {
      return "ACCOUNT_NOT_FOUND";
    }
    if (order == null || order.account() != account) {
      return "ORDER_NOT_FOUND";
    }
    var all =
        new TradePage(
            trades.stream()
                .filter(it -> it.buyOrder() == number || it.sellOrder() == number)
                .toList(),
            0);
    if (cancel && order.openE4() > 0) {
      return text(engine.cancelOrder(number, time), it -> new OrderWithTrades(it, all));
    }
    return text(new Done<>(new OrderWithTrades(order, all)));
  }

  /// 0 if it is unknown to its caller.
  private long number(AccountKey key) {
    Optional<CashAccount> account =
        accounts.values().stream()
            .filter(it ->
                switch (key) {
                  case AccountKey.Numbered(long number, var owner) ->
                      it.number() == number && (owner == null || Objects.equals(owner, it.owner()));
                  case AccountKey.Xml(String id) -> id.equals(it.xmlId());
                })
            .findFirst();
    return account.map(CashAccount::number).orElse(0L);
  }

  private void take(EngineChanges changes) {
    changes.accounts().forEach(it -> accounts.put(it.number(), it));
    changes.positions().forEach(it -> positions.put(it.number(), it));
    changes.orders().forEach(it -> orders.put(it.number(), it));
    trades.addAll(changes.trades());
  }

  private static <T> String text(EngineOutcome<T> outcome, Function<T, Object> result) {
    return switch (outcome) {
      case EngineOutcome.Accepted<T>(T value) -> text(new Done<>(result.apply(value)));
      case EngineOutcome.Refused<T>(var reason) -> reason.reason().name();
    };
  }

  /// Without the mark of a stored answer, which is the word `again`.
  static String text(Answer<?> answer) {
    return switch (answer) {
      case Done(OrderWithTrades(var order, var trades), boolean replayed) ->
          order + " " + trades + again(replayed);
      case Done(var value, boolean replayed) -> value + again(replayed);
      case Answer.Refusal(ErrorReason reason, _, boolean replayed) -> reason + again(replayed);
      case Answer.NotDecided(Answer.Cause cause) -> cause.name();
    };
  }

  private static String again(boolean replayed) {
    return replayed ? " again" : "";
  }

  ExchangeMachine.Rows rows() {
    return new ExchangeMachine.Rows(
        List.copyOf(accounts.values()),
        List.copyOf(positions.values()),
        List.copyOf(orders.values()),
        List.copyOf(trades));
  }

  Optional<MarketDepth> depth(String symbol) {
    return engine.depth(symbol, ExchangeBatches.LEVELS);
  }

  long lastOrder() {
    return orders.keySet().stream().max(Comparator.naturalOrder()).orElse(0L);
  }
}
