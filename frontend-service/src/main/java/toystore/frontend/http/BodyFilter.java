package toystore.frontend.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import toystore.frontend.FrontendSettings;

/// Reads each request's body whole, bounded in bytes and in rate, before anything else is done for
/// the request. A body that has not arrived yet is waited for outside the [RequestLimiter]. One
/// that stops arriving ends by the connection's read timeout. Any thread.
@Component
final class BodyFilter extends OncePerRequestFilter {
  static final String TOO_SLOW = "request body did not arrive in time";

  private static final int MAX_BYTES = 65_536;
  private static final int MIN_BYTES_PER_SECOND = 100;
  private static final int INITIAL_BYTES = 1_024;
  private static final byte[] EMPTY = new byte[0];

  private static final Duration DRAIN_TIME = Duration.ofSeconds(5);

  private final RequestLimiter limiter;
  private final long graceNanos;

  BodyFilter(RequestLimiter limiter, FrontendSettings settings) {
    this.limiter = limiter;
    this.graceNanos = settings.bodyTime().toNanos();
  }

  /// The request's body.
  static byte[] body(HttpServletRequest request) {
    return request.getAttribute(BodyFilter.class.getName()) instanceof byte[] body ? body : EMPTY;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      request.setAttribute(BodyFilter.class.getName(), read(request));
    } catch (ApiError refusal) {
      if (refusal.status() == HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE
          && request.getHeader(HttpHeaders.EXPECT) == null) {
        respondAndDrain(refusal.toResponse(request), request, response);
      } else {
        refusal.toResponse(request).writeTo(response);
      }
      return;
    }
    chain.doFilter(request, response);
  }

  private byte[] read(HttpServletRequest request) {
    long contentLength = request.getContentLengthLong();
    if (contentLength == 0
        || (contentLength < 0 && request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null)) {
      return EMPTY;
    }
    if (contentLength > MAX_BYTES) {
      throw tooLarge();
    }
    long start = System.nanoTime();
    try {
      InputStream in = request.getInputStream();
      boolean complete = contentLength > 0 && in.available() >= contentLength;
      return complete ? read(in, start) : limiter.readOutsideLimit(() -> read(in, start));
    } catch (IOException e) {
      throw System.nanoTime() - start < graceNanos
          ? ApiError.badRequest("request body ended early: the connection failed")
          : tooSlow();
    }
  }

  private byte[] read(InputStream in, long start) throws IOException {
    var bytes = new byte[INITIAL_BYTES];
    int size = 0;
    for (int count; (count = in.read(bytes, size, bytes.length - size)) >= 0; ) {
      size += count;
      if (size > MAX_BYTES) {
        throw tooLarge();
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

  /// Answers, then reads and drops the rest for a while: a connection closed while its client still
  /// sends would be reset, and the client would lose the answer. The answer ends with the
  /// connection, because Tomcat closes the request with the last byte of a known length.
  private void respondAndDrain(
      JsonResponse error, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader(HttpHeaders.CONNECTION, "close");
    error.writeTo(
        new HttpServletResponseWrapper(response) {
          @Override
          public void setContentLength(int length) {
            // the end of the connection tells
          }
        });
    response.flushBuffer();
    InputStream in = request.getInputStream();
    limiter.readOutsideLimit(() -> drain(in));
  }

  private static byte[] drain(InputStream in) throws IOException {
    long end = System.nanoTime() + DRAIN_TIME.toNanos();
    var buffer = new byte[8 * INITIAL_BYTES];
    while (in.read(buffer) >= 0 && System.nanoTime() < end) {
      // until it ends
    }
    return EMPTY;
  }

  private static ApiError tooSlow() {
    return ApiError.of(HttpServletResponse.SC_REQUEST_TIMEOUT, TOO_SLOW);
  }

  private static ApiError tooLarge() {
    return ApiError.of(
        HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
        "request body must be at most " + MAX_BYTES + " bytes");
  }
}
