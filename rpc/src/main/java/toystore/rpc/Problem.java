package toystore.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.Durations;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Metadata;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import toystore.common.v1.ErrorReason;

/// What went wrong with a call: the one form in which errors cross the wire, as the details of a
/// `google.rpc.Status` (see `ErrorReason` in common.proto, which names the gRPC code of each).
///
/// @param reason what to decide by
/// @param message what to show; never parsed. One that is too long for a call's trailers is cut
///   off: it may quote what a caller sent
/// @param replayed whether this is the stored answer for a known idempotency key
public record Problem(ErrorReason reason, String message, boolean replayed) {
  private static final String DOMAIN = "toystore";
  private static final String PREFIX = "ERROR_REASON_";
  private static final String REPLAYED = "replayed";

  /// A message goes twice into the trailers, which are 8 kB at most: percent-encoded, where a byte
  /// may become three, and in the details, where three become four.
  private static final int MESSAGE_BYTES = 1_500;

  private static final Metadata.Key<Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin", ProtoUtils.metadataMarshaller(Status.getDefaultInstance()));

  public Problem {
    message = bounded(message);
  }

  public Problem(ErrorReason reason, String message) {
    this(reason, message, false);
  }

  public StatusRuntimeException toException() {
    return StatusProto.toStatusRuntimeException(toStatus(code()));
  }

  /// What a failed call says. An error without a reason of ours came from gRPC itself or is a bug.
  public static Problem of(StatusRuntimeException error) {
    Status status = StatusProto.fromThrowable(error);
    if (status != null) {
      for (Any detail : status.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          return of(unpack(detail), status.getMessage());
        }
      }
    }
    return new Problem(ErrorReason.ERROR_REASON_UNSPECIFIED, String.valueOf(error.getMessage()));
  }

  /// A failed call as it may be told to whoever asked for it: what was noted of this call alone is
  /// left out.
  static StatusRuntimeException passedOn(StatusRuntimeException error) {
    Metadata trailers = error.getTrailers();
    return trailers != null && isTyped(trailers) && !Calls.isUnanswered(trailers)
        ? error
        : of(error).toException();
  }

  /// Whether the peer has decided: a repeat with the same key would be answered the same.
  public boolean isDecided() {
    return switch (reason) {
      case ERROR_REASON_INVALID,
          ERROR_REASON_PRODUCT_NOT_FOUND,
          ERROR_REASON_ORDER_NOT_FOUND,
          ERROR_REASON_OUT_OF_STOCK,
          ERROR_REASON_STOCK_LIMIT,
          ERROR_REASON_SUSPENDED,
          ERROR_REASON_NAME_TAKEN,
          ERROR_REASON_KEY_REUSED ->
          true;
      case ERROR_REASON_OVERLOADED,
          ERROR_REASON_NOT_DONE,
          ERROR_REASON_OUTCOME_UNKNOWN,
          ERROR_REASON_TOO_LATE,
          ERROR_REASON_BOOK_MISMATCH,
          ERROR_REASON_UNSPECIFIED,
          UNRECOGNIZED ->
          false;
    };
  }

  /// Whether the error bears details already.
  static boolean isTyped(Metadata trailers) {
    return trailers.containsKey(DETAILS);
  }

  /// Adds the details to an error that keeps its code.
  void addTo(Metadata trailers, Code code) {
    trailers.put(DETAILS, toStatus(code));
  }

  private static Problem of(ErrorInfo info, String message) {
    boolean replayed = info.containsMetadata(REPLAYED);
    for (ErrorReason reason : ErrorReason.values()) {
      if (reason.name().equals(PREFIX + info.getReason())) {
        return new Problem(reason, message, replayed);
      }
    }
    return new Problem(ErrorReason.ERROR_REASON_UNSPECIFIED, message, replayed);
  }

  private static ErrorInfo unpack(Any detail) {
    try {
      return detail.unpack(ErrorInfo.class);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("an ErrorInfo that cannot be read", e);
    }
  }

  private static String bounded(String message) {
    int sure = MESSAGE_BYTES / 3; // no character of Java's takes more than three bytes
    return message.length() <= sure || message.getBytes(UTF_8).length <= MESSAGE_BYTES
        ? message
        : message.substring(0, whole(message, sure)) + "…";
  }

  /// At most `length`, and no half of a character.
  private static int whole(String text, int length) {
    return Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
  }

  private Status toStatus(Code code) {
    var info =
        ErrorInfo.newBuilder()
            .setDomain(DOMAIN)
            .setReason(reason.name().substring(PREFIX.length()));
    if (replayed) {
      info.putMetadata(REPLAYED, "true");
    }
    var status =
        Status.newBuilder()
            .setCode(code.value())
            .setMessage(message)
            .addDetails(Any.pack(info.build()));
    if (reason == ErrorReason.ERROR_REASON_OVERLOADED) {
      status.addDetails(
          Any.pack(RetryInfo.newBuilder().setRetryDelay(Durations.fromSeconds(1)).build()));
    }
    return status.build();
  }

  private Code code() {
    return switch (reason) {
      case ERROR_REASON_INVALID -> Code.INVALID_ARGUMENT;
      case ERROR_REASON_PRODUCT_NOT_FOUND, ERROR_REASON_ORDER_NOT_FOUND -> Code.NOT_FOUND;
      case ERROR_REASON_OUT_OF_STOCK,
          ERROR_REASON_STOCK_LIMIT,
          ERROR_REASON_SUSPENDED,
          ERROR_REASON_KEY_REUSED,
          ERROR_REASON_BOOK_MISMATCH ->
          Code.FAILED_PRECONDITION;
      case ERROR_REASON_NAME_TAKEN -> Code.ALREADY_EXISTS;
      case ERROR_REASON_OVERLOADED -> Code.RESOURCE_EXHAUSTED;
      case ERROR_REASON_NOT_DONE -> Code.UNAVAILABLE;
      case ERROR_REASON_OUTCOME_UNKNOWN -> Code.ABORTED;
      case ERROR_REASON_TOO_LATE -> Code.DEADLINE_EXCEEDED;
      case ERROR_REASON_UNSPECIFIED, UNRECOGNIZED -> Code.INTERNAL;
    };
  }
}
