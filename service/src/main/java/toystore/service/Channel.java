package toystore.service;

import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.springframework.grpc.client.ChannelBuilderOptions;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.rpc.Calls;
import toystore.rpc.Reconnecting;

/// The way to another service, made once: `static://host:port` over the network, or
/// `in-process:name` where both run in one JVM. Any thread.
public final class Channel implements AutoCloseable {
  private static final String IN_PROCESS = "in-process:";
  private static final int MOST_BYTES = 8 << 20; // 200 orders of 50 lines with the longest names

  private final ManagedChannel channel;
  private final Calls calls;
  private final Reconnecting reconnecting;

  private Channel(ManagedChannel channel, Calls calls) {
    this.channel = channel;
    this.calls = calls;
    this.reconnecting = new Reconnecting(channel);
  }

  /// @param deadline for a call that has none
  public static Channel open(GrpcChannelFactory factory, String target, Duration deadline) {
    return new Channel(
        factory.createChannel(
            target,
            ChannelBuilderOptions.defaults()
                .withCustomizer((_, builder) ->
                    builder
                        .executor(executor(target))
                        .maxInboundMessageSize(MOST_BYTES)
                        .keepAliveTime(1, TimeUnit.SECONDS)
                        .keepAliveTimeout(1, TimeUnit.SECONDS))),
        new Calls(deadline));
  }

  /// What stubs are made on.
  public io.grpc.Channel channel() {
    return ClientInterceptors.intercept(channel, calls);
  }

  @Override
  public void close() {
    reconnecting.close();
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
