package toystore.account.storage;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.account.domain.AccountCommand;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.Session;
import toystore.account.domain.Sessions;
import toystore.platform.journal.Submitted;
import toystore.platform.storage.SingleWriter;

/// Deletes the sessions that were idle too long, each minute and in small steps. They have ended
/// before; only their memory and rows are left.
public final class SessionSweeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SessionSweeper.class);
  private static final int STEP = 500;

  private final Sessions sessions;
  private final SingleWriter<AccountUnitOfWork> writer;
  private final InstantSource clock;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("session-sweeper").factory());

  public SessionSweeper(
      Sessions sessions, SingleWriter<AccountUnitOfWork> writer, InstantSource clock) {
    this.sessions = sessions;
    this.writer = writer;
    this.clock = clock;
    thread.scheduleWithFixedDelay(this::sweep, 1, 1, TimeUnit.MINUTES);
  }

  /// Deletes all sessions that are idle now.
  public void sweep() {
    List<Session> idle;
    do {
      idle = sessions.idle(clock.instant(), STEP);
      if (!idle.isEmpty() && !end(idle)) {
        return;
      }
    } while (idle.size() == STEP);
  }

  private boolean end(List<Session> idle) {
    var command = new Submitted<>(new AccountCommand.EndIdleSessions(idle));
    try {
      writer.submit(command).toCompletableFuture().join();
      return true;
    } catch (CompletionException e) {
      log.warn("ended sessions could not be deleted, trying again: {}", e.getMessage());
      return false;
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
