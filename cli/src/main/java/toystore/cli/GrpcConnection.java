package toystore.cli;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;

/// A connection to a service, made when it is first used. Any thread.
record GrpcConnection(ManagedChannel channel) implements AutoCloseable {
  private static final int MOST_BYTES = 64 << 20; // 100,000 changes with long names fit

  static GrpcConnection to(String host, int port) {
    return new GrpcConnection(
        NettyChannelBuilder.forAddress(host, port)
            .usePlaintext()
            .proxyDetector(target -> null) // no proxy stands before a store
            .maxInboundMessageSize(MOST_BYTES)
            .build());
  }

  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
