package toystore.order.storage;

import static toystore.platform.rpc.UnaryFutures.await;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import toystore.order.domain.OrderCommand;
import toystore.order.domain.OrderUnitOfWork;
import toystore.platform.journal.Submitted;
import toystore.platform.service.EndedSessionsClient;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;

/// Deletes the unsaved carts of sessions that ended by themselves; the frontend tells of each
/// logout. A cart is deleted only if the account service says that its session has ended.
@Component
public final class CartSweep {
  private final ReadPool reader;
  private final EndedSessionsClient accounts;
  private final SingleWriter<OrderUnitOfWork> writer;

  CartSweep(ReadPool readPool, EndedSessionsClient accounts, SingleWriter<OrderUnitOfWork> writer) {
    this.reader = readPool;
    this.accounts = accounts;
    this.writer = writer;
  }

  /// Spring logs a failure, and calls again an hour later.
  @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.HOURS)
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

  private List<Long> sessions(long after) {
    return await(
        reader.read(
            connection -> CartStore.sessions(connection, after, EndedSessionsClient.MAX_SESSIONS)));
  }
}
