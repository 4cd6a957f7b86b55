package toystore.frontend.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// Tomcat's HTTP/1.1 with a bound on how long a request may take to arrive. Tomcat bounds each read
/// alone, by one setting for all, so that a byte a second may go on for hours. Here the whole head
/// has the time that Tomcat gives to one read (`server.tomcat.connection-timeout`), and a request
/// can say how long its next read may take, as a bound on a whole body needs it. And so many heads
/// may be there by half; the connection that brings one more is closed.
///
/// Public because Tomcat makes it by its name.
public final class TimedHttp extends Http11NioProtocol {
  private static final String ATTRIBUTE = TimedHttp.class.getName();

  /// Where the connection's processor keeps its own in Tomcat's request, which it uses again.
  private static final int NOTE = 17;

  /// Half a head takes 40 kB of memory until the rest has come.
  private static final int HALF_HEADS = 256;

  private final Semaphore halfHeads = new Semaphore(HALF_HEADS);

  /// Bounds a connection's next read. Tomcat sets its own bound again with the next request.
  interface ReadBound {
    void set(Duration bound);

    /// How many bytes are there already; the servlet's stream says no more than whether there are.
    int there();
  }

  /// Makes the bound reachable from the servlet's request.
  static void offer(org.apache.catalina.connector.Request request) {
    request.setAttribute(ATTRIBUTE, request.getCoyoteRequest().getNote(NOTE));
  }

  static ReadBound of(jakarta.servlet.ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof ReadBound bound) {
      return bound;
    }
    throw new IllegalStateException("the connector's protocol is not " + TimedHttp.class.getName());
  }

  /// Asked for by Tomcat between looking at an answer's status, which may end the connection, and
  /// writing it.
  @Override
  public @Nullable String getServer() {
    Door.isAboutToAnswer();
    return super.getServer();
  }

  @Override
  protected Processor createProcessor() {
    return new TimedProcessor(this, getAdapter());
  }

  /// Tomcat looks at an answer's status once more when it is written.
  private record Refusing(Adapter adapter) implements Adapter {
    @Override
    public void service(Request request, Response response) throws Exception {
      adapter.service(request, response);
      Door.hasAnswered();
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
      return adapter.prepare(request, response);
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event)
        throws Exception {
      return adapter.asyncDispatch(request, response, event);
    }

    @Override
    public void log(Request request, Response response, long time) {
      adapter.log(request, response, time);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
      adapter.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
      return adapter.getDomain();
    }
  }

  /// Serves one connection at a time, and many after each other.
  private final class TimedProcessor extends Http11Processor {
    private final Duration headTime;

    /// Whether half a head is there, and by when the rest must be.
    private boolean headBegan;

    private long headEnd;

    TimedProcessor(TimedHttp http, Adapter adapter) {
      super(http, new Refusing(adapter));
      headTime = Duration.ofMillis(http.getConnectionTimeout());
      request.setNote(
          NOTE,
          new ReadBound() {
            @Override
            public void set(Duration bound) {
              getSocketWrapper().setReadTimeout(Math.max(1, bound.toMillis()));
            }

            @Override
            public int there() {
              return available(false);
            }
          });
    }

    @Override
    public SocketState process(SocketWrapperBase<?> socket, SocketEvent event) throws IOException {
      boolean wentOn = headBegan;
      if (headBegan) {
        headBegan = false;
        halfHeads.release();
      }
      SocketState state = super.process(socket, event);
      return state == SocketState.LONG && !isAsync() ? awaitHead(socket, wentOn) : state;
    }

    private SocketState awaitHead(SocketWrapperBase<?> socket, boolean wentOn) {
      if (!wentOn) {
        headEnd = System.nanoTime() + headTime.toNanos();
      }
      Duration left = Duration.ofNanos(headEnd - System.nanoTime());
      if (left.toMillis() <= 0 || !halfHeads.tryAcquire()) {
        return SocketState.CLOSED;
      }
      headBegan = true;
      socket.setReadTimeout(left.toMillis());
      return SocketState.LONG;
    }
  }
}
