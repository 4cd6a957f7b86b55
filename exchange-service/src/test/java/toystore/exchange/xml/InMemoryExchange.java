package toystore.exchange.xml;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeRequest.FindOrder;
import toystore.exchange.domain.ExchangeUnitOfWork;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.domain.TradePage;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.engine.MatchingEngine;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.CommandContext;

/// The writer's place in tests of the gateway alone: the real engine under a lock, without a disk.
/// An order is forgotten once it is closed. Any thread.
final class InMemoryExchange implements XmlGateway.CommandWriter {
  private static final Instant TIME = Instant.ofEpochMilli(1_700_000_000_123L);

  private static final EngineBounds BOUNDS = EngineBounds.ofHeap(Long.MAX_VALUE);

  private final MatchingEngine engine = new MatchingEngine(BOUNDS);
  private final ExchangeUnitOfWork unit =
      new ExchangeUnitOfWork(engine, BOUNDS, 0) {
        @Override
        public Instant now() {
          return TIME;
        }

        @Override
        public void write() {}

        @Override
        public void publish() {}
      };
  private final List<ExchangeCommand<?>> commands = new ArrayList<>();
  private final CountDownLatch gate;

  InMemoryExchange() {
    this(new CountDownLatch(0));
  }

  /// @param gate answers wait until it is open
  InMemoryExchange(CountDownLatch gate) {
    this.gate = gate;
  }

  /// In their order.
  synchronized List<ExchangeCommand<?>> commands() {
    return List.copyOf(commands);
  }

  @Override
  public synchronized <T> CompletionStage<Answer<T>> submit(ExchangeCommand<T> command) {
    commands.add(command);
    Answer<T> answer = command.decide(unit, new CommandContext(null, TIME, null));
    if (gate.getCount() == 0) {
      return CompletableFuture.completedFuture(answer);
    }
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return answer;
        },
        it -> Thread.startVirtualThread(it));
  }

  /// The reader's place. Orders are shown without their trades.
  synchronized CompletionStage<Answer<OrderWithTrades>> find(FindOrder query) {
    return CompletableFuture.completedFuture(
        engine
            .order(query.order())
            .filter(it -> it.account() == number(query.account()))
            .<Answer<OrderWithTrades>>map(
                it -> new Answer.Done<>(new OrderWithTrades(it, TradePage.NONE)))
            .orElseGet(() -> new Answer.Refusal<>(ErrorReason.ORDER_NOT_FOUND, "order not found")));
  }

  private long number(AccountKey account) {
    return engine
        .accountByXmlId(((AccountKey.Xml) account).id())
        .map(CashAccount::number)
        .orElse(0L);
  }
}
