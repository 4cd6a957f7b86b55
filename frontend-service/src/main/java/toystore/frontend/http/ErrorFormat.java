package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

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
      var problem =
          ProblemDetail.forStatusAndDetail(HttpStatusCode.valueOf(error.status()), error.message());
      problem.setType(URI.create("about:blank"));
      problem.setProperty("reason", error.reason());
      return problem;
    }
  };

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

  abstract Object body(ApiException error);

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

  private record ErrorBody(int code, String message, ApiErrorReason reason) {}
}
