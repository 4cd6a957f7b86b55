package toystore.platform.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.multiplex.v1.ConnectRequest;
import toystore.multiplex.v1.ConnectResponse;
import toystore.multiplex.v1.MultiplexServiceGrpc;
import toystore.multiplex.v1.Result;

/// The client's side of one stream, see `multiplex.proto`. The thread that adds a call writes it,
/// together with all calls added meanwhile; the others only queue theirs. The bulkhead of the
/// channel bounds the queue. While the transport accepts no bytes, calls stay queued until their
/// deadline.
///
/// Any thread.
final class MultiplexedStream extends ClientCall.Listener<ConnectResponse> {
  private static final Logger log = LoggerFactory.getLogger(MultiplexedStream.class);

  /// With [MultiplexInterceptor]'s maximum size of a request, a message stays below 4 MiB.
  private static final int MAX_BATCH = 128;

  private static final long DEADLINE_CHECK_MILLIS = 20;

  private final MultiplexInterceptor owner;
  private final ClientCall<ConnectRequest, ConnectResponse> stream;
  private final AtomicLong lastId = new AtomicLong();
  private final Map<Long, MultiplexedCall<?, ?>> calls = new ConcurrentHashMap<>();
  private final Queue<Entry> queue = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService scheduler;
  private final AtomicBoolean checking = new AtomicBoolean(); // whether a check is scheduled
  private final SynchronizationContext serial = new SynchronizationContext(this::fail);
  private final Runnable writing = this::write;
  private volatile boolean draining;
  private volatile boolean accepted;

  // guarded by serial
  private boolean writable = true;
  private boolean refused;
  private Status end = Status.OK;

  /// @param call null: cancels the call with the id
  private record Entry(long id, @Nullable MultiplexedCall<?, ?> call) {}

  MultiplexedStream(
      MultiplexInterceptor owner, Channel channel, ScheduledExecutorService scheduler) {
    this.owner = owner;
    this.scheduler = scheduler;
    this.stream =
        channel.newCall(
            MultiplexServiceGrpc.getConnectMethod(),
            CallOptions.DEFAULT.withExecutor(Runnable::run));
    stream.start(this, new Metadata());
    stream.request(1);
  }

  /// Whether a call should be added here rather than to a new stream.
  boolean accepts() {
    return !draining;
  }

  /// Sends a call. If the stream has failed, the call fails with it, and was not sent. If the peer
  /// is stopping, the call is passed on to a new stream.
  void add(MultiplexedCall<?, ?> call) {
    long id = lastId.incrementAndGet();
    call.isQueuedAt(this, id);
    calls.put(id, call);
    queue.add(new Entry(id, call));
    serial.execute(writing);
    scheduleDeadlineCheck();
  }

  private void scheduleDeadlineCheck() {
    if (!checking.get() && checking.compareAndSet(false, true)) {
      scheduler.schedule(this::checkDeadlines, DEADLINE_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void checkDeadlines() {
    checking.set(false);
    calls.values().forEach(MultiplexedCall::failAfterDeadline);
    if (!calls.isEmpty()) {
      scheduleDeadlineCheck();
    }
  }

  /// @param id may belong to another stream, and here to another call, if the call is just passed
  ///   on
  /// @param sent whether the peer knows the call and should stop it
  void remove(long id, MultiplexedCall<?, ?> call, boolean sent) {
    calls.remove(id, call);
    if (sent) {
      queue.add(new Entry(id, null));
      serial.execute(writing);
    }
  }

  private void write() {
    while (writable && !queue.isEmpty() && stream.isReady()) {
      var request = ConnectRequest.newBuilder();
      Entry entry;
      while (request.getCallsCount() < MAX_BATCH && (entry = queue.poll()) != null) {
        if (entry.call == null) {
          request.addCancelled(entry.id);
        } else if (entry.call.markSent()) {
          request.addCalls(entry.call.toProto(entry.id));
        } else {
          calls.remove(entry.id); // closed before
        }
      }
      if (request.getCallsCount() + request.getCancelledCount() > 0) {
        stream.sendMessage(request.build());
      }
    }
    if (writable && draining && queue.isEmpty()) {
      writable = false;
      stream.halfClose();
    }
    if (!writable) { // calls that were queued meanwhile
      for (Entry entry = queue.poll(); entry != null; entry = queue.poll()) {
        if (entry.call != null) {
          passOn(entry.id, entry.call);
        }
      }
    }
  }

  private void passOn(long id, MultiplexedCall<?, ?> call) {
    if (calls.remove(id) == null) {
      return;
    }
    if (refused) {
      call.makeUnary();
    } else if (end.isOk() && !call.wasSent()) {
      owner.send(call);
    } else { // the end of a stream is not the end of its calls, whatever its status is
      call.fail(
          Status.UNAVAILABLE
              .withDescription("the stream of the call ended: " + end.getDescription())
              .withCause(end.getCause()));
    }
  }

  @Override
  public void onReady() {
    serial.execute(writing);
  }

  @Override
  public void onMessage(ConnectResponse response) {
    accepted = true;
    for (Result result : response.getResultsList()) {
      MultiplexedCall<?, ?> call = calls.remove(result.getId());
      if (call != null) {
        call.complete(result);
      }
    }
    if (response.getDraining()) {
      draining = true;
      serial.execute(writing);
    }
    stream.request(1);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    draining = true;
    serial.execute(() -> {
      writable = false;
      end = status;
      refused = !accepted && owner.isRefused(status);
      calls.forEach(this::passOn);
      write(); // those that were queued meanwhile
    });
  }

  private void fail(Thread thread, Throwable bug) {
    log.error("a stream of calls failed", bug);
    stream.cancel("internal error", bug);
  }
}
