package toystore.frontend.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.buf.ByteChunk;
import org.apache.tomcat.util.http.Method;
import org.apache.tomcat.util.http.MimeHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.request.HostCookie;
import toystore.platform.service.AllowedHosts;

/// Formats errors of Tomcat itself, such as a malformed request line or too large a header, in the
/// store's error format, and forbids browsers to guess the type of an answer. Tomcat's own
/// `ErrorReportValve` comes before it and closes the connection of an answer that breaks off.
///
/// At the port for customers it also adds the idempotency key to every answer to a POST, and finds
/// headers with bytes outside ASCII, which [RequestCheckFilter] refuses. Each path of the
/// management port has one format, JSON, whatever `Accept` says; metrics are text, or OpenMetrics
/// if `Accept` names it. A path with a semicolon does not exist there: Spring would drop what
/// follows it as a matrix parameter. Any thread.
final class ErrorValve extends ValveBase {
  /// The attribute of a request with the name of a header that is not ASCII.
  static final String NOT_ASCII = ErrorValve.class.getName() + ".notAscii";

  private static final String TOO_LARGE = "Request header is too large"; // Tomcat's message

  /// For a browser that sends more cookies than a request may have. It would send them with each
  /// request, so this page deletes the one that grows.
  private static final String TOO_LARGE_PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Request failed</title></head>
      <body>
      <h1>Request failed</h1>
      <p>Your browser sent more data with its request than the shop accepts: probably cookies of several
      shops on this host. Nothing was ordered or changed, but your basket was emptied.</p>
      <p><a href="">Open the page again</a>. If that fails, too, delete the cookies of this site.</p>
      </body>
      </html>
      """;

  private static final Pattern PORT = Pattern.compile(":(\\d{1,5})$");

  private static final String METRICS = "/actuator/prometheus";
  private static final String OPEN_METRICS = "application/openmetrics-text";

  private final boolean isManagement;
  private final AllowedHosts hosts;

  /// @param isManagement whether it is for the management port
  /// @param hosts requests for others are answered with 421
  ErrorValve(boolean isManagement, AllowedHosts hosts) {
    super(true); // for answers that are written later, as the feed's
    this.isManagement = isManagement;
    this.hosts = hosts;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    MimeHeaders headers = request.getCoyoteRequest().getMimeHeaders();
    String path = String.valueOf(request.getRequestURI()); // null if the request line is malformed
    if (isManagement) {
      setAccept(headers, path);
    } else {
      findOutsideAscii(headers).ifPresent(header -> request.setAttribute(NOT_ASCII, header));
      if (Method.POST.equals(request.getMethod())) {
        setKeyHeader(request, response);
      }
    }
    String host = request.getServerName();
    if (request.getHeader(HttpHeaders.HOST) != null && host != null && !hosts.accepts(host)) {
      response.sendError(HttpStatus.MISDIRECTED_REQUEST.value(), hosts.refusal(host));
    } else if (isManagement && path.contains(";")) {
      response.sendError(HttpStatus.NOT_FOUND.value());
    } else {
      getNext().invoke(request, response);
    }
    if (!response.isCommitted() && !(request.isAsync() && !request.isAsyncCompleting())) {
      report(request, response);
    }
  }

  private static void setAccept(MimeHeaders headers, String path) {
    String accept = headers.getHeader(HttpHeaders.ACCEPT);
    boolean openMetrics =
        path.startsWith(METRICS) && accept != null && accept.contains(OPEN_METRICS);
    headers
        .setValue(HttpHeaders.ACCEPT)
        .setString(openMetrics ? OPEN_METRICS : MediaType.ALL_VALUE);
  }

  /// Reads the bytes as they came: here no header is a string yet.
  private static Optional<String> findOutsideAscii(MimeHeaders headers) {
    for (int i = 0; i < headers.size(); i++) {
      ByteChunk value = headers.getValue(i).getByteChunk();
      byte[] bytes = value.getBytes();
      for (int at = value.getStart(); at < value.getEnd(); at++) {
        if (bytes[at] < 0) {
          return Optional.of(headers.getName(i).toString());
        }
      }
    }
    return Optional.empty();
  }

  private static void setKeyHeader(Request request, Response response) {
    IdempotencyKey key;
    try {
      key = IdempotencyKey.of(request);
      request.setAttribute(IdempotencyKey.HEADER, key);
    } catch (ApiException invalid) {
      // KeyArgumentResolver reports the invalid key; the answer has a generated key
      key = IdempotencyKey.generate();
    }
    response.setHeader(
        IdempotencyKey.HEADER,
        key.clientMade() ? request.getHeader(IdempotencyKey.HEADER) : key.value());
  }

  private static void report(Request request, Response response) throws IOException {
    var failure = (@Nullable Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    if (failure != null && !response.isError()) {
      response.reset();
      response.sendError(HttpStatus.INTERNAL_SERVER_ERROR.value());
    }
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    response.setSuspended(false);
    if (failure != null && TOO_LARGE.equals(failure.getMessage()) && ErrorFormat.isPage(request)) {
      writeTooLargePage(request, response);
    } else {
      ErrorFormat.write(ApiException.of(status, message(response)), request, response);
    }
    response.finishResponse();
  }

  private static void writeTooLargePage(Request request, Response response) throws IOException {
    setPort(request);
    for (String cookie : HostCookie.BASKET.deleteUnread(request)) {
      response.addHeader(HttpHeaders.SET_COOKIE, cookie);
    }
    response.setContentType("text/html;charset=UTF-8");
    response.setHeader("Content-Security-Policy", "default-src 'none'");
    response.getWriter().write(TOO_LARGE_PAGE);
  }

  /// Tomcat reads it after the last header.
  private static void setPort(Request request) {
    Matcher port = PORT.matcher(String.valueOf(request.getHeader(HttpHeaders.HOST)));
    request.getCoyoteRequest().setServerPort(port.find() ? Integer.parseInt(port.group(1)) : 80);
  }

  private static String message(Response response) {
    int status = response.getStatus();
    if (status == HttpStatus.MISDIRECTED_REQUEST.value()) {
      return response.getMessage();
    }
    if (status == HttpStatus.REQUEST_TIMEOUT.value()) {
      return BodyFilter.TOO_SLOW;
    }
    HttpStatus standard = HttpStatus.resolve(status);
    return standard == null ? "refused" : standard.getReasonPhrase().toLowerCase(Locale.ROOT);
  }
}
