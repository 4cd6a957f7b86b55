package toystore.frontend.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import toystore.frontend.FrontendSettings;

/// The end of a frontend that is asked to stop: readiness has fallen, what was accepted is
/// finished, and the rest is refused with 503 and its connection closed, so that clients go
/// elsewhere. Only then does the port close. Any thread.
@Component
final class Drain implements SmartLifecycle {
  /// Tomcat then waits as well; both together stay below the 10 s that a stop may take.
  private static final Duration LONGEST = Duration.ofSeconds(8);

  private static final long LOOK_EVERY_NANOS = Duration.ofMillis(5).toNanos();

  private final Duration shortest;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean running;
  private volatile boolean stopping;

  Drain(FrontendSettings settings) {
    this.shortest = settings.drainTime();
  }

  /// Where requests pass.
  Valve valve() {
    return new ValveBase(true) {
      @Override
      public void invoke(Request request, Response response) throws IOException, ServletException {
        underWay.incrementAndGet();
        try {
          if (stopping) {
            refuse(response);
          } else {
            getNext().invoke(request, response);
          }
        } finally {
          underWay.decrementAndGet();
        }
      }
    };
  }

  private static void refuse(Response response) throws IOException {
    response.setHeader(HttpHeaders.CONNECTION, "close");
    Answer.error(503, "the store is stopping, nothing was done: try again").writeTo(response);
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    stopping = true;
    running = false;
    long begin = System.nanoTime();
    long past = 0;
    while (past < shortest.toNanos() || (underWay.get() > 0 && past < LONGEST.toNanos())) {
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
      past = System.nanoTime() - begin;
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /// Before everything else is stopped, after everything else is started.
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
