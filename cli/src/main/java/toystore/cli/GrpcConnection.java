package toystore.cli;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;

/// A gRPC connection to a service. It connects at the first call. Any thread.
record GrpcConnection(ManagedChannel channel) implements AutoCloseable {
  private static final int MAX_BYTES = 64 << 20; // 100,000 changes with long names fit

  static GrpcConnection to(String host, int port) {
    return new GrpcConnection(
        NettyChannelBuilder.forAddress(host, port)
            .usePlaintext()
            .proxyDetector(target -> null) // ignore the HTTP proxy settings of the environment
            .maxInboundMessageSize(MAX_BYTES)
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
