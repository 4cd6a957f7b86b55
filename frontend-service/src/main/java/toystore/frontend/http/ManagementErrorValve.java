package toystore.frontend.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.tomcat.util.http.MimeHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/// What all requests of the management port share. Each path has one format, JSON, and is answered
/// in it whatever `Accept` says; metrics are text, or OpenMetrics if `Accept` names it. Errors are
/// JSON, those of Tomcat itself, too. A path with a semicolon does not exist: Spring would drop
/// what follows it as a matrix parameter. Browsers may not guess the type of an answer. Any thread.
final class ManagementErrorValve extends ErrorReportValve {
  private static final String METRICS = "/actuator/prometheus";
  private static final String OPEN_METRICS = "application/openmetrics-text";

  private record ManagementError(ErrorMessage error) {}

  private record ErrorMessage(int code, String message) {}

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    String path = String.valueOf(request.getRequestURI()); // null if the request line is malformed
    if (path.contains(";")) {
      response.sendError(HttpStatus.NOT_FOUND.value());
      response.setSuspended(false);
      report(request, response, null);
    } else {
      MimeHeaders headers = request.getCoyoteRequest().getMimeHeaders();
      String accept = headers.getHeader(HttpHeaders.ACCEPT);
      boolean openMetrics =
          path.startsWith(METRICS) && accept != null && accept.contains(OPEN_METRICS);
      headers
          .setValue(HttpHeaders.ACCEPT)
          .setString(openMetrics ? OPEN_METRICS : MediaType.ALL_VALUE);
      super.invoke(request, response);
    }
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    try {
      response.setContentType(MediaType.APPLICATION_JSON_VALUE);
      response
          .getOutputStream()
          .write(
              JsonMapper.shared()
                  .writeValueAsBytes(
                      new ManagementError(new ErrorMessage(status, message(response)))));
      response.finishResponse();
    } catch (IOException closed) {
      container.getLogger().debug("the client closed the connection before its answer", closed);
    }
  }

  /// Other messages are texts of Spring or Tomcat.
  private static String message(Response response) {
    HttpStatus status = HttpStatus.resolve(response.getStatus());
    if (status == HttpStatus.MISDIRECTED_REQUEST) {
      return response.getMessage();
    }
    return status == null ? "refused" : status.getReasonPhrase().toLowerCase(Locale.ROOT);
  }
}
