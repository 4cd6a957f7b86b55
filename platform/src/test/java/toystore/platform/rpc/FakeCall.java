package toystore.platform.rpc;

import static java.util.Objects.requireNonNull;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A call without a network, which the test answers. As in grpc-java, its methods fail after it was
/// cancelled, and have no effect after the peer has ended it.
public class FakeCall<Q, A> extends ClientCall<Q, A> {
  public final Queue<Q> requests = new ConcurrentLinkedQueue<>();
  final CountDownLatch halfClosed = new CountDownLatch(1);
  private final AtomicReference<@Nullable Status> end = new AtomicReference<>();
  volatile @Nullable Listener<A> listener;

  @Override
  public void start(Listener<A> answers, Metadata headers) {
    checkNotCancelled();
    listener = answers;
  }

  @Override
  public void request(int messages) {}

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void sendMessage(Q request) {
    checkNotCancelled();
    if (end.get() == null) {
      requests.add(request);
    }
  }

  @Override
  public void halfClose() {
    checkNotCancelled();
    halfClosed.countDown();
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    close(Status.CANCELLED);
  }

  boolean isCancelled() {
    return end.get() == Status.CANCELLED;
  }

  private void checkNotCancelled() {
    if (isCancelled()) {
      throw new IllegalStateException("call was cancelled");
    }
  }

  public void send(A answer) {
    if (end.get() == null) {
      requireNonNull(listener).onMessage(answer);
    }
  }

  public void close(Status status) {
    Listener<A> answers = listener;
    if (end.compareAndSet(null, status) && answers != null) {
      answers.onClose(status, new Metadata());
    }
  }
}
