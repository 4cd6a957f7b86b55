package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;

/// An HTTP error with its status, reason and message. It has no stack trace, because it is an
/// expected answer and can occur thousands of times per second.
public final class ApiError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final ApiErrorReason reason;
  private final String message;
  private final boolean replayed;

  private ApiError(int status, ApiErrorReason reason, String message, boolean replayed) {
    super(message, null, false, false);
    this.status = status;
    this.reason = reason;
    this.message = message;
    this.replayed = replayed;
  }

  /// Returns an error with the default reason of the status.
  public static ApiError of(int status, String message) {
    return new ApiError(status, ApiErrorReason.of(status), message, false);
  }

  public static ApiError of(ApiErrorReason reason, String message) {
    return new ApiError(reason.status(), reason, message, false);
  }

  /// Returns the error of a service.
  static ApiError of(RpcError error) {
    ErrorReason reason = error.reason();
    return new ApiError(
        reason.httpStatus(), ApiErrorReason.of(reason), error.message(), error.replayed());
  }

  public static ApiError badRequest(String message) {
    return of(400, message);
  }

  public static ApiError productNotFound() {
    return of(ApiErrorReason.PRODUCT_NOT_FOUND, "product not found");
  }

  String message() {
    return message;
  }

  public int status() {
    return status;
  }

  ApiErrorReason reason() {
    return reason;
  }

  public boolean isNotFound() {
    return status == 404;
  }

  JsonResponse toResponse(HttpServletRequest request) {
    return JsonResponse.error(request, this).replayed(replayed);
  }
}
