package toystore.frontend.http;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Ends the connections of clients before the server stops, so that no request is reset. The
/// frontend is not ready already. Its port is closed first, so that no connection is added. From
/// then on, Tomcat adds `Connection: close` to each response and closes the connection after it.
/// The drain ends when no request has come for some time: the other connections are idle, or their
/// requests take long, for which Spring Boot's graceful shutdown waits afterwards.
@Component
final class ConnectionDrain implements SmartLifecycle {
  private static final Duration IDLE = Duration.ofMillis(500);
  private static final Duration MAX_TIME = Duration.ofSeconds(3);
  private static final Duration POLL = Duration.ofMillis(5);

  private final RequestLimiter requests;
  private volatile @Nullable Runnable closePort;

  ConnectionDrain(RequestLimiter requests) {
    this.requests = requests;
  }

  /// Called once, before the web server starts.
  ///
  /// @param closing closes the port and lets each connection end with its next response
  void beginsBy(Runnable closing) {
    closePort = closing;
  }

  @Override
  public void start() {
    // the web server opens the port
  }

  @Override
  public void stop() {
    Runnable closing = closePort;
    closePort = null;
    if (closing != null) {
      closing.run();
      long end = System.nanoTime() + MAX_TIME.toNanos();
      while (requests.idleTime().compareTo(IDLE) < 0 && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  @Override
  public boolean isRunning() {
    return closePort != null;
  }

  /// After the feeds have ended; before the management port and the web server stop.
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 256;
  }
}
