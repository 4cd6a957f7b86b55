package toystore.platform.rpc;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import java.time.Instant;
import toystore.common.v1.IdempotencyKey;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.RequestKey;

/// Conversions between messages and domain that all services have.
public final class CommonMessages {
  private CommonMessages() {}

  /// @throws IllegalArgumentException with what was expected and what was received
  public static RequestKey key(IdempotencyKey key) {
    return new RequestKey(key.getScope(), key.getValue(), key.getClientMade());
  }

  public static IdempotencyKey toProto(RequestKey key) {
    return IdempotencyKey.newBuilder()
        .setScope(key.scope())
        .setValue(key.value())
        .setClientMade(key.clientMade())
        .build();
  }

  /// @throws IllegalArgumentException if it is out of range
  public static Instant decideBy(Timestamp time) {
    if (!Timestamps.isValid(time)) {
      throw new IllegalArgumentException("decide_by must be a valid timestamp, got " + time);
    }
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }

  public static Timestamp toProto(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  /// Returns the answer to a command that was carried out.
  ///
  /// @throws io.grpc.StatusRuntimeException with an [RpcError], if it was not
  public static <T> Answer.Done<T> done(Answer<T> answer) {
    return switch (answer) {
      case Answer.Done<T> done -> done;
      case Answer.Refusal<T>(ErrorReason reason, String message, boolean replayed) ->
          throw new RpcError(reason, message, replayed).toException();
      case Answer.NotDecided<T>(Answer.Cause cause) ->
          throw new RpcError(cause.reason(), cause.message()).toException();
    };
  }
}
