package toystore.platform.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import toystore.platform.error.ErrorReason;

/// Gives every client call a deadline, if it has none, and an error that states whether the request
/// may have been carried out. The UNAVAILABLE and DEADLINE_EXCEEDED errors of gRPC do not
/// distinguish a request that was never sent from one whose answer was lost. A stream tracer does:
/// `outboundHeaders` is called after the first bytes of the request are written. A connection that
/// breaks during a write may also produce UNKNOWN, as does a peer that failed. Only the peer sends
/// trailers, and the tracer sees them.
///
/// A call made while serving another call gets 10 % less than the remaining time of that call (at
/// most 100 ms less). The outer caller then receives the outcome before its own deadline.
///
/// Any thread.
///
/// @param deadline for a call that has no deadline and is not made while serving one that has
public record OutcomeInterceptor(Duration deadline) implements ClientInterceptor {
  private static final Context.Key<Deadline> SHARED_DEADLINE = Context.key("shared-deadline");
  private static final Metadata.Key<String> UNANSWERED =
      Metadata.Key.of("toystore-unanswered", Metadata.ASCII_STRING_MARSHALLER);
  private static final int RESERVED_FRACTION = 10;
  private static final long MAX_RESERVED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// A context in which all calls share one deadline, which starts now.
  public Context withSharedDeadline() {
    return Context.current().withValue(SHARED_DEADLINE, deadlineFromNow());
  }

  /// Whether a failed call was unanswered: the peer was unavailable or the deadline passed.
  ///
  /// @param trailers of the failed call
  public static boolean isUnanswered(@Nullable Metadata trailers) {
    return trailers != null && trailers.containsKey(UNANSWERED);
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    var tracer = new CallTracer();
    ClientCall<Q, A> call =
        next.newCall(method, withDeadline(options).withStreamTracerFactory(tracer));
    return new SimpleForwardingClientCall<>(call) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                Status corrected = tracer.corrected(status);
                super.onClose(corrected, withErrorDetails(corrected, trailers, tracer.sent));
              }
            },
            headers);
      }
    };
  }

  private CallOptions withDeadline(CallOptions options) {
    if (options.getDeadline() != null) {
      return options;
    }
    Deadline shared = SHARED_DEADLINE.get();
    return options.withDeadline(shared == null ? deadlineFromNow() : shared);
  }

  private Deadline deadlineFromNow() {
    Deadline served = Context.current().getDeadline();
    if (served == null) {
      return Deadline.after(deadline.toNanos(), TimeUnit.NANOSECONDS);
    }
    long left = served.timeRemaining(TimeUnit.NANOSECONDS);
    return served.offset(
        -Math.clamp(left / RESERVED_FRACTION, 0, MAX_RESERVED_NANOS), TimeUnit.NANOSECONDS);
  }

  private static final class CallTracer extends ClientStreamTracer.Factory {
    private volatile boolean sent;
    private volatile boolean answered;

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new ClientStreamTracer() {
        @Override
        public void outboundHeaders() {
          sent = true;
        }

        @Override
        public void inboundTrailers(Metadata trailers) {
          answered = true;
        }
      };
    }

    Status corrected(Status status) {
      return status.getCode() == Status.Code.UNKNOWN && !answered
          ? Status.UNAVAILABLE.withDescription(status.getDescription()).withCause(status.getCause())
          : status;
    }
  }

  private static Metadata withErrorDetails(Status status, Metadata trailers, boolean sent) {
    if (!status.isOk() && !RpcError.hasDetails(trailers)) {
      switch (status.getCode()) {
        case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> {
          trailers.put(UNANSWERED, "true");
          new RpcError(
                  sent ? ErrorReason.OUTCOME_UNKNOWN : ErrorReason.NOT_DONE,
                  String.valueOf(status.getDescription()))
              .addTo(trailers, status.getCode());
        }
        default -> {}
      }
    }
    return trailers;
  }
}
