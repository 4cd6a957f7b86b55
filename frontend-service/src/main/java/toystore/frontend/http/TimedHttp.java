package toystore.frontend.http;

import java.time.Duration;
import org.apache.catalina.connector.Request;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;

/// Tomcat's HTTP/1.1, where a request can say how long its next read may take. Tomcat bounds each
/// read alone, by one setting for all; a bound on a whole body needs what is left of it.
///
/// Public because Tomcat makes it by its name.
public final class TimedHttp extends Http11NioProtocol {
  private static final String ATTRIBUTE = TimedHttp.class.getName();

  /// Where the connection's processor keeps its own in Tomcat's request, which it uses again.
  private static final int NOTE = 17;

  /// Bounds a connection's next read. Tomcat sets its own bound again with the next request.
  @FunctionalInterface
  interface ReadBound {
    void set(Duration bound);
  }

  /// Makes the bound reachable from the servlet's request.
  static void offer(Request request) {
    request.setAttribute(ATTRIBUTE, request.getCoyoteRequest().getNote(NOTE));
  }

  static ReadBound of(jakarta.servlet.ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof ReadBound bound) {
      return bound;
    }
    throw new IllegalStateException("the connector's protocol is not " + TimedHttp.class.getName());
  }

  @Override
  protected Processor createProcessor() {
    return new TimedProcessor(this, getAdapter());
  }

  private static final class TimedProcessor extends Http11Processor {
    TimedProcessor(TimedHttp http, Adapter adapter) {
      super(http, adapter);
      request.setNote(
          NOTE,
          (ReadBound) bound -> getSocketWrapper().setReadTimeout(Math.max(1, bound.toMillis())));
    }
  }
}
