package toystore.platform.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sends unary calls over one stream of [MultiplexRpc], which costs less than half of the CPU time.
/// Deadline, cancellation, metadata and status belong to each call, so that stubs and other
/// interceptors notice no difference. If the stream breaks, calls that were sent fail with
/// `UNAVAILABLE`, as after a broken connection; those still queued were not sent, and
/// [OutcomeInterceptor] tells them apart. A peer without the service gets unary calls.
///
/// It must be the last interceptor of its channel. Any thread.
public final class MultiplexInterceptor implements ClientInterceptor {
  /// A peer that was upgraded is noticed after this time.
  private static final long UNARY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /// Larger requests are sent as unary calls, so that they do not delay others.
  private static final int MAX_REQUEST_BYTES = 16 << 10;

  private final ScheduledExecutorService scheduler;
  private volatile @Nullable MultiplexedStream stream;
  private volatile long unaryUntil = System.nanoTime();

  /// @param scheduler checks deadlines; its tasks must not block
  public MultiplexInterceptor(ScheduledExecutorService scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return method.getType() == MethodDescriptor.MethodType.UNARY
            && System.nanoTime() - unaryUntil >= 0
        ? new MultiplexedCall<>(this, method, options, next)
        : next.newCall(method, options);
  }

  /// Sends a call over the current stream, or over a new one if that has ended.
  void send(MultiplexedCall<?, ?> call) {
    if (call.requestBytes() > MAX_REQUEST_BYTES) {
      call.makeUnary();
      return;
    }
    MultiplexedStream current = stream;
    if (current == null || !current.accepts()) {
      current = replace(current, call.channel());
    }
    current.add(call);
  }

  private synchronized MultiplexedStream replace(
      @Nullable MultiplexedStream ended, Channel channel) {
    MultiplexedStream current = stream;
    if (current == null || current == ended) {
      Context caller = Context.ROOT.attach(); // the stream outlives the context of its first call
      try {
        current = new MultiplexedStream(this, channel, scheduler);
      } finally {
        Context.ROOT.detach(caller);
      }
      stream = current;
    }
    return current;
  }

  /// Whether the peer began none of the calls of a stream that ended, because it does not offer the
  /// service. Further calls are unary for some time.
  boolean isRefused(Status end) {
    boolean refused =
        Set.of(Status.Code.UNIMPLEMENTED, Status.Code.RESOURCE_EXHAUSTED).contains(end.getCode());
    if (refused) {
      unaryUntil = System.nanoTime() + UNARY_NANOS;
    }
    return refused;
  }
}
