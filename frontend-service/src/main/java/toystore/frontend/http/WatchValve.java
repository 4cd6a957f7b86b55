package toystore.frontend.http;

import io.grpc.Context;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Collections;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;
import toystore.service.watch.Timings;
import toystore.service.watch.Trail;
import toystore.service.watch.Tracing;

/// Stands before the [EdgeValve] and watches each request, also those that Tomcat refuses by
/// itself. One that is traced answers with its `traceparent`; one that prefers `server-timing` (a
/// preference as in RFC 7240) answers with the times of its parts. Any thread.
final class WatchValve extends ValveBase {
  private static final String PARENT = "traceparent";
  private static final String TIMED = "server-timing";

  /// An answer up to this size bears its times: they stand in its head and are known at its end.
  private static final int TIMED_BYTES = 64 << 10;

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
            prefersTiming(request),
            began);
    try {
      if (trail == null) {
        getNext().invoke(request, response);
      } else {
        invoke(request, response, trail, began);
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

  private void invoke(Request request, Response response, Trail trail, long began)
      throws IOException, ServletException {
    if (trail.span().getSpanContext().isValid()) {
      response.setHeader(PARENT, parent(trail.span().getSpanContext()));
    }
    if (trail.timings() != null) {
      response.setBufferSize(TIMED_BYTES);
    }
    Context here = trail.context();
    Context before = here.attach();
    try {
      getNext().invoke(request, response);
    } finally {
      here.detach(before);
    }
    tell(trail.timings(), response, began);
  }

  private static void tell(@Nullable Timings timings, Response response, long began) {
    if (timings != null && !response.isCommitted()) {
      response.setHeader("Preference-Applied", TIMED);
      response.setHeader(
          "Server-Timing", timings.within("frontend", System.nanoTime() - began));
    }
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

  /// `Prefer: a, server-timing; b` prefers it, too.
  private static boolean prefersTiming(Request request) {
    if (request.getHeader("Prefer") == null) {
      return false;
    }
    for (String header : Collections.list(request.getHeaders("Prefer"))) {
      for (String preference : header.split(",")) {
        if (preference.split(";")[0].strip().toLowerCase(Locale.ROOT).equals(TIMED)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String parent(SpanContext span) {
    return "00-%s-%s-%s"
        .formatted(span.getTraceId(), span.getSpanId(), span.getTraceFlags().asHex());
  }
}
