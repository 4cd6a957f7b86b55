package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;

/// A request that is not done, and what its answer says. It has no stack trace: it is an answer,
/// not a bug, and some are given in thousands a second.
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

  /// The same as the stored answer for a known key, or not.
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
