package toystore.frontend.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.tomcat.util.http.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// Tomcat's error report in the store's format, for requests that Tomcat itself refuses (a bad
/// request line, a header too large). It also gives every answer to a POST its key, theirs
/// included. Any thread.
final class ErrorValve extends ErrorReportValve {
  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (Method.POST.equals(request.getMethod())) {
      setKeyHeader(request, response);
    }
    super.invoke(request, response);
  }

  private static void setKeyHeader(Request request, Response response) {
    IdempotencyKey key;
    try {
      key = IdempotencyKey.of(request);
      request.setAttribute(IdempotencyKey.HEADER, key);
    } catch (ApiError invalid) {
      // the controller's argument says so; the answer bears a key all the same
      key = IdempotencyKey.generate();
    }
    response.setHeader(IdempotencyKey.HEADER, key.value());
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    try {
      JsonResponse.error(request, status, message(status)).writeTo(response);
      response.finishResponse();
    } catch (IOException closed) {
      container.getLogger().debug("the client closed the connection before its answer", closed);
    }
  }

  private static String message(int status) {
    if (status == HttpStatus.REQUEST_TIMEOUT.value()) {
      return BodyFilter.TOO_SLOW;
    }
    HttpStatus standard = HttpStatus.resolve(status);
    return standard == null ? "refused" : standard.getReasonPhrase().toLowerCase(Locale.ROOT);
  }
}
