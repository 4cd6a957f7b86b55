package toystore.platform.service;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/// Formats errors of a management port as JSON, those of Tomcat itself, too. Browsers may not guess
/// the type of an answer. Any thread.
final class ManagementErrorValve extends ErrorReportValve {
  private record ManagementError(ErrorMessage error) {}

  private record ErrorMessage(int code, String message) {}

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    super.invoke(request, response);
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
