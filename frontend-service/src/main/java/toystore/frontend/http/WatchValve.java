package toystore.frontend.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/// Stands before the [EdgeValve] and watches each request, also those that Tomcat refuses by
/// itself. Any thread.
final class WatchValve extends ValveBase {
  private final HttpMeters meters;

  WatchValve(HttpMeters meters) {
    super(true);
    this.meters = meters;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    long began = System.nanoTime();
    meters.begin();
    try {
      getNext().invoke(request, response);
    } finally {
      meters.end(
          method(request.getMethod()),
          HttpMeters.route(request),
          response.getStatus(),
          System.nanoTime() - began);
    }
  }

  /// Tomcat has none for a request line it cannot read.
  private static String method(@Nullable String method) {
    return method == null ? "" : method;
  }
}
