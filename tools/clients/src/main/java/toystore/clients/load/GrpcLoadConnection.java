package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import toystore.clients.BytesMarshaller;

/// A gRPC channel of its own. Messages are bytes here, so that no time is spent on their text while
/// a call is timed; [GrpcMessages] converts them. The first call opens the connection. One thread.
final class GrpcLoadConnection implements LoadConnection {
  private static final long DEADLINE_SECONDS = 30;
  private final ManagedChannel channel;
  private @Nullable ListenableFuture<byte[]> response; // to the last request

  GrpcLoadConnection(URI url) {
    channel =
        NettyChannelBuilder.forAddress(url.getHost(), url.getPort())
            .usePlaintext()
            .proxyDetector(_ -> null)
            .build();
  }

  @Override
  public void write(CallSource.Call call) {
    var method =
        MethodDescriptor.newBuilder(BytesMarshaller.BYTES, BytesMarshaller.BYTES)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(call.path())
            .build();
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    var metadata = new Metadata();
    call.metadata()
        .forEach((name, value) ->
            metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
    Channel withMetadata =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    response = ClientCalls.futureUnaryCall(withMetadata.newCall(method, options), call.bytes());
  }

  @Override
  public Response read() throws IOException {
    try {
      return new Response(0, requireNonNull(response, "a request").get());
    } catch (ExecutionException refused) {
      Status status = Status.fromThrowable(refused);
      return new Response(status.getCode().value(), status.toString().getBytes(UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a response");
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
