package toystore.frontend.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.http.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// Sees each request first and last, also those that Tomcat refuses by itself (a bad request line,
/// a header too large): every answer to a POST bears a key, every error the envelope, and a body
/// that is announced too large is not read. Any thread.
final class EdgeValve extends ErrorReportValve {
  /// How long an answer waits for the rest of a body that nobody wants. A connection closed at once
  /// would be reset, and the client lose the answer while it still sends.
  private static final Duration LINGER = Duration.ofSeconds(5);

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (Method.POST.equals(request.getMethod())) {
      nameKey(request, response);
    }
    TimedHttp.offer(request);
    if (!response.isError() && request.getContentLengthLong() > Body.MAX_BYTES) {
      Body.tooLarge().answer().writeTo(response);
    } else {
      super.invoke(request, response);
    }
    boolean mayCome =
        response.getStatus() != HttpStatus.REQUEST_TIMEOUT.value()
            && !request.getCoyoteRequest().hasExpectation();
    if (mayCome && !Body.isRead(request)) {
      response.finishResponse();
      Body.discard(request, LINGER);
    }
  }

  private static void nameKey(Request request, Response response) {
    IdempotencyKey key;
    try {
      key = IdempotencyKey.of(request);
      request.setAttribute(IdempotencyKey.HEADER, key);
    } catch (ApiError unusable) {
      // the controller's argument says so; the answer bears a key all the same
      key = IdempotencyKey.fresh();
    }
    response.setHeader(IdempotencyKey.HEADER, key.value());
  }

  /// Writes what Tomcat refused. The conditions are those of Tomcat's own page.
  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    var writable = new AtomicBoolean();
    response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, writable);
    if (writable.get()) {
      try {
        Answer.error(status, message(status)).writeTo(response);
        response.finishResponse();
      } catch (IOException gone) {
        // the client is; there is nobody to tell
      }
    }
  }

  private static String message(int status) {
    if (status == HttpStatus.REQUEST_TIMEOUT.value()) {
      return Body.TOO_SLOW;
    }
    HttpStatus known = HttpStatus.resolve(status);
    return known == null ? "refused" : known.getReasonPhrase().toLowerCase(Locale.ROOT);
  }
}
