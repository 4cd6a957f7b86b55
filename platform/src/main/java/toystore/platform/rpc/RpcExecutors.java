package toystore.platform.rpc;

import io.grpc.Metadata;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The threads that gRPC calls run on, as the settings choose them. Those that never block need
/// none but gRPC's own, `direct`; the others are there to be measured beside it.
public final class RpcExecutors
    implements ServerCallExecutorSupplier, ServerInterceptor, AutoCloseable {
  private static final Executor DIRECT = Runnable::run;

  private final @Nullable ThreadPoolExecutor pool;
  private final Executor calls;
  private final int bound;

  private RpcExecutors(@Nullable ThreadPoolExecutor pool, Executor calls, int bound) {
    this.pool = pool;
    this.calls = calls;
    this.bound = bound;
  }

  /// @param workers `direct`, `virtual` or how many threads
  /// @param bound calls that may wait for one of so many
  public static RpcExecutors of(String workers, int bound) {
    return switch (workers) {
      case "direct" -> new RpcExecutors(null, DIRECT, bound);
      case "virtual" -> new RpcExecutors(null, Thread::startVirtualThread, bound);
      default -> {
        int size = Integer.parseInt(workers);
        var threads = Thread.ofPlatform().name("call-worker-", 0).factory();
        var pool =
            new ThreadPoolExecutor(
                size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        yield new RpcExecutors(pool, pool, bound);
      }
    };
  }

  /// Has a server's calls run there. Those that run where they arrive cost it nothing.
  public void serve(ServerBuilder<?> server) {
    if (calls != DIRECT) {
      server.callExecutor(this).intercept(this);
    }
  }

  /// Where a call will run. One that finds the queue full runs where it arrived, which
  /// [#interceptCall] takes for a refusal; so the queue itself need not refuse what an accepted
  /// call still has to do.
  @Override
  public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
    return isFull() ? DIRECT : calls;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (pool == null || Thread.currentThread().getName().startsWith("call-worker-")) {
      return next.startCall(call, headers);
    }
    return new RpcError(
            ErrorReason.OVERLOADED,
            "server is overloaded (%d calls are waiting for a thread); the request was not processed; retry later"
                .formatted(bound))
        .refuse(call);
  }

  private boolean isFull() {
    return pool != null && pool.getQueue().size() >= bound;
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.shutdown();
    }
  }
}
