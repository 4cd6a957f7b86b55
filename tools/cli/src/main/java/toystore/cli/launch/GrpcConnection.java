package toystore.cli.launch;

import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.TimeUnit;

/// A gRPC connection to a service. It connects at the first call. Any thread.
public record GrpcConnection(ManagedChannel channel) implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final int MAX_BYTES = 64 << 20; // 100,000 changes with long names fit

  public static GrpcConnection to(String host, int port) {
    return new GrpcConnection(
        NettyChannelBuilder.forAddress(host, port)
            .usePlaintext()
            .proxyDetector(target -> null) // ignore the HTTP proxy settings of the environment
            .maxInboundMessageSize(MAX_BYTES)
            .build());
  }

  /// Sends a bearer token with each call.
  public static ClientInterceptor bearer(String token) {
    var headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + token);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
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
