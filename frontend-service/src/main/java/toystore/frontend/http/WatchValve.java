package toystore.frontend.http;

import io.grpc.Context;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import toystore.service.watch.Tracing;
import toystore.service.watch.Trail;

/// Stands before the [EdgeValve] and watches each request, also those that Tomcat refuses by
/// itself. One that is traced answers with its `traceparent`, one that asks for its times with
/// those ([ServerTiming]). Any thread.
final class WatchValve extends ValveBase {
  private static final String PARENT = "traceparent";

  private final HttpMeters meters;
  private final Tracing tracing;

  WatchValve(HttpMeters meters, Tracing tracing) {
    super(true);
    this.meters = meters;
    this.tracing = tracing;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    long began = System.nanoTime();
    meters.begin();
    Trail trail =
        tracing.begin(
            "HTTP",
            request.getHeader(PARENT),
            request.getHeader("tracestate"),
            ServerTiming.isPreferred(request),
            began);
    try {
      if (trail == null) {
        getNext().invoke(request, response);
      } else {
        invoke(request, response, trail);
      }
    } finally {
      long ended = System.nanoTime();
      String method = HttpMeters.method(request);
      String route = HttpMeters.route(request);
      meters.end(method, route, response.getStatus(), ended - began);
      if (trail != null) {
        end(trail, method, route, response.getStatus(), ended);
      }
    }
  }

  private void invoke(Request request, Response response, Trail trail)
      throws IOException, ServletException {
    if (trail.span().getSpanContext().isValid()) {
      response.setHeader(PARENT, parent(trail.span().getSpanContext()));
    }
    Context here = trail.context();
    Context before = here.attach();
    try {
      getNext().invoke(request, response);
    } finally {
      here.detach(before);
    }
    ServerTiming.tell(trail, response);
  }

  private static void end(Trail trail, String method, String route, int status, long ended) {
    Span span = trail.span();
    if (span.isRecording()) {
      span.updateName(method + " " + route);
      span.setAttribute("http.request.method", method);
      span.setAttribute("http.route", route);
      span.setAttribute("http.response.status_code", status);
      if (status >= 500) {
        span.setStatus(StatusCode.ERROR);
      }
    }
    trail.end(span, ended);
  }

  private static String parent(SpanContext span) {
    return "00-%s-%s-%s"
        .formatted(span.getTraceId(), span.getSpanId(), span.getTraceFlags().asHex());
  }
}
