package toystore.platform.service;

import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.springframework.grpc.client.ChannelBuilderOptions;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.platform.rpc.CircuitBreakerInterceptor;
import toystore.platform.rpc.OutcomeInterceptor;
import toystore.platform.rpc.Retries;

/// The way to another service, made once: `static://host:port` over the network, or
/// `in-process:name` where both run in one JVM. Any thread.
public final class PeerChannel implements AutoCloseable {
  private static final String IN_PROCESS = "in-process:";
  private static final int MOST_BYTES = 8 << 20; // 200 orders of 50 lines with the longest names

  /// gRPC allows no less.
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

  private final ManagedChannel channel;
  private final OutcomeInterceptor calls;
  private final CircuitBreakerInterceptor guard;
  private final Retries retries;
  private final Future<?> reconnecting;

  private PeerChannel(
      ManagedChannel channel,
      OutcomeInterceptor calls,
      CircuitBreakerInterceptor guard,
      Retries retries) {
    this.channel = channel;
    this.calls = calls;
    this.guard = guard;
    this.retries = retries;
    this.reconnecting =
        retries.clock().scheduleWithFixedDelay(this::reconnect, 1, 1, TimeUnit.SECONDS);
  }

  /// @param peer the name of the service it leads to, such as `catalog`
  /// @param deadline for a call that has none
  public static PeerChannel open(
      GrpcChannelFactory factory,
      String peer,
      String target,
      Duration deadline,
      PeerResilience resilience) {
    var calls = new OutcomeInterceptor(deadline);
    return new PeerChannel(
        factory.createChannel(
            target,
            ChannelBuilderOptions.defaults()
                .withCustomizer((_, builder) ->
                    builder
                        .executor(executor(target))
                        .maxInboundMessageSize(MOST_BYTES)
                        .keepAliveTime(KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
                        .keepAliveTimeout(1, TimeUnit.SECONDS))),
        calls,
        resilience.guard(peer),
        resilience.retries(peer, calls));
  }

  /// What stubs are made on: each call with a deadline, behind a bulkhead and a circuit breaker.
  public io.grpc.Channel channel() {
    return ClientInterceptors.intercept(unguarded(), guard);
  }

  /// For calls that ask how the peer is, or that wait for it: they have a deadline, but neither is
  /// one refused nor does it count.
  public io.grpc.Channel unguarded() {
    return ClientInterceptors.intercept(channel, calls);
  }

  /// For calls with a client's own key.
  public Retries retries() {
    return retries;
  }

  /// Tries a peer that is away again each second. gRPC's own pause between two tries grows to two
  /// minutes and cannot be set.
  private void reconnect() {
    if (channel.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  @Override
  public void close() {
    reconnecting.cancel(false);
    channel.shutdownNow();
  }

  /// Over the network an answer is taken on the I/O thread: callbacks here never block. In one JVM
  /// it would be taken on the answering service's thread, its writer even, so there it is handed
  /// over.
  private static Executor executor(String target) {
    return target.startsWith(IN_PROCESS)
        ? Executors.newVirtualThreadPerTaskExecutor()
        : Runnable::run;
  }
}
