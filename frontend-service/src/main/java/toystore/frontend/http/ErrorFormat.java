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
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.ModelAndView;

/// The format of errors. Store paths use the envelope. Paths under `/api` use RFC 9457 problem
/// details, and so do requests whose `Accept` header contains that type and does not prefer plain
/// JSON.
enum ErrorFormat {
  /// `{"error": {"code", "message", "reason"}}`
  ENVELOPE(MediaType.APPLICATION_JSON) {
    @Override
    Object body(ApiException error) {
      return new Envelope(new ErrorBody(error.status(), error.message(), error.reason()));
    }
  },
  /// `{"type", "title", "status", "detail", "reason"}`
  PROBLEM(MediaType.APPLICATION_PROBLEM_JSON) {
    @Override
    Object body(ApiException error) {
      HttpStatus status = HttpStatus.resolve(error.status());
      return new Problem(
          "about:blank",
          status == null ? "" : status.getReasonPhrase(),
          error.status(),
          error.message(),
          error.reason());
    }
  };

  static final String REPLAYED = "Idempotency-Replayed";

  private final MediaType type;

  ErrorFormat(MediaType type) {
    this.type = type;
  }

  static ErrorFormat of(HttpServletRequest request) {
    return isUnderApi(request) || prefersProblem(request) ? PROBLEM : ENVELOPE;
  }

  /// A request that Tomcat refused has no decoded path, and none at all if its first line is
  /// malformed.
  static boolean isUnderApi(HttpServletRequest request) {
    @Nullable String decoded = request.getServletPath();
    @Nullable String path =
        decoded == null || decoded.isEmpty() ? request.getRequestURI() : decoded;
    return path != null && (path.equals("/api") || path.startsWith("/api/"));
  }

  /// Whether the error is shown as a page: the client prefers HTML, and the path is not under
  /// `/api`.
  static boolean isPage(HttpServletRequest request) {
    return of(request) == ENVELOPE && BrowserRequest.wantsHtml(request);
  }

  /// Whether an answer is its view alone, without the envelope.
  static boolean isPlain(HttpServletRequest request) {
    return isUnderApi(request) || request.getServletPath().equals("/health");
  }

  abstract Object body(ApiException error);

  /// Returns the answer in the format that the request prefers.
  static ResponseEntity<Object> response(ApiException error, HttpServletRequest request) {
    ErrorFormat format = of(request);
    var answer = ResponseEntity.status(error.status()).contentType(format.type);
    switch (error.status()) {
      case 401 -> answer.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
      case 415 -> answer.header(HttpHeaders.ACCEPT_ENCODING, "identity");
      case 429, 503 -> answer.header(HttpHeaders.RETRY_AFTER, error.retryAfter());
      default -> {}
    }
    if (error.isReplayed()) {
      answer.header(REPLAYED, "true");
    }
    return answer.body(format.body(error));
  }

  /// Returns the page of an error; its template has the texts for people.
  static ModelAndView page(ApiException error) {
    return new ModelAndView(
        "message", Map.of("error", error), HttpStatusCode.valueOf(error.status()));
  }

  /// Writes the answer.
  static void write(ApiException error, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ResponseEntity<Object> answer = response(error, request);
    response.setStatus(error.status());
    writeHeaders(answer, response);
    JsonBodyHandler.write(answer.getBody(), response);
  }

  static void writeHeaders(ResponseEntity<Object> answer, HttpServletResponse response) {
    answer.getHeaders().forEach((name, values) -> response.setHeader(name, values.getFirst()));
  }

  private static boolean prefersProblem(HttpServletRequest request) {
    @Nullable String accept = request.getHeader("Accept");
    if (accept == null || !accept.contains(PROBLEM.type.getSubtype())) {
      return false;
    }
    List<MediaType> accepted = BrowserRequest.accepted(request);
    double quality = BrowserRequest.quality(accepted, PROBLEM.type);
    return quality > 0 && quality >= BrowserRequest.quality(accepted, ENVELOPE.type);
  }

  private record Envelope(ErrorBody error) {}

  private record Problem(
      String type, String title, int status, String detail, ApiErrorReason reason) {}

  private record ErrorBody(int code, String message, ApiErrorReason reason) {}
}
