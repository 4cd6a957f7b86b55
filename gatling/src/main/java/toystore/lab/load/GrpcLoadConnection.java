package toystore.lab.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/// A gRPC channel of its own. Messages are bytes here, so that no time is spent on their text while
/// a call is timed; [GrpcMessages] converts them. The first call opens the connection. One thread.
final class GrpcLoadConnection implements LoadConnection {
  private static final long DEADLINE_SECONDS = 30;
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final ManagedChannel channel;

  GrpcLoadConnection(URI url) {
    channel =
        NettyChannelBuilder.forAddress(url.getHost(), url.getPort())
            .usePlaintext()
            .proxyDetector(_ -> null)
            .build();
  }

  @Override
  public Response send(CallSource.Call call) {
    var method =
        MethodDescriptor.newBuilder(BYTES, BYTES)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(call.path())
            .build();
    try {
      byte[] message =
          ClientCalls.blockingUnaryCall(
              channel,
              method,
              CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS),
              call.bytes());
      return new Response(0, message, null);
    } catch (StatusRuntimeException refused) {
      byte[] description = refused.getStatus().toString().getBytes(UTF_8);
      return new Response(refused.getStatus().getCode().value(), description, null);
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
