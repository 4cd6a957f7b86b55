package toystore.frontend.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import toystore.frontend.FrontendSettings;

/// The shop's door: so many requests are in work at once, the rest wait outside in the order in
/// which they came. Outside, nothing of a request has been read, so it costs little more than its
/// connection. One that has waited too long is let in only to be refused.
///
/// ```
/// bytes came ──▶ waits outside ──▶ in work ──────────▶ answered
///                     │ too long     │  ▲ its body is there, and a place is free
///                     ▼              ▼  │
///                  refused        at the side (no place there: refused)
/// ```
///
/// At the side a request that waits for its client takes nobody's place in work.
///
/// This is the executor of Tomcat, which runs one event of one connection on it: the request, as a
/// rule. Any thread.
@Component
final class Door implements Executor {
  private static final ScopedValue<Visit> VISIT = ScopedValue.newInstance();

  /// A request at the side takes memory: 60 kB and what has come of its body.
  private static final int AT_THE_SIDE = 256;

  /// A refusal takes the processor alone; more at once would only take memory.
  private static final int REFUSALS = 8;

  /// What has been read is answered or refused within 100 ms.
  private static final Duration LONGEST_WAY_BACK = Duration.ofMillis(80);

  private static final String REFUSED = "the store has too much to do, nothing was done: try again";

  private final ThreadFactory threads = Thread.ofVirtual().name("tomcat-handler-", 0).factory();
  private final Semaphore inWork;
  private final Semaphore atTheSide = new Semaphore(AT_THE_SIDE);
  private final Semaphore refusals = new Semaphore(REFUSALS);
  private final Duration longestWait;

  Door(FrontendSettings settings) {
    this.inWork = new Semaphore(settings.inFlight(), true);
    this.longestWait = settings.waitTime();
  }

  @Override
  public void execute(Runnable event) {
    threads.newThread(() -> pass(event)).start();
  }

  private void pass(Runnable event) {
    var visit = new Visit(enter());
    try {
      ScopedValue.where(VISIT, visit).run(event);
    } finally {
      visit.place.release();
    }
  }

  private Semaphore enter() {
    if (isFree(longestWait)) {
      return inWork;
    }
    refusals.acquireUninterruptibly();
    return refusals;
  }

  private boolean isFree(Duration within) {
    try {
      return inWork.tryAcquire(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a request", e);
    }
  }

  /// Where requests are refused.
  Valve valve() {
    return new ValveBase(true) {
      @Override
      public void invoke(Request request, Response response) throws IOException, ServletException {
        if (VISIT.get().isRefused()) {
          refusal().answer().writeTo(VISIT.get().keepingConnection(response));
        } else {
          getNext().invoke(request, response);
        }
      }
    };
  }

  /// Tomcat is about to write this thread's answer, and has decided whether its connection goes on.
  static void isAboutToAnswer() {
    if (VISIT.isBound()) {
      VISIT.get().isAboutToAnswer();
    }
  }

  /// This thread's answer is written.
  static void hasAnswered() {
    VISIT.get().hasAnswered();
  }

  static ApiError refusal() {
    return ApiError.of(503, REFUSED);
  }

  /// This thread's request is to wait for its client, and lets the next go to work.
  ///
  /// @return whether there is a place at the side
  static boolean stepAside() {
    return VISIT.get().stepAside();
  }

  /// What it waited for is there.
  ///
  /// @return whether it may go on
  static boolean comeBack() {
    return VISIT.get().comeBack();
  }

  /// An event of a connection, and the place it has. One thread.
  private final class Visit {
    private Semaphore place;
    private org.apache.coyote.@Nullable Response refused;

    Visit(Semaphore place) {
      this.place = place;
    }

    boolean isRefused() {
      return place == refusals;
    }

    /// Tomcat ends the connection of whoever it answers 503: each refusal would cost a new one. It
    /// looks at the status before it writes and when all is done. Then the status is another, which
    /// says much the same; written is 503.
    HttpServletResponse keepingConnection(Response response) {
      refused = response.getCoyoteResponse();
      return new HttpServletResponseWrapper(response) {
        @Override
        public void setStatus(int status) {
          super.setStatus(HttpStatus.TOO_MANY_REQUESTS.value());
        }
      };
    }

    void isAboutToAnswer() {
      if (refused != null) {
        refused.setStatus(HttpStatus.SERVICE_UNAVAILABLE.value());
      }
    }

    void hasAnswered() {
      if (refused != null) {
        refused.setStatus(HttpStatus.TOO_MANY_REQUESTS.value());
        refused = null;
      }
    }

    boolean stepAside() {
      if (place == inWork && atTheSide.tryAcquire()) {
        inWork.release();
        place = atTheSide;
      }
      return place == atTheSide;
    }

    boolean comeBack() {
      if (place == atTheSide && isFree(LONGEST_WAY_BACK)) {
        atTheSide.release();
        place = inWork;
      }
      return place == inWork;
    }
  }
}
