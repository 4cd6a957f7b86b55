package toystore.platform.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.platform.error.ErrorReason;
import toystore.platform.error.ErrorReason.Outcome;

/// The error of a call. All errors are sent in this form: as details of a `google.rpc.Status` (see
/// `ErrorDetails` in common.proto).
///
/// @param reason for programs
/// @param message for people; must not be parsed. It may quote the caller's input, so a message
///   that is too long for the trailers is truncated
/// @param replayed whether this is the stored answer for a known idempotency key
/// @param retryDelay time after which the call may be repeated, sent as a `google.rpc.RetryInfo`;
///   null: not stated
public record RpcError(
    ErrorReason reason, String message, boolean replayed, @Nullable Duration retryDelay) {
  private static final Duration OVERLOADED_RETRY_DELAY = Duration.ofSeconds(1);

  private static final String DOMAIN = "toystore";
  private static final String REPLAYED = "replayed";
  private static final String OUTCOME = "outcome";

  /// The trailers hold the message twice and have at most 8 kB: percent-encoded, where one byte may
  /// take three, and in the details, where three bytes take four.
  private static final int MESSAGE_BYTES = 1_500;

  private static final Metadata.Key<Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin", ProtoUtils.metadataMarshaller(Status.getDefaultInstance()));

  public RpcError {
    message = truncated(message);
    if (retryDelay == null && reason == ErrorReason.OVERLOADED) {
      retryDelay = OVERLOADED_RETRY_DELAY;
    }
  }

  public RpcError(ErrorReason reason, String message, boolean replayed) {
    this(reason, message, replayed, null);
  }

  public RpcError(ErrorReason reason, String message) {
    this(reason, message, false, null);
  }

  public StatusRuntimeException toException() {
    return StatusProto.toStatusRuntimeException(toStatus(reason.code()));
  }

  /// Closes a call with this error before a handler sees it.
  public <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call) {
    var trailers = new Metadata();
    addTo(trailers, reason.code());
    call.close(reason.code().toStatus().withDescription(message), trailers);
    return new ServerCall.Listener<>() {};
  }

  /// Reads the error of a failed call. An error without one of our reasons comes from gRPC itself
  /// or is a bug.
  public static RpcError of(StatusRuntimeException error) {
    Status status = StatusProto.fromThrowable(error);
    ErrorInfo info = status == null ? null : detail(status, ErrorInfo.class);
    if (status != null && info != null) {
      return of(info, status);
    }
    return new RpcError(ErrorReason.INTERNAL_ERROR, String.valueOf(error.getMessage()));
  }

  /// The error to send to the original caller, without the marks that apply only to this call.
  static StatusRuntimeException forwarded(StatusRuntimeException error) {
    Metadata trailers = error.getTrailers();
    return trailers != null && hasDetails(trailers) && !OutcomeInterceptor.isUnanswered(trailers)
        ? error
        : of(error).toException();
  }

  /// Whether the peer has decided: a repeat with the same key gets the same answer.
  public boolean isDecided() {
    return reason.outcome() == Outcome.DECIDED;
  }

  static boolean hasDetails(Metadata trailers) {
    return trailers.containsKey(DETAILS);
  }

  /// Adds the details; the status code stays.
  void addTo(Metadata trailers, Code code) {
    trailers.put(DETAILS, toStatus(code));
  }

  private static RpcError of(ErrorInfo info, Status status) {
    ErrorReason reason =
        Stream.of(ErrorReason.values())
            .filter(it -> it.name().equals(info.getReason()))
            .findFirst()
            .orElse(ErrorReason.INTERNAL_ERROR);
    RetryInfo retry = detail(status, RetryInfo.class);
    return new RpcError(
        reason,
        status.getMessage(),
        info.containsMetadata(REPLAYED),
        retry == null ? null : Duration.ofMillis(Durations.toMillis(retry.getRetryDelay())));
  }

  private static <T extends Message> @Nullable T detail(Status status, Class<T> type) {
    for (Any detail : status.getDetailsList()) {
      if (detail.is(type)) {
        try {
          return detail.unpack(type);
        } catch (InvalidProtocolBufferException e) {
          throw new IllegalStateException("invalid detail of an error: " + type.getName(), e);
        }
      }
    }
    return null;
  }

  private static String truncated(String message) {
    int sure = MESSAGE_BYTES / 3; // a Java char takes at most three bytes
    return message.length() <= sure || message.getBytes(UTF_8).length <= MESSAGE_BYTES
        ? message
        : message.substring(0, wholeCharacters(message, sure)) + "…";
  }

  /// Returns a length of at most `length` that does not split a surrogate pair.
  private static int wholeCharacters(String text, int length) {
    return Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
  }

  private Status toStatus(Code code) {
    var info =
        ErrorInfo.newBuilder()
            .setDomain(DOMAIN)
            .setReason(reason.name())
            .putMetadata(OUTCOME, reason.outcome().name());
    if (replayed) {
      info.putMetadata(REPLAYED, "true");
    }
    var status =
        Status.newBuilder()
            .setCode(code.value())
            .setMessage(message)
            .addDetails(Any.pack(info.build()));
    if (retryDelay != null) {
      status.addDetails(
          Any.pack(
              RetryInfo.newBuilder()
                  .setRetryDelay(Durations.fromMillis(retryDelay.toMillis()))
                  .build()));
    }
    return status.build();
  }
}
