package toystore.service.watch;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.opentelemetry.api.trace.Span;

/// What spans say of gRPC calls, under the names of OpenTelemetry's semantic conventions.
final class CallSpans {
  private CallSpans() {}

  static void describe(Span span, MethodDescriptor<?, ?> method, Status status) {
    if (span.isRecording()) {
      span.setAttribute("rpc.system", "grpc");
      span.setAttribute("rpc.service", String.valueOf(method.getServiceName()));
      span.setAttribute("rpc.method", String.valueOf(method.getBareMethodName()));
      span.setAttribute("rpc.grpc.status_code", status.getCode().value());
    }
  }

  /// Whether an answer is a server's error; the others are what the caller has to expect.
  static boolean isOurFault(Status status) {
    return switch (status.getCode()) {
      case UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS -> true;
      case OK,
          CANCELLED,
          INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          RESOURCE_EXHAUSTED,
          FAILED_PRECONDITION,
          ABORTED,
          OUT_OF_RANGE,
          UNAUTHENTICATED ->
          false;
    };
  }
}
