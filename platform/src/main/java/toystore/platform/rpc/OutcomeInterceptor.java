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

/// What every call of a client here gets: a deadline where it has none, and an error that says
/// whether the request can have been carried out. gRPC's own UNAVAILABLE and DEADLINE_EXCEEDED do
/// not tell a request that never left from one whose answer was lost; a tracer on the stream does
/// (`outboundHeaders` is called once the request's first bytes are written). Nor is a connection
/// that breaks while it is written to always UNAVAILABLE: gRPC then says UNKNOWN, as a peer does
/// that failed, but that one says so in trailers, which the tracer sees as well.
///
/// A call that serves another has a tenth less time than that one has left (at most 100 ms less),
/// so that whoever asked hears what became of it before it gives up itself.
///
/// Any thread.
///
/// @param deadline for a call that neither has a deadline nor serves one that has
public record OutcomeInterceptor(Duration deadline) implements ClientInterceptor {
  private static final Context.Key<Deadline> ONE_DEADLINE = Context.key("one-deadline");
  private static final Metadata.Key<String> UNANSWERED =
      Metadata.Key.of("toystore-unanswered", Metadata.ASCII_STRING_MARSHALLER);
  private static final int SHARE_KEPT = 10;
  private static final long MOST_KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// Where all calls have one deadline, which begins now.
  public Context withOneDeadline() {
    return Context.current().withValue(ONE_DEADLINE, deadlineFromNow());
  }

  /// Whether a failed call was left unanswered: the peer was away or took too long.
  ///
  /// @param trailers of the failed call
  public static boolean isUnanswered(@Nullable Metadata trailers) {
    return trailers != null && trailers.containsKey(UNANSWERED);
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    var stream = new Stream();
    ClientCall<Q, A> call =
        next.newCall(method, withDeadline(options).withStreamTracerFactory(stream));
    return new SimpleForwardingClientCall<>(call) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                Status truly = stream.truly(status);
                super.onClose(truly, typed(truly, trailers, stream.sent));
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
    Deadline one = ONE_DEADLINE.get();
    return options.withDeadline(one == null ? deadlineFromNow() : one);
  }

  private Deadline deadlineFromNow() {
    Deadline served = Context.current().getDeadline();
    if (served == null) {
      return Deadline.after(deadline.toNanos(), TimeUnit.NANOSECONDS);
    }
    long left = served.timeRemaining(TimeUnit.NANOSECONDS);
    return served.offset(-Math.clamp(left / SHARE_KEPT, 0, MOST_KEPT_NANOS), TimeUnit.NANOSECONDS);
  }

  /// What became of the stream of a call.
  private static final class Stream extends ClientStreamTracer.Factory {
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

    Status truly(Status status) {
      return status.getCode() == Status.Code.UNKNOWN && !answered
          ? Status.UNAVAILABLE.withDescription(status.getDescription()).withCause(status.getCause())
          : status;
    }
  }

  private static Metadata typed(Status status, Metadata trailers, boolean sent) {
    if (!status.isOk() && !RpcError.isTyped(trailers)) {
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
