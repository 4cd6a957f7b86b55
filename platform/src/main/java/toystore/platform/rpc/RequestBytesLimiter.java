package toystore.platform.rpc;

import static toystore.common.RootLocale.format;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicLong;

/// Limits the memory for the requests that a server is receiving or processing. gRPC limits each
/// message, but not their sum: many large messages at the same time would use all memory. A call
/// that exceeds the limit is refused with `RESOURCE_EXHAUSTED` before its message is complete.
/// Small requests are always accepted. Any thread.
public final class RequestBytesLimiter extends ServerStreamTracer.Factory {
  /// Requests up to this size, in bytes, are never refused: a sale has at most a few kilobytes.
  private static final int SMALL = 16 << 10;

  private final long limit;
  private final AtomicLong total = new AtomicLong();

  /// @param limit bytes of all calls together
  public RequestBytesLimiter(long limit) {
    this.limit = limit;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new CallBytes();
  }

  private final class CallBytes extends ServerStreamTracer {
    private final AtomicLong received = new AtomicLong();

    /// gRPC closes the call with the status that this method throws, as for a message that is too
    /// large.
    @Override
    public void inboundWireSize(long bytes) {
      if (bytes <= 0) { // within the JVM the size is unknown
        return;
      }
      long all = total.addAndGet(bytes);
      if (received.addAndGet(bytes) > SMALL && all > limit) {
        throw Status.RESOURCE_EXHAUSTED
            .withDescription(
                format(
                    "server is overloaded (more than %d MiB of requests in progress); the request was not processed; retry later",
                    limit >> 20))
            .asRuntimeException();
      }
    }

    @Override
    public void streamClosed(Status status) {
      total.addAndGet(-received.getAndSet(0));
    }
  }
}
