package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;

/// An HTTP error with its status and message. It has no stack trace, because it is an expected
/// answer and can occur thousands of times per second.
public final class ApiError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String message;
  private final boolean replayed;

  private ApiError(int status, String message, boolean replayed) {
    super(message, null, false, false);
    this.status = status;
    this.message = message;
    this.replayed = replayed;
  }

  public static ApiError of(int status, String message) {
    return new ApiError(status, message, false);
  }

  public static ApiError badRequest(String message) {
    return of(400, message);
  }

  public static ApiError notFound(String what) {
    return of(404, what + " not found");
  }

  /// Returns a copy that is marked as a stored answer, or not.
  public ApiError replayed(boolean replayed) {
    return new ApiError(status, message, replayed);
  }

  public int status() {
    return status;
  }

  public boolean isNotFound() {
    return status == 404;
  }

  JsonResponse toResponse(HttpServletRequest request) {
    return JsonResponse.error(request, status, message).replayed(replayed);
  }
}
