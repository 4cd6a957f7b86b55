package toystore.frontend.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.stereotype.Component;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.request.BufferedRequest;
import toystore.platform.error.ErrorReason;

/// Reads the whole body of each request before the request is handled. Size and minimum rate are
/// limited; an administrator's import may be longer. If the body has not arrived completely, it is
/// read outside the limit of [RequestLimiter]. A body that stops arriving ends with the
/// connection's read timeout. Any thread.
///
/// A request with a `Content-Encoding` is refused, even `identity`, which a request should not name
/// (RFC 9110, 8.4.1).
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 40)
final class BodyFilter extends HttpFilter {
  static final String TOO_SLOW =
      "request body did not arrive in time; at least 100 bytes per second are required";

  private static final int MAX_BYTES = 65_536;
  private static final int MAX_IMPORT_BYTES = 2_097_152;
  private static final int MAX_APPLIED_BYTES = 16_777_216; // the same text and all differences
  private static final int MIN_BYTES_PER_SECOND = 100;
  private static final int INITIAL_BYTES = 1_024;
  private static final byte[] EMPTY = new byte[0];

  private static final Duration DRAIN_TIME = Duration.ofSeconds(5);

  private final RequestLimiter limiter;
  private final ApiExceptionHandler errors;
  private final RequestMatcher imports;
  private final long graceNanos;

  /// @param grace time after which a body must arrive at the minimum rate
  BodyFilter(
      RequestLimiter limiter,
      ApiExceptionHandler errors,
      RequestMatcher imports,
      @Value("${server.tomcat.connection-timeout}") Duration grace) {
    this.limiter = limiter;
    this.errors = errors;
    this.imports = imports;
    this.graceNanos = grace.toNanos();
  }

  static byte[] body(HttpServletRequest request) {
    return request.getAttribute(BodyFilter.class.getName()) instanceof byte[] body ? body : EMPTY;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    byte[] body;
    try {
      body = read(request);
      if (request.getHeader(HttpHeaders.CONTENT_ENCODING) != null) {
        throw ApiException.of(
            ErrorReason.CONTENT_ENCODING, "request must have no Content-Encoding");
      }
    } catch (ApiException refusal) {
      if (refusal.status() == HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE
          && request.getHeader(HttpHeaders.EXPECT) == null) {
        respondAndDrain(refusal, request, response);
      } else {
        errors.respond(refusal, request, response);
      }
      return;
    }
    request.setAttribute(BodyFilter.class.getName(), body);
    boolean hasBody = body.length > 0 || HttpMethod.POST.matches(request.getMethod());
    chain.doFilter(hasBody ? new BufferedRequest(request, body) : request, response);
  }

  private byte[] read(HttpServletRequest request) {
    long contentLength = request.getContentLengthLong();
    if (contentLength == 0
        || (contentLength < 0 && request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null)) {
      return EMPTY;
    }
    int limit = limit(request);
    if (contentLength > limit) {
      throw tooLarge(limit);
    }
    long start = System.nanoTime();
    try {
      InputStream in = request.getInputStream();
      boolean complete = contentLength > 0 && in.available() >= contentLength;
      return complete
          ? read(in, limit, start)
          : limiter.waitOutsideLimit(() -> read(in, limit, start));
    } catch (IOException e) {
      throw System.nanoTime() - start < graceNanos
          ? ApiException.badRequest("request body ended early: the connection failed")
          : tooSlow();
    }
  }

  private int limit(HttpServletRequest request) {
    if (!imports.matches(request)) {
      return MAX_BYTES;
    }
    return request.getServletPath().endsWith("/apply") ? MAX_APPLIED_BYTES : MAX_IMPORT_BYTES;
  }

  private byte[] read(InputStream in, int limit, long start) throws IOException {
    var bytes = new byte[INITIAL_BYTES];
    int size = 0;
    for (int count; (count = in.read(bytes, size, bytes.length - size)) >= 0; ) {
      size += count;
      if (size > limit) {
        throw tooLarge(limit);
      }
      if (isTooSlow(size, System.nanoTime() - start)) {
        throw tooSlow();
      }
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, 4 * size);
      }
    }
    return Arrays.copyOf(bytes, size);
  }

  private boolean isTooSlow(int size, long nanos) {
    return nanos > graceNanos
        && size < MIN_BYTES_PER_SECOND * Duration.ofNanos(nanos).toMillis() / 1_000;
  }

  /// Sends the error, then reads and discards the rest of the body for up to 5 s. Without this,
  /// closing the connection while the client still sends would reset it, and the client would lose
  /// the answer. The answer has no Content-Length and ends with the connection, because Tomcat
  /// finishes the request with the last byte of a known length.
  private void respondAndDrain(
      ApiException error, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    response.setHeader(HttpHeaders.CONNECTION, "close");
    errors.respond(
        error,
        request,
        new HttpServletResponseWrapper(response) {
          @Override
          public void setContentLength(int length) {
            // the end of the connection marks the end of the answer
          }
        });
    response.flushBuffer();
    InputStream in = request.getInputStream();
    limiter.waitOutsideLimit(() -> drain(in));
  }

  private static byte[] drain(InputStream in) throws IOException {
    long end = System.nanoTime() + DRAIN_TIME.toNanos();
    var buffer = new byte[8 * INITIAL_BYTES];
    while (in.read(buffer) >= 0 && System.nanoTime() < end) {
      // discard
    }
    return EMPTY;
  }

  private static ApiException tooSlow() {
    return ApiException.of(HttpServletResponse.SC_REQUEST_TIMEOUT, TOO_SLOW);
  }

  private static ApiException tooLarge(int limit) {
    return ApiException.of(
        HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
        "request body must be at most " + limit + " bytes");
  }
}
