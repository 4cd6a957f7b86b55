package toystore.platform.rpc;

import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.springframework.grpc.server.GlobalServerInterceptor;
import toystore.platform.error.ErrorReason;

/// Reads the [CallEnvelope] of each call that has one, and tells its caller whether the answer is
/// the stored one. A refusal says so in its details instead, see [RpcError]. Any thread.
@GlobalServerInterceptor // without an order it comes after that of the spans
public final class EnvelopeInterceptor implements ServerInterceptor {
  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!headers.containsKey(CallEnvelope.REQUEST)) {
      return next.startCall(call, headers);
    }
    CallEnvelope envelope;
    try {
      envelope = CallEnvelope.of(headers);
    } catch (IllegalArgumentException e) { // also if it is not a message
      return new RpcError(ErrorReason.INVALID, String.valueOf(e.getMessage())).refuse(call);
    }
    return Contexts.interceptCall(
        envelope.context(), new EnvelopedCall<>(call, envelope), headers, next);
  }

  private static final class EnvelopedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final CallEnvelope envelope;

    EnvelopedCall(ServerCall<Q, A> call, CallEnvelope envelope) {
      super(call);
      this.envelope = envelope;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (status.isOk() && envelope.replayed()) {
        trailers.put(CallEnvelope.REPLAYED, "true");
      }
      super.close(status, trailers);
    }
  }
}
