package toystore.lab.floor;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;

/// A gRPC server with one empty unary method, and its client. Both run callbacks on the threads of
/// the network.
public final class GrpcFloor {
  private static final byte[] EMPTY = new byte[0];
  private static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("toystore.Floor/Empty")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private GrpcFloor() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder("toystore.Floor")
                    .addMethod(
                        METHOD,
                        ServerCalls.asyncUnaryCall((_, response) -> {
                          response.onNext(EMPTY);
                          response.onCompleted();
                        }))
                    .build())
            .build()
            .start();
    System.out.println("ready grpc://127.0.0.1:" + server.getPort());
    server.awaitTermination();
  }

  /// The client: one connection for all threads.
  static Operation operation(URI url) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(url.getHost(), url.getPort())
            .usePlaintext()
            .directExecutor()
            .build();
    return new Operation() {
      @Override
      public void run() {
        ClientCalls.blockingUnaryCall(channel, METHOD, CallOptions.DEFAULT, EMPTY);
      }

      @Override
      public void close() {
        channel.shutdownNow();
      }
    };
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
