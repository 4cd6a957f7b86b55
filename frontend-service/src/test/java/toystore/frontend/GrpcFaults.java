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
import io.grpc.protobuf.ProtoUtils;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.client.GlobalClientInterceptor;
import toystore.account.v1.AccountServiceGrpc;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.common.v1.RequestEnvelope;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Delays or fails calls of a frontend to its services, and remembers what was sent. Any thread.
@GlobalClientInterceptor
public final class GrpcFaults implements ClientInterceptor {
  /// Calls of every request that has a token.
  private static final Set<MethodDescriptor<?, ?>> OF_SESSIONS =
      Set.of(
          AccountServiceGrpc.getAuthenticateMethod(),
          AccountServiceGrpc.getListEndedSessionsMethod());

  /// Calls without whose answer another one is not made.
  private static final Set<MethodDescriptor<?, ?>> CHECKS =
      Set.of(ItemServiceGrpc.getGetItemMethod(), PurchaseServiceGrpc.getHasPurchasedMethod());

  private static final Metadata.Key<RequestEnvelope> ENVELOPE =
      Metadata.Key.of(
          "toystore-envelope-bin",
          ProtoUtils.metadataMarshaller(RequestEnvelope.getDefaultInstance()));

  private static final String BROKEN = "connection broken by a test";

  private final Map<MethodDescriptor<?, ?>, StatusRuntimeException> failures =
      new ConcurrentHashMap<>();
  private volatile @Nullable StatusRuntimeException failureOfAll;

  private final Map<MethodDescriptor<?, ?>, CompletableFuture<?>> delays =
      new ConcurrentHashMap<>();
  private final Map<MethodDescriptor<?, ?>, Object> answers = new ConcurrentHashMap<>();
  private final Map<MethodDescriptor<?, ?>, Object> last = new ConcurrentHashMap<>();
  private final Map<MethodDescriptor<?, ?>, Metadata> envelopes = new ConcurrentHashMap<>();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final Map<ClientCall<?, ?>, MethodDescriptor<?, ?>> open = new ConcurrentHashMap<>();

  void reset() {
    failureOfAll = null;
    failures.clear();
    delays.clear();
    answers.clear();
    last.clear();
    envelopes.clear();
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

  /// Fails all calls, except those that only check whether another one is allowed, and the watches
  /// of the caches.
  public void failAll(ErrorReason reason) {
    failureOfAll = new RpcError(reason, "trouble").toException();
  }

  private @Nullable StatusRuntimeException failure(MethodDescriptor<?, ?> method) {
    boolean mayFail =
        method.getType() == MethodDescriptor.MethodType.UNARY
            ? !OF_SESSIONS.contains(method) && !CHECKS.contains(method)
            : method.equals(ExchangeServiceGrpc.getWatchMethod());
    StatusRuntimeException own = failures.remove(method);
    return own == null && mayFail ? failureOfAll : own;
  }

  /// Answers the next call of a method, which the service does not see, with what it says rarely.
  public <A> void answer(MethodDescriptor<?, A> method, A answer) {
    answers.put(method, answer);
  }

  /// Delays the answer to the next call of a method. The service carries it out.
  public void delay(MethodDescriptor<?, ?> method, CompletableFuture<?> until) {
    delays.put(method, until);
  }

  /// Loses the answer to the next call of a method, as if its deadline had passed. The service
  /// carries it out.
  public void lose(MethodDescriptor<?, ?> method) {
    delay(method, CompletableFuture.failedFuture(new TimeoutException()));
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

  /// The key and the latest time of the last request of a method.
  public RequestEnvelope envelope(MethodDescriptor<?, ?> method) {
    return requireNonNull(requireNonNull(envelopes.get(method)).get(ENVELOPE));
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    StatusRuntimeException failure = failure(method);
    @SuppressWarnings("unchecked") // as given
    A rare = (A) answers.remove(method);
    if (failure != null || rare != null) {
      return new Unsent<>(method, options, rare, failure);
    }
    CompletableFuture<?> until = delays.remove(method);
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> answer, Metadata headers) {
        if (!method.getType().serverSendsOneMessage()) {
          open.put(this, method);
        }
        envelopes.put(method, headers);
        super.start(
            until == null ? closing(answer, this) : delayed(answer, until, options), headers);
      }

      @Override
      public void sendMessage(Q message) {
        remember(method, message);
        super.sendMessage(message);
      }
    };
  }

  /// A call that the service does not see.
  private final class Unsent<Q, A> extends ClientCall<Q, A> {
    private final MethodDescriptor<Q, A> method;
    private final CallOptions options;
    private final @Nullable A rare;
    private final @Nullable StatusRuntimeException failure;

    Unsent(
        MethodDescriptor<Q, A> method,
        CallOptions options,
        @Nullable A rare,
        @Nullable StatusRuntimeException failure) {
      this.method = method;
      this.options = options;
      this.rare = rare;
      this.failure = failure;
    }

    @Override
    public void start(Listener<A> answer, Metadata headers) {
      executor(options)
          .execute(() -> {
            if (rare != null) {
              answer.onMessage(rare);
            }
            answer.onClose(
                failure == null ? Status.OK : failure.getStatus(),
                failure == null ? new Metadata() : requireNonNull(failure.getTrailers()));
          });
    }

    @Override
    public void sendMessage(Q message) {
      remember(method, message);
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}

    @Override
    public void halfClose() {}
  }

  private void remember(MethodDescriptor<?, ?> method, Object message) {
    boolean ofRequest =
        method.getType() == MethodDescriptor.MethodType.UNARY
            && method.getFullMethodName().startsWith("toystore.");
    if (ofRequest && !OF_SESSIONS.contains(method)) {
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
