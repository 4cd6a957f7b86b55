package toystore.order.storage;

import static toystore.platform.rpc.UnaryFutures.await;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import toystore.order.domain.OrderCommand;
import toystore.order.domain.OrderUnitOfWork;
import toystore.platform.journal.Submitted;
import toystore.platform.service.EndedSessionsClient;
import toystore.platform.service.StateLoadedEvent;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;

/// Deletes the unsaved carts of sessions that ended, from time to time. Normally the frontend tells
/// of each logout, but sessions also end by themselves. A cart is deleted only if the account
/// service says that its session has ended.
@Component
public final class CartSweep implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CartSweep.class);

  private final ReadPool reader;
  private final EndedSessionsClient accounts;
  private final SingleWriter<OrderUnitOfWork> writer;
  private final ScheduledExecutorService scheduler;

  @Autowired
  CartSweep(ReadPool readPool, EndedSessionsClient accounts, SingleWriter<OrderUnitOfWork> writer) {
    this(
        readPool,
        accounts,
        writer,
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cart-sweep").factory()));
  }

  /// @param scheduler ends with this
  public CartSweep(
      ReadPool readPool,
      EndedSessionsClient accounts,
      SingleWriter<OrderUnitOfWork> writer,
      ScheduledExecutorService scheduler) {
    this.reader = readPool;
    this.accounts = accounts;
    this.writer = writer;
    this.scheduler = scheduler;
  }

  @EventListener(StateLoadedEvent.class)
  public void start() {
    scheduler.scheduleWithFixedDelay(this::trySweep, 1, 1, TimeUnit.HOURS);
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private void trySweep() {
    try {
      sweep();
    } catch (RuntimeException e) {
      log.warn("cannot search for carts of ended sessions, trying again later: {}", e.getMessage());
    }
  }

  /// Asks for all sessions with a cart of their own, page by page.
  public void sweep() {
    long after = 0;
    while (true) {
      List<Long> sessions = sessions(after);
      if (sessions.isEmpty()) {
        return;
      }
      List<Long> ended = await(accounts.findEnded(sessions));
      if (!ended.isEmpty()) {
        await(writer.submit(new Submitted<>(new OrderCommand.EndSessions(ended))));
      }
      after = sessions.getLast();
    }
  }

  /// As many as one request to the account service may have.
  private List<Long> sessions(long after) {
    return await(
        reader.read(
            connection -> CartStore.sessions(connection, after, EndedSessionsClient.MAX_SESSIONS)));
  }
}
