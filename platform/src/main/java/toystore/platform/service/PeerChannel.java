package toystore.platform.service;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.client.ChannelBuilderOptions;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.platform.rpc.BulkheadAndCircuitBreakerInterceptor;
import toystore.platform.rpc.NotConfiguredInterceptor;
import toystore.platform.rpc.OutcomeInterceptor;
import toystore.platform.rpc.Retries;

/// A gRPC channel to another service, created once: `static://host:port` over the network, or
/// `in-process:name` if both services run in one JVM. If the store has no such service, the target
/// is empty, and every call is refused. Any thread.
///
/// A service that has standbys has several addresses: `static://a:9091,b:9091`, or all that the
/// domain name of `dns:///catalog:9091` has. Calls go to those whose health of `storage` is
/// SERVING: the active process. See "Client-Side Health Checking", gRPC proposal A17.
public final class PeerChannel implements AutoCloseable {
  private static final String IN_PROCESS = "in-process:";

  /// A channel needs an address. It is never used, because every call is refused before.
  private static final String NOWHERE = "127.0.0.1:1";

  private static final int MAX_MESSAGE_BYTES =
      8 << 20; // 200 orders of 50 lines with the longest names

  /// The minimum that gRPC allows.
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

  /// A service that has just become ready is called after at most this time.
  private static final long RECONNECT_MILLIS = 100;

  private final GrpcChannelFactory factory;
  private final String peer;
  private final String target;
  private final Duration deadline;
  private final boolean isConfigured;
  private final ClientInterceptor outcomes;
  private final PeerResilience resilience;
  private final BulkheadAndCircuitBreakerInterceptor interceptor;
  private final Retries retries;
  private volatile ManagedChannel connections;
  private @Nullable ServerSocket silent; // guarded by this

  /// @param peer name of the called service, such as `catalog`
  /// @param deadline deadline of calls that have none
  public PeerChannel(
      GrpcChannelFactory factory,
      String peer,
      String target,
      Duration deadline,
      PeerResilience resilience) {
    this.factory = factory;
    this.peer = peer;
    this.target = target;
    this.deadline = deadline;
    this.resilience = resilience;
    isConfigured = !target.isEmpty();
    var deadlines = new OutcomeInterceptor(deadline);
    outcomes = isConfigured ? deadlines : new NotConfiguredInterceptor(peer);
    interceptor = resilience.interceptor(peer);
    retries = resilience.retries(peer, deadlines);
    connections = connect(isConfigured ? target : NOWHERE);
    if (isConfigured) {
      stayConnected(connections);
    }
  }

  private ManagedChannel connect(String address) {
    return factory.createChannel(
        PeerAddresses.target(address),
        ChannelBuilderOptions.defaults()
            .withCustomizer((_, builder) ->
                PeerAddresses.configure(builder, address)
                    .executor(executor(target))
                    .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                    .keepAliveTime(KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
                    .keepAliveTimeout(1, TimeUnit.SECONDS)));
  }

  public String peer() {
    return peer;
  }

  public Duration deadline() {
    return deadline;
  }

  public boolean isConfigured() {
    return isConfigured;
  }

  /// The channel for stubs. Each call has a deadline, a bulkhead and a circuit breaker.
  public io.grpc.Channel channel() {
    return ClientInterceptors.intercept(withoutCircuitBreaker(), interceptor);
  }

  /// The channel for calls that take long. They have a bulkhead of their own, `NAME-slow-calls`, so
  /// that they hold no permit of the others; the circuit breaker is the same. Create it once.
  ///
  /// @param calls the maximum number of such calls in progress; further calls are refused at once
  public io.grpc.Channel channelForSlowCalls(int calls) {
    return ClientInterceptors.intercept(
        withoutCircuitBreaker(),
        interceptor.with(resilience.bulkhead(peer + "-slow-calls", calls)));
  }

  /// The channel for health checks and for calls that wait for the peer. They have a deadline. The
  /// circuit breaker neither rejects nor counts them.
  public io.grpc.Channel withoutCircuitBreaker() {
    return ClientInterceptors.intercept(new Present(), outcomes);
  }

  public Retries retries() {
    return retries;
  }

  /// Cuts the network to the peer, to inject a fault: all connections break, and new ones reach a
  /// port that answers nothing, until [#restore].
  public synchronized void cut() throws IOException {
    if (silent == null && isConfigured) {
      silent = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
      replace("127.0.0.1:" + silent.getLocalPort());
    }
  }

  public synchronized void restore() throws IOException {
    if (silent != null) {
      replace(target);
      silent.close();
      silent = null;
    }
  }

  private void replace(String address) {
    ManagedChannel before = connections;
    connections = connect(address);
    stayConnected(connections);
    before.shutdownNow();
  }

  /// Connects, and reconnects to an unavailable peer ten times a second. The backoff of gRPC grows
  /// to two minutes and cannot be configured.
  private void stayConnected(ManagedChannel channel) {
    ConnectivityState state = channel.getState(true);
    if (state == ConnectivityState.READY) {
      interceptor.onConnected();
    }
    switch (state) {
      case TRANSIENT_FAILURE -> {
        channel.resetConnectBackoff();
        retries
            .scheduler()
            .schedule(() -> stayConnected(channel), RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
      }
      case CONNECTING, READY, IDLE ->
          channel.notifyWhenStateChanged(state, () -> stayConnected(channel));
      case SHUTDOWN -> {} // closed
    }
  }

  @Override
  public void close() {
    connections.shutdownNow();
  }

  /// Sends each call over the connections that there are when it begins.
  private final class Present extends io.grpc.Channel {
    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      return connections.newCall(method, options);
    }

    @Override
    public String authority() {
      return connections.authority();
    }
  }

  /// Chooses the executor of callbacks. Over the network they run on the I/O thread, because they
  /// never block. In one JVM they would run on a thread of the called service, possibly its writer,
  /// so they run on virtual threads instead.
  private static Executor executor(String target) {
    return target.startsWith(IN_PROCESS)
        ? Executors.newVirtualThreadPerTaskExecutor()
        : Runnable::run;
  }
}
