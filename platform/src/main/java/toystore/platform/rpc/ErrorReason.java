package toystore.platform.rpc;

import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.DEADLINE_EXCEEDED;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INTERNAL;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.PERMISSION_DENIED;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;
import static io.grpc.Status.Code.UNAVAILABLE;

import io.grpc.Status.Code;
import org.jspecify.annotations.Nullable;

/// Why a call failed. All components are sent with the error, so callers need not know the name.
/// Each service declares its own reasons; the ones here may come from any service. Reasons with the
/// same name are equal.
///
/// @param name in capitals, such as `OUT_OF_STOCK`
/// @param code gRPC status code
/// @param httpStatus HTTP status
/// @param outcome what happened to the request
public record ErrorReason(String name, Code code, int httpStatus, Outcome outcome) {
  /// What the caller knows about its request.
  public enum Outcome {
    /// Refused: a repeat with the same key gets the same answer.
    DECIDED,
    /// Certainly not carried out; may be repeated.
    NOT_DONE,
    /// Possibly carried out; must be repeated with the same key.
    UNKNOWN
  }

  /// A field is missing or out of range; the message names it.
  public static final ErrorReason INVALID = decided("INVALID", INVALID_ARGUMENT, 400);

  /// The key was already used for a different request.
  public static final ErrorReason KEY_REUSED = decided("KEY_REUSED", FAILED_PRECONDITION, 422);

  /// The call has no token.
  public static final ErrorReason NO_TOKEN = decided("NO_TOKEN", UNAUTHENTICATED, 401);

  /// The call has a different token.
  public static final ErrorReason OTHER_TOKEN = decided("OTHER_TOKEN", PERMISSION_DENIED, 403);

  /// A queue is full; a `google.rpc.RetryInfo` states when to retry.
  public static final ErrorReason OVERLOADED = notDone("OVERLOADED", RESOURCE_EXHAUSTED, 503);

  /// The service cannot process the request now: its disk is full, it is stopping, or its peer is
  /// unavailable.
  public static final ErrorReason NOT_DONE = notDone("NOT_DONE", UNAVAILABLE, 503);

  /// The store has no such service: its target is empty.
  public static final ErrorReason NOT_CONFIGURED =
      notDone("NOT_CONFIGURED", FAILED_PRECONDITION, 503);

  /// The command was not processed before its `decide_by`, or it was cancelled.
  public static final ErrorReason TOO_LATE = notDone("TOO_LATE", DEADLINE_EXCEEDED, 504);

  /// It is unknown whether the request was carried out.
  public static final ErrorReason OUTCOME_UNKNOWN =
      new ErrorReason("OUTCOME_UNKNOWN", ABORTED, 504, Outcome.UNKNOWN);

  /// A bug, or an error without a reason.
  public static final ErrorReason INTERNAL_ERROR =
      new ErrorReason("UNSPECIFIED", INTERNAL, 500, Outcome.UNKNOWN);

  /// Declares a reason for a refusal.
  public static ErrorReason decided(String name, Code code, int httpStatus) {
    return new ErrorReason(name, code, httpStatus, Outcome.DECIDED);
  }

  /// Declares a reason for a request that was not carried out and may be repeated.
  public static ErrorReason notDone(String name, Code code, int httpStatus) {
    return new ErrorReason(name, code, httpStatus, Outcome.NOT_DONE);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ErrorReason reason && reason.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
