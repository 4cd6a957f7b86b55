package toystore.platform.rpc;

import io.grpc.Metadata;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The configured executor of gRPC calls. Calls that never block use the I/O threads of gRPC
/// (`direct`). The other executors exist for comparison measurements.
public final class RpcExecutorSupplier
    implements ServerCallExecutorSupplier, ServerInterceptor, AutoCloseable {
  private static final Executor DIRECT = Runnable::run;

  private final @Nullable ThreadPoolExecutor pool;
  private final Executor executor;
  private final int queueBound;

  private RpcExecutorSupplier(
      @Nullable ThreadPoolExecutor pool, Executor executor, int queueBound) {
    this.pool = pool;
    this.executor = executor;
    this.queueBound = queueBound;
  }

  /// @param workers `direct`, `virtual` or a number of threads
  /// @param queueBound maximum number of calls that wait for one of these threads
  public static RpcExecutorSupplier of(String workers, int queueBound) {
    return switch (workers) {
      case "direct" -> new RpcExecutorSupplier(null, DIRECT, queueBound);
      case "virtual" -> new RpcExecutorSupplier(null, Thread::startVirtualThread, queueBound);
      default -> {
        int size = Integer.parseInt(workers);
        var threads = Thread.ofPlatform().name("call-worker-", 0).factory();
        var pool =
            new ThreadPoolExecutor(
                size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        yield new RpcExecutorSupplier(pool, pool, queueBound);
      }
    };
  }

  /// Configures a server to run its calls on this executor. `direct` adds no overhead.
  public void serve(ServerBuilder<?> server) {
    if (executor != DIRECT) {
      server.callExecutor(this).intercept(this);
    }
  }

  /// Chooses the executor of a call. If the queue is full, the call runs on its I/O thread, and
  /// [#interceptCall] rejects it. The queue itself is unbounded, so that accepted calls can always
  /// add their further tasks.
  @Override
  public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
    return isFull() ? DIRECT : executor;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (pool == null || Thread.currentThread().getName().startsWith("call-worker-")) {
      return next.startCall(call, headers);
    }
    return new RpcError(
            ErrorReason.OVERLOADED,
            String.format(
                Locale.ROOT,
                "server is overloaded (%d calls are waiting for a thread); the request was not processed; retry later",
                queueBound))
        .refuse(call);
  }

  private boolean isFull() {
    return pool != null && pool.getQueue().size() >= queueBound;
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.shutdown();
    }
  }
}
