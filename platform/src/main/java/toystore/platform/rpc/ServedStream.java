package toystore.platform.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.multiplex.v1.Call;
import toystore.multiplex.v1.ConnectRequest;
import toystore.multiplex.v1.ConnectResponse;
import toystore.multiplex.v1.Result;

/// The server's side of one stream, see `multiplex.proto`. All callbacks of its calls run one after
/// the other. Results that are there at the same time travel in one message. While the caller does
/// not read results, or too many calls are in progress, no further calls are read.
///
/// Any thread.
final class ServedStream implements StreamObserver<ConnectRequest> {
  private static final Logger log = LoggerFactory.getLogger(ServedStream.class);

  /// Twice the calls that a frontend has in progress.
  private static final int MAX_IN_PROGRESS = 256;

  /// A message with results grows no further from this size on; a client accepts 8 MiB.
  private static final int MAX_BATCH_BYTES = 256 << 10;

  private final ServerCallStreamObserver<ConnectResponse> to;
  private final Map<String, ServerMethodDefinition<?, ?>> methods;
  private final Consumer<ServedStream> onEnd;

  /// The stream cancels its calls itself: grpc-java 1.83 never removes the listener that a context
  /// adds to its parent when it is listened to.
  private final Context context = Context.current().fork();

  private final Queue<ServedCall<?, ?>> closed = new ConcurrentLinkedQueue<>();
  private final SynchronizationContext serial = new SynchronizationContext(this::fail);
  private final Runnable sending = this::send;

  // guarded by serial
  private final Map<Long, ServedCall<?, ?>> calls = new HashMap<>();
  private boolean halfClosed;
  private boolean ended;
  private boolean paused;

  ServedStream(
      ServerCallStreamObserver<ConnectResponse> to,
      Map<String, ServerMethodDefinition<?, ?>> methods,
      Consumer<ServedStream> onEnd) {
    this.to = to;
    this.methods = methods;
    this.onEnd = onEnd;
    to.disableAutoRequest();
    to.setOnReadyHandler(() -> serial.execute(sending));
    to.setOnCancelHandler(() -> serial.execute(this::cancelAll));
    to.request(1);
  }

  @Override
  public void onNext(ConnectRequest request) {
    serial.execute(() -> {
      for (long id : request.getCancelledList()) {
        ServedCall<?, ?> call = calls.remove(id);
        if (call != null) {
          call.cancel();
        }
      }
      for (Call call : request.getCallsList()) {
        start(call);
      }
      paused = true;
      requestNext();
    });
  }

  private void start(Call call) {
    ServerMethodDefinition<?, ?> method = methods.get(call.getMethod());
    if (method == null) {
      Status unknown =
          Status.UNIMPLEMENTED.withDescription(
              "method " + call.getMethod() + " is not offered over a stream");
      to.onNext(ConnectResponse.newBuilder().addResults(result(call.getId(), unknown)).build());
    } else {
      start(call, method);
    }
  }

  private <Q, A> void start(Call call, ServerMethodDefinition<Q, A> method) {
    Context.CancellableContext ofCall =
        OutcomeInterceptor.serving(
                context,
                call.getTimeoutNanos() == 0
                    ? null
                    : Deadline.after(call.getTimeoutNanos(), TimeUnit.NANOSECONDS))
            .withCancellation();
    var served = new ServedCall<>(call.getId(), method.getMethodDescriptor(), ofCall);
    calls.put(call.getId(), served);
    Context previous = ofCall.attach();
    try {
      served.listener =
          method
              .getServerCallHandler()
              .startCall(served, MultiplexMessages.fromProto(call.getHeadersList()));
      served.listener.onMessage(
          MultiplexMessages.parse(
              method.getMethodDescriptor().getRequestMarshaller(), call.getMessage()));
      served.listener.onHalfClose();
    } catch (InvalidProtocolBufferException | IllegalArgumentException invalid) {
      served.close(
          Status.INTERNAL.withDescription("invalid request: " + invalid.getMessage()),
          new Metadata());
    } catch (RuntimeException bug) {
      log.error("a call of {} failed", call.getMethod(), bug);
      served.close(Status.UNKNOWN, new Metadata());
    } finally {
      ofCall.detach(previous);
    }
  }

  private void send() {
    while (!closed.isEmpty() && !ended && to.isReady()) {
      var response = ConnectResponse.newBuilder();
      ServedCall<?, ?> call;
      for (int bytes = 0; bytes < MAX_BATCH_BYTES && (call = closed.poll()) != null; ) {
        if (calls.remove(call.id, call)) {
          Result result = call.result();
          bytes += result.getMessage().size();
          response.addResults(result);
          call.complete();
        }
      }
      if (response.getResultsCount() > 0) {
        to.onNext(response.build());
      }
    }
    requestNext();
    if (halfClosed && !ended && calls.isEmpty()) {
      ended = true;
      to.onCompleted();
      onEnd.accept(this);
    }
  }

  private void requestNext() {
    if (paused && calls.size() < MAX_IN_PROGRESS && !ended) {
      paused = false;
      to.request(1);
    }
  }

  /// Asks the caller to end the stream.
  void drain() {
    serial.execute(() -> {
      if (!ended && !halfClosed) {
        to.onNext(ConnectResponse.newBuilder().setDraining(true).build());
      }
    });
  }

  @Override
  public void onCompleted() {
    serial.execute(() -> {
      halfClosed = true;
      send();
    });
  }

  @Override
  public void onError(Throwable cancelled) {
    serial.execute(this::cancelAll);
  }

  private void cancelAll() {
    ended = true;
    onEnd.accept(this);
    calls.values().forEach(ServedCall::cancel);
    calls.clear();
  }

  private void fail(Thread thread, Throwable bug) {
    log.error("a stream of calls failed", bug);
    to.onError(Status.INTERNAL.asRuntimeException());
  }

  private static Result.Builder result(long id, Status status) {
    var result = Result.newBuilder().setId(id).setStatus(status.getCode().value());
    if (status.getDescription() != null) {
      result.setDescription(status.getDescription());
    }
    return result;
  }

  /// One call, as its handler sees it.
  private final class ServedCall<Q, A> extends ServerCall<Q, A> {
    private final long id;
    private final MethodDescriptor<Q, A> method;
    private final Context.CancellableContext ofCall;
    private Listener<Q> listener = new Listener<>() {};
    private @Nullable A response;
    private Status status = Status.UNKNOWN;
    private Metadata trailers = new Metadata();

    ServedCall(long id, MethodDescriptor<Q, A> method, Context.CancellableContext ofCall) {
      this.id = id;
      this.method = method;
      this.ofCall = ofCall;
    }

    @Override
    public void request(int messages) {
      // the only message is delivered at the start
    }

    @Override
    public void sendHeaders(Metadata headers) {
      // a unary call needs none
    }

    @Override
    public void sendMessage(A message) {
      response = message;
    }

    @Override
    public void close(Status end, Metadata metadata) {
      status = end;
      trailers = metadata;
      closed.add(this);
      serial.execute(sending);
    }

    Result result() {
      var result =
          ServedStream.result(id, status).addAllTrailers(MultiplexMessages.toProto(trailers));
      if (response != null) {
        result.setMessage(((MessageLite) response).toByteString());
      }
      return result.build();
    }

    void complete() {
      listener.onComplete();
      ofCall.cancel(null);
    }

    void cancel() {
      ofCall.cancel(Status.CANCELLED.withDescription("the caller no longer waits").asException());
      listener.onCancel();
    }

    @Override
    public boolean isCancelled() {
      return ofCall.isCancelled();
    }

    @Override
    public MethodDescriptor<Q, A> getMethodDescriptor() {
      return method;
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.EMPTY;
    }
  }
}
