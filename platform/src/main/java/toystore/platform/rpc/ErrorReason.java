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

/// Why a call failed. All of it crosses the wire, so that callers need not know the name: a service
/// declares its own reasons, beside those here that any service may have. Reasons of one name are
/// equal.
///
/// @param name in capitals, such as `OUT_OF_STOCK`
/// @param code what gRPC says
/// @param httpStatus what HTTP says
/// @param outcome what became of the request
public record ErrorReason(String name, Code code, int httpStatus, Outcome outcome) {
  /// What a caller knows of its request.
  public enum Outcome {
    /// It was refused: a repeat with the same key is answered the same.
    DECIDED,
    /// It was surely not carried out; a repeat may be.
    NOT_DONE,
    /// It may have been carried out: to be repeated with the same key.
    UNKNOWN
  }

  /// A field is missing or out of range; the message names it.
  public static final ErrorReason INVALID = decided("INVALID", INVALID_ARGUMENT, 400);

  /// The key was used for a request that asked for something else.
  public static final ErrorReason KEY_REUSED = decided("KEY_REUSED", FAILED_PRECONDITION, 422);

  /// No token was shown.
  public static final ErrorReason NO_TOKEN = decided("NO_TOKEN", UNAUTHENTICATED, 401);

  /// Another's token was shown.
  public static final ErrorReason OTHER_TOKEN = decided("OTHER_TOKEN", PERMISSION_DENIED, 403);

  /// The queue is full; a `google.rpc.RetryInfo` says when to come again.
  public static final ErrorReason OVERLOADED = notDone("OVERLOADED", RESOURCE_EXHAUSTED, 503);

  /// The service cannot do it now: its disk is full, it is stopping, the service behind it is away.
  public static final ErrorReason NOT_DONE = notDone("NOT_DONE", UNAVAILABLE, 503);

  /// The command was reached past its `decide_by`, or cancelled.
  public static final ErrorReason TOO_LATE = notDone("TOO_LATE", DEADLINE_EXCEEDED, 504);

  /// Nobody knows what became of it.
  public static final ErrorReason OUTCOME_UNKNOWN =
      new ErrorReason("OUTCOME_UNKNOWN", ABORTED, 504, Outcome.UNKNOWN);

  /// A bug, or an error without a reason.
  public static final ErrorReason INTERNAL_ERROR =
      new ErrorReason("UNSPECIFIED", INTERNAL, 500, Outcome.UNKNOWN);

  /// A refusal.
  public static ErrorReason decided(String name, Code code, int httpStatus) {
    return new ErrorReason(name, code, httpStatus, Outcome.DECIDED);
  }

  /// A request that was not carried out, and may be later.
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
