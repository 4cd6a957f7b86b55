package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.request.BrowserRequest;
import toystore.platform.error.ErrorReason;

/// Errors as answers. Store paths use the envelope `{"error": {"code", "message", "reason"}}`.
/// Paths under `/api` use RFC 9457 problem details, and so do requests whose `Accept` header
/// contains that type and does not prefer plain JSON.
public final class ErrorFormat {
  static final String REPLAYED = "Idempotency-Replayed";

  private static final MediaType PROBLEM = MediaType.APPLICATION_PROBLEM_JSON;

  private ErrorFormat() {}

  private record Envelope(ErrorBody error) {}

  private record ErrorBody(int code, String message, ErrorReason reason) {}

  private record Problem(
      String type, String title, int status, String detail, ErrorReason reason) {}

  /// A request that Tomcat refused has no decoded path, and none at all if its first line is
  /// malformed.
  static boolean isUnderApi(HttpServletRequest request) {
    @Nullable String decoded = request.getServletPath();
    @Nullable String path =
        decoded == null || decoded.isEmpty() ? request.getRequestURI() : decoded;
    return path != null && (path.equals("/api") || path.startsWith("/api/"));
  }

  private static boolean isProblem(HttpServletRequest request) {
    @Nullable String accept = request.getHeader(HttpHeaders.ACCEPT);
    if (isUnderApi(request) || accept == null || !accept.contains(PROBLEM.getSubtype())) {
      return isUnderApi(request);
    }
    List<MediaType> accepted = BrowserRequest.accepted(request);
    double quality = BrowserRequest.quality(accepted, PROBLEM);
    return quality > 0 && quality >= BrowserRequest.quality(accepted, MediaType.APPLICATION_JSON);
  }

  /// Whether the error is shown as a page: the client prefers HTML, and the path is not under
  /// `/api`.
  static boolean isPage(HttpServletRequest request) {
    return !isProblem(request) && BrowserRequest.wantsHtml(request);
  }

  /// Whether an answer is its view alone, without the envelope.
  static boolean isPlain(HttpServletRequest request) {
    return isUnderApi(request) || request.getServletPath().equals("/health");
  }

  /// Returns the page of an error; its template has the texts for people.
  static ModelAndView page(ApiException error) {
    return new ModelAndView(
        "message", Map.of("error", error), HttpStatusCode.valueOf(error.status()));
  }

  static void write(ApiException error, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean isProblem = isProblem(request);
    writeHeaders(error, response);
    response.setContentType((isProblem ? PROBLEM : MediaType.APPLICATION_JSON).toString());
    JsonBodyHandler.write(
        isProblem
            ? problem(error)
            : new Envelope(new ErrorBody(error.status(), error.message(), error.reason())),
        response);
  }

  public static void writeHeaders(ApiException error, HttpServletResponse response) {
    response.setStatus(error.status());
    switch (error.status()) {
      case 401 -> response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
      case 415 -> response.setHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
      case 429, 503 -> response.setHeader(HttpHeaders.RETRY_AFTER, error.retryAfter());
      default -> {}
    }
    if (error.isReplayed()) {
      response.setHeader(REPLAYED, "true");
    }
  }

  private static Problem problem(ApiException error) {
    HttpStatus status = HttpStatus.resolve(error.status());
    String title = status == null ? "" : status.getReasonPhrase();
    return new Problem("about:blank", title, error.status(), error.message(), error.reason());
  }
}
