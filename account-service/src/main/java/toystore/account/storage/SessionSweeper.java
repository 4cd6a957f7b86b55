package toystore.account.storage;

import static toystore.platform.rpc.UnaryFutures.await;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import toystore.account.domain.AccountCommand;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.Session;
import toystore.account.domain.Sessions;
import toystore.platform.journal.Submitted;
import toystore.platform.storage.SingleWriter;

/// Deletes the sessions that were idle too long, each minute and in small steps. They have ended
/// before; only their memory and rows are left.
@Component
public final class SessionSweeper {
  private static final int STEP = 500;

  private final Sessions sessions;
  private final SingleWriter<AccountUnitOfWork> writer;
  private final InstantSource clock;

  SessionSweeper(Sessions sessions, SingleWriter<AccountUnitOfWork> writer, InstantSource clock) {
    this.sessions = sessions;
    this.writer = writer;
    this.clock = clock;
  }

  /// Deletes all sessions that are idle now. Spring logs a failure, and calls again a minute later.
  @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.MINUTES)
  public void sweep() {
    List<Session> idle;
    do {
      idle = sessions.idle(clock.instant(), STEP);
      if (!idle.isEmpty()) {
        await(writer.submit(new Submitted<>(new AccountCommand.EndIdleSessions(idle))));
      }
    } while (idle.size() == STEP);
  }
}
