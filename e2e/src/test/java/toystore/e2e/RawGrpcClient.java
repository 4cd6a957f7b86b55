package toystore.e2e;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import toystore.clients.BytesMarshaller;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// A gRPC client that sends any bytes to any method.
record RawGrpcClient(ManagedChannel channel) implements AutoCloseable {
  /// How a call ended.
  ///
  /// @param reason from the error's details; unspecified if there are none
  record Ending(Status.Code code, ErrorReason reason) {}

  static RawGrpcClient of(int port) {
    return new RawGrpcClient(
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create()).build());
  }

  /// @param method such as `toystore.catalog.v1.CatalogService/Sell`
  Ending send(String method, MessageLite request, Metadata... headers) {
    return send(method, request.toByteArray(), headers);
  }

  Ending send(String method, byte[] request, Metadata... headers) {
    try {
      CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
      ClientCalls.blockingUnaryCall(with(headers), descriptor(method), options, request);
      return new Ending(Status.Code.OK, ErrorReason.INTERNAL_ERROR);
    } catch (StatusRuntimeException error) {
      return new Ending(error.getStatus().getCode(), RpcError.of(error).reason());
    }
  }

  /// Sends a request and cancels it immediately.
  void sendAndCancel(String method, MessageLite request, Metadata... headers) {
    ClientCall<byte[], byte[]> call =
        with(headers).newCall(descriptor(method), CallOptions.DEFAULT);
    ClientCalls.futureUnaryCall(call, request.toByteArray()).cancel(true);
  }

  private Channel with(Metadata... headers) {
    return ClientInterceptors.intercept(
        channel, Stream.of(headers).map(MetadataUtils::newAttachHeadersInterceptor).toList());
  }

  private static MethodDescriptor<byte[], byte[]> descriptor(String method) {
    return MethodDescriptor.newBuilder(BytesMarshaller.BYTES, BytesMarshaller.BYTES)
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(method)
        .build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
