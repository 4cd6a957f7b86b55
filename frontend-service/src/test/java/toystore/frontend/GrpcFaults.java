package toystore.frontend;

import static java.util.Objects.requireNonNull;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.client.GlobalClientInterceptor;
import toystore.account.v1.AccountServiceGrpc;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Delays or fails calls of a frontend to its services, and remembers what was sent. Any thread.
@GlobalClientInterceptor
public final class GrpcFaults implements ClientInterceptor {
  /// Calls of every request that has a token.
  private static final Set<MethodDescriptor<?, ?>> CHECKS =
      Set.of(
          AccountServiceGrpc.getAuthenticateMethod(),
          AccountServiceGrpc.getListEndedSessionsMethod());

  private static final String BROKEN = "connection broken by a test";

  private final Map<MethodDescriptor<?, ?>, StatusRuntimeException> failures =
      new ConcurrentHashMap<>();
  private final Map<MethodDescriptor<?, ?>, CompletableFuture<?>> delays =
      new ConcurrentHashMap<>();
  private final Map<MethodDescriptor<?, ?>, Object> last = new ConcurrentHashMap<>();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final Map<ClientCall<?, ?>, MethodDescriptor<?, ?>> open = new ConcurrentHashMap<>();

  void reset() {
    failures.clear();
    delays.clear();
    last.clear();
    sent.clear();
  }

  /// Fails the next call of a method, which the service does not see.
  public void fail(MethodDescriptor<?, ?> method, ErrorReason reason) {
    fail(method, reason, null);
  }

  /// @param retryDelay what the error says about a repeat
  public void fail(
      MethodDescriptor<?, ?> method, ErrorReason reason, @Nullable Duration retryDelay) {
    failures.put(method, new RpcError(reason, "trouble", false, retryDelay).toException());
  }

  /// Delays the answer to the next call of a method. The service carries it out.
  public void delay(MethodDescriptor<?, ?> method, CompletableFuture<?> until) {
    delays.put(method, until);
  }

  /// Breaks the connection of each stream of a method.
  public void breakStreams(MethodDescriptor<?, ?> method) {
    open.entrySet().stream()
        .filter(it -> it.getValue().equals(method))
        .forEach(it -> it.getKey().cancel(BROKEN, null));
  }

  /// Number of streams of a method that are open.
  public long streams(MethodDescriptor<?, ?> method) {
    return open.values().stream().filter(method::equals).count();
  }

  /// Names of the methods that were called, without checks of sessions and health, and streams.
  public List<String> sent() {
    return List.copyOf(sent);
  }

  /// The last request of a method.
  public <Q> Q last(MethodDescriptor<Q, ?> method) {
    @SuppressWarnings("unchecked") // as sent
    Q request = (Q) requireNonNull(last.get(method), method.getFullMethodName());
    return request;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    StatusRuntimeException failure = failures.remove(method);
    CompletableFuture<?> until = delays.remove(method);
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> answer, Metadata headers) {
        if (failure != null) {
          Metadata trailers = failure.getTrailers();
          executor(options)
              .execute(() ->
                  answer.onClose(
                      failure.getStatus(), trailers == null ? new Metadata() : trailers));
        } else {
          if (!method.getType().serverSendsOneMessage()) {
            open.put(this, method);
          }
          super.start(
              until == null ? closing(answer, this) : delayed(answer, until, options), headers);
        }
      }

      @Override
      public void sendMessage(Q message) {
        remember(method, message);
        if (failure == null) {
          super.sendMessage(message);
        }
      }

      @Override
      public void request(int messages) {
        if (failure == null) {
          super.request(messages);
        }
      }

      @Override
      public void halfClose() {
        if (failure == null) {
          super.halfClose();
        }
      }
    };
  }

  private void remember(MethodDescriptor<?, ?> method, Object message) {
    boolean ofRequest =
        method.getType() == MethodDescriptor.MethodType.UNARY
            && method.getFullMethodName().startsWith("toystore.");
    if (ofRequest && !CHECKS.contains(method)) {
      last.put(method, message);
      sent.add(String.valueOf(method.getBareMethodName()));
    }
  }

  private <A> ClientCall.Listener<A> closing(ClientCall.Listener<A> answer, ClientCall<?, A> call) {
    return new SimpleForwardingClientCallListener<>(answer) {
      @Override
      public void onClose(Status status, Metadata trailers) {
        open.remove(call);
        super.onClose(
            BROKEN.equals(status.getDescription()) ? Status.UNAVAILABLE : status, trailers);
      }
    };
  }

  private static <A> ClientCall.Listener<A> delayed(
      ClientCall.Listener<A> answer, CompletableFuture<?> until, CallOptions options) {
    long nanos = requireNonNull(options.getDeadline()).timeRemaining(TimeUnit.NANOSECONDS);
    return new SimpleForwardingClientCallListener<>(answer) {
      @Override
      public void onClose(Status status, Metadata trailers) {
        until
            .copy()
            .orTimeout(nanos, TimeUnit.NANOSECONDS)
            .whenCompleteAsync(
                (_, late) ->
                    super.onClose(late == null ? status : Status.DEADLINE_EXCEEDED, trailers),
                executor(options));
      }
    };
  }

  private static Executor executor(CallOptions options) {
    Executor executor = options.getExecutor();
    return executor == null ? Runnable::run : executor;
  }
}
