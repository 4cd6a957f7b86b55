package toystore.platform.service;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices that sessions end, by logout or because they were idle for too long. While sessions are
/// watched, it asks the account service about them once a second, which does not count as a use. If
/// the account service does not answer, sessions count as alive until it does. Any thread.
public final class SessionWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SessionWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final EndedSessionsClient sessions;
  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("session-watch").factory());

  /// Something that ends with its session.
  ///
  /// @param identity makes each different
  private record Watched(long sessionId, Runnable onEnd, Object identity) {}

  public SessionWatch(EndedSessionsClient sessions) {
    this.sessions = sessions;
    scheduler.scheduleWithFixedDelay(
        this::tryCheck, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Watches a session.
  ///
  /// @param onEnd called at most once, about a second after the end; must not block
  /// @return ends the watch
  public Runnable watch(long sessionId, Runnable onEnd) {
    var added = new Watched(sessionId, onEnd, new Object());
    watched.add(added);
    return () -> watched.remove(added);
  }

  private void tryCheck() {
    try {
      check();
    } catch (RuntimeException e) {
      log.debug("cannot ask for ended sessions, trying again: {}", e.getMessage());
    }
  }

  private void check() {
    List<Long> ids = watched.stream().map(Watched::sessionId).distinct().toList();
    var ended = new HashSet<Long>();
    for (int from = 0; from < ids.size(); from += EndedSessionsClient.MAX_SESSIONS) {
      int to = Math.min(ids.size(), from + EndedSessionsClient.MAX_SESSIONS);
      ended.addAll(sessions.findEnded(ids.subList(from, to)).toCompletableFuture().join());
    }
    for (Watched it : watched) {
      if (ended.contains(it.sessionId) && watched.remove(it)) {
        it.onEnd.run();
      }
    }
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }
}
