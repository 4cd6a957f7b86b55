package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/// The format of errors. Store paths use the envelope. Paths under `/api` use RFC 9457 problem
/// details, and so do requests whose `Accept` header contains that type and does not prefer plain
/// JSON.
enum ErrorFormat {
  /// `{"error": {"code", "message"}}`
  ENVELOPE(MediaType.APPLICATION_JSON) {
    @Override
    Object body(int status, String message) {
      return new Envelope(new ErrorBody(status, message));
    }
  },
  /// `{"type", "title", "status", "detail"}`
  PROBLEM(MediaType.APPLICATION_PROBLEM_JSON) {
    @Override
    Object body(int status, String message) {
      HttpStatus standard = HttpStatus.resolve(status);
      String title = standard == null ? "Error" : standard.getReasonPhrase();
      return new Problem("about:blank", title, status, message);
    }
  };

  private final MediaType type;

  ErrorFormat(MediaType type) {
    this.type = type;
  }

  static ErrorFormat of(HttpServletRequest request) {
    String path = request.getRequestURI();
    boolean underApi = path != null && (path.equals("/api") || path.startsWith("/api/"));
    return underApi || prefersProblem(request) ? PROBLEM : ENVELOPE;
  }

  /// Whether the error is shown as a page: the client prefers HTML, and the path is not under
  /// `/api`.
  static boolean isPage(HttpServletRequest request) {
    return of(request) == ENVELOPE && BrowserRequest.wantsHtml(request);
  }

  abstract Object body(int status, String message);

  String mediaType() {
    return type.toString();
  }

  private static boolean prefersProblem(HttpServletRequest request) {
    @Nullable String accept = request.getHeader("Accept");
    if (accept == null || !accept.contains(PROBLEM.type.getSubtype())) {
      return false;
    }
    try {
      List<MediaType> accepted =
          MediaType.parseMediaTypes(Collections.list(request.getHeaders("Accept")));
      double problemQuality = quality(accepted, PROBLEM.type);
      return problemQuality > 0 && problemQuality >= quality(accepted, ENVELOPE.type);
    } catch (InvalidMediaTypeException | IndexOutOfBoundsException e) {
      return false; // Spring throws the second for some unbalanced quotes
    }
  }

  private static double quality(List<MediaType> accepted, MediaType type) {
    return accepted.stream()
        .filter(type::equalsTypeAndSubtype)
        .mapToDouble(MediaType::getQualityValue)
        .max()
        .orElse(0);
  }

  private record Envelope(ErrorBody error) {}

  private record ErrorBody(int code, String message) {}

  private record Problem(String type, String title, int status, String detail) {}
}
