package toystore.platform.rpc;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.multiplex.v1.Call;
import toystore.multiplex.v1.Result;

/// A unary call over a [MultiplexedStream]. Its messages are of protobuf.
///
/// ```
/// QUEUED ──▶ SENT ──▶ CLOSED     closed by the result, the deadline, the caller or the stream's end
///    └─────────────────▲
/// ```
///
/// The caller's methods: one thread, except [#cancel]. All others: any thread.
final class MultiplexedCall<Q, A> extends ClientCall<Q, A> {
  private static final Logger log = LoggerFactory.getLogger(MultiplexedCall.class);
  private static final Executor DIRECT = Runnable::run;

  private final MultiplexInterceptor owner;
  private final MethodDescriptor<Q, A> method;
  private final CallOptions options;
  private final Channel channel;
  private final Context context = Context.current();
  private final Context.CancellationListener onContextCancelled =
      it -> cancel("the caller's context was cancelled", it.cancellationCause());
  private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
  private List<ClientStreamTracer> tracers = List.of();
  private Metadata headers = new Metadata();
  private @Nullable Listener<A> listener;
  private @Nullable MessageLite request;
  private @Nullable MultiplexedStream stream;
  private long id;
  private volatile @Nullable Status cancelled;
  private volatile @Nullable ClientCall<Q, A> unary; // set after its request was sent

  private enum State {
    QUEUED,
    SENT,
    CLOSED
  }

  /// @param channel makes streams and unary calls
  MultiplexedCall(
      MultiplexInterceptor owner,
      MethodDescriptor<Q, A> method,
      CallOptions options,
      Channel channel) {
    this.owner = owner;
    this.method = method;
    this.options = options;
    this.channel = channel;
  }

  @Override
  public void start(Listener<A> answer, Metadata metadata) {
    listener = answer;
    headers = metadata;
  }

  @Override
  public void request(int messages) {
    // the only message is delivered together with the status
  }

  @Override
  public void sendMessage(Q message) {
    request = (MessageLite) message;
  }

  @Override
  public void halfClose() {
    failAfterDeadline();
    if (state.get() == State.CLOSED) {
      return;
    }
    tracers =
        options.getStreamTracerFactories().stream()
            .map(it ->
                it.newClientStreamTracer(
                    ClientStreamTracer.StreamInfo.newBuilder().setCallOptions(options).build(),
                    headers))
            .toList();
    context.addListener(onContextCancelled, DIRECT);
    owner.send(this);
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    Status status = Status.CANCELLED.withDescription(message).withCause(cause);
    cancelled = status; // first: the call may become unary at this moment
    fail(status);
    cancelUnary();
  }

  private void cancelUnary() {
    ClientCall<Q, A> call = unary;
    Status status = cancelled;
    if (call != null && status != null) {
      call.cancel(status.getDescription(), status.getCause());
    }
  }

  Channel channel() {
    return channel;
  }

  int requestBytes() {
    return request().getSerializedSize();
  }

  private MessageLite request() {
    return requireNonNull(request, "a unary call must have a request");
  }

  void isQueuedAt(MultiplexedStream at, long assigned) {
    stream = at;
    id = assigned;
  }

  /// Marks the call as sent. Returns false if it was closed before. The tracers are informed first:
  /// a call that ends at this moment may then count as sent although it was not, never the reverse.
  boolean markSent() {
    tracers.forEach(ClientStreamTracer::outboundHeaders);
    return state.compareAndSet(State.QUEUED, State.SENT);
  }

  boolean wasSent() {
    return state.get() == State.SENT;
  }

  Call toProto(long number) {
    var call =
        Call.newBuilder()
            .setId(number)
            .setMethod(method.getFullMethodName())
            .setMessage(request().toByteString())
            .addAllHeaders(MultiplexMessages.toProto(headers));
    Deadline deadline = options.getDeadline();
    if (deadline != null) {
      call.setTimeoutNanos(Math.max(1, deadline.timeRemaining(TimeUnit.NANOSECONDS)));
    }
    return call.build();
  }

  /// Makes this a unary call. The call must not have begun on the peer.
  @SuppressWarnings("unchecked") // the request is the message of sendMessage
  void makeUnary() {
    if (state.getAndSet(State.CLOSED) == State.CLOSED || listener == null) {
      return;
    }
    context.removeListener(onContextCancelled);
    context.run(() -> {
      ClientCall<Q, A> call = channel.newCall(method, options);
      call.start(listener, headers);
      call.request(2);
      call.sendMessage((Q) request());
      call.halfClose();
      unary = call;
      cancelUnary();
    });
  }

  void failAfterDeadline() {
    Deadline deadline = options.getDeadline();
    if (deadline != null && deadline.isExpired()) {
      fail(Status.DEADLINE_EXCEEDED.withDescription("no answer before the deadline"));
    }
  }

  /// Ends the call. If it was sent and goes on, the peer is told that nobody waits for it.
  void fail(Status status) {
    State before = state.getAndSet(State.CLOSED);
    if (before != State.CLOSED) {
      if (stream != null) {
        stream.remove(id, this, before == State.SENT);
      }
      close(null, status, new Metadata());
    }
  }

  /// Ends the call with the peer's answer. A method that an older peer does not offer over a stream
  /// is called without one.
  void complete(Result result) {
    if (result.getStatus() == Status.Code.UNIMPLEMENTED.value()) {
      makeUnary();
      return;
    }
    if (state.getAndSet(State.CLOSED) == State.CLOSED) {
      return;
    }
    Status status = Status.fromCodeValue(result.getStatus());
    if (!result.getDescription().isEmpty()) {
      status = status.withDescription(result.getDescription());
    }
    var trailers = new Metadata();
    A response = null;
    try {
      trailers.merge(MultiplexMessages.fromProto(result.getTrailersList()));
      if (status.isOk()) {
        response = MultiplexMessages.parse(method.getResponseMarshaller(), result.getMessage());
      }
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      status = Status.INTERNAL.withDescription("invalid response").withCause(e);
    }
    tracers.forEach(it -> it.inboundTrailers(trailers));
    close(response, status, trailers);
  }

  private void close(@Nullable A response, Status status, Metadata trailers) {
    context.removeListener(onContextCancelled);
    Listener<A> answer = listener;
    if (answer == null) {
      return; // cancelled before it was started
    }
    Executor executor = options.getExecutor();
    (executor == null ? DIRECT : executor)
        .execute(
            context.wrap(() -> {
              try {
                if (response != null) {
                  answer.onHeaders(new Metadata());
                  answer.onMessage(response);
                }
                answer.onClose(status, trailers);
              } catch (RuntimeException bug) { // must not end the stream
                log.error("a callback of a call failed", bug);
              }
            }));
  }
}
